// What becomes of files, quickly: each kind leaves a file as it found it, whole and in its place.
#include "attacker.h"

static long long count;

static void put_file(const char *path, const char *text, size_t length, int flags) {
  int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (fd < 0) return;
  if (write(fd, text, length) < 0) fail(path);
  close(fd);
  count++;
}

// A file of its own in the place of the old one.
static void replace_file(const char *path, const char *text, size_t length) {
  char beside[4096];
  snprintf(beside, sizeof beside, "%s.beside", path);
  put_file(beside, text, length, O_TRUNC);
  if (rename(beside, path) != 0) fail(path);
}

// The directory that a file lies in goes, and comes again with the file in it.
static void replace_directory(const char *path, const char *text, size_t length) {
  char directory[4096], aside[4200], within[4400];
  snprintf(directory, sizeof directory, "%s", path);
  *strrchr(directory, '/') = 0;
  snprintf(aside, sizeof aside, "%s.aside", directory);
  if (rename(directory, aside) != 0) fail(directory);
  if (mkdir(directory, 0700) != 0) fail(directory);
  put_file(path, text, length, O_TRUNC);
  snprintf(within, sizeof within, "%s/%s", aside, strrchr(path, '/') + 1);
  unlink(within);
  if (rmdir(aside) != 0) fail(aside);
}

int file_attack(int words_count, char **words) {
  (void)words_count;
  const char *kind = words[0], *path = words[1];
  int64_t end = end_after(words[2]);
  static char text[1 << 16];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text);
  if (length < 0) fail(path);
  close(fd);
  while (!is_over(end)) {
    if (strcmp(kind, "rewrite") == 0) {
      put_file(path, text, length, O_TRUNC);
    } else if (strcmp(kind, "append") == 0) {
      put_file(path, "# a line\n", 9, O_APPEND);
      pause_for(40000);
    } else if (strcmp(kind, "replace") == 0) {
      replace_file(path, text, length);
    } else if (strcmp(kind, "replace-directory") == 0) {
      replace_directory(path, text, length);
      // Some at once, then a little quiet: the watch is armed in between.
      if (count % 16 == 0) pause_for(2000);
    } else {
      fail(kind);
    }
  }
  return done(count);
}
