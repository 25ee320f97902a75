;;; themed.el --- Follow light, dark and a theme as themed says  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: faces, convenience

;;; Commentary:

;; `themed-mode', a global minor mode, shows what themed(1) says, at once and whenever it changes: a theme of Emacs's
;; for light and one for dark (`themed-light-theme', `themed-dark-theme'), or, with `themed-palette', the colors of the
;; theme that is chosen with "themectl theme set".
;;
;; Without a package manager, in the init file:
;;
;;     (load "/usr/share/themed/emacs/themed") (themed-mode)
;;
;; With use-package:
;;
;;     (use-package themed :load-path "/usr/share/themed/emacs" :config (themed-mode))
;;
;; "themectl set light --app NAME" overrides it for Emacs alone; the name is `themed-app'.  What is shown, as
;; org.themed.theme(7) describes it, is in `themed-state', for `themed-change-hook'.  "M-x themed-status" says what themed
;; says, and why it is not shown if it is not.
;;
;; It shows one theme alone: another one with faces that you have enabled would show through, so it is disabled, and is
;; back when the mode is turned off, and on a side that has no theme.  One that you load later holds until the next change.
;;
;; In an ssh session the terminal, or the X display, belongs to another machine.  There Emacs looks as it does without
;; this mode, unless "themectl share" feeds this machine; with `themed-ssh' it follows the desktop of this machine even so.
;; What Emacs was started with counts: a daemon that was started on the desktop follows the desktop in all of its frames,
;; and in tmux a pane has what tmux says of the client that was attached when it was opened.
;;
;; It reads the socket of themed itself: no process is started, and nothing is done as long as nothing changes, but that
;; this file is compiled in memory and the theme of the other side is read once Emacs rests.  When themed does not run
;; it is looked for, again and again, ever more seldom.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)

(defgroup themed nil
  "Follow light, dark and a theme as themed says."
  :group 'faces
  :link '(custom-manual "(emacs) Custom Themes"))

(defcustom themed-light-theme (if (>= emacs-major-version 28) 'modus-operandi 'tango)
  "The theme to show where themed says light; nil for none."
  :type '(choice (const :tag "None" nil) symbol))

(defcustom themed-dark-theme (if (>= emacs-major-version 28) 'modus-vivendi 'tango-dark)
  "The theme to show where themed says dark; nil for none."
  :type '(choice (const :tag "None" nil) symbol))

(defcustom themed-palette nil
  "Whether to show the colors of the theme that themed says, where one is chosen.
It counts from the next start of `themed-mode' on."
  :type 'boolean)

(defcustom themed-app "emacs"
  "The name by which Emacs can be overridden alone.
It counts from the next start of `themed-mode' on."
  :type 'string)

(defcustom themed-ssh nil
  "Whether to follow the desktop of this machine in an ssh session, too.
Without it, only what \"themectl share\" sends to this machine is shown there."
  :type 'boolean)

(defcustom themed-change-hook nil
  "What is run once another state is shown; `themed-state' has it."
  :type 'hook)

(defvar themed-state nil
  "The newest state, a hash table, as org.themed.theme(7) describes it.
It is nil until themed has said something that is shown.")

(defconst themed--delays '(0.1 . 30)
  "Seconds until themed is looked for again: the first time, and the longest.")
(defconst themed--longest-reply 1048576
  "Characters of a reply; themed sends none that is longer.")

(defvar themed--process nil "The connection, if there is one.")
(defvar themed--timer nil "What connects again, while there is no connection.")
(defvar themed--delay (car themed--delays) "Seconds until that.")
(defvar themed--problem nil "What has been complained of last.")
(defvar themed--failure nil "Why there is no connection, where that is known.")
(defvar themed--elsewhere nil "What themed says if it is not to be shown in this ssh session.")
(defvar themed--replaced nil "The user's own themes whose place ours has taken, the uppermost first.")
(defvar themed--places nil "What is colored in the theme `themed': an alist of roles and their places.")
(defvar themed--shown nil "The scheme and palette that were shown last, until others are to be.")

;;; What is shown

(defvar themed--faces
  '((default :foreground text :background background)
    (cursor :background cursor)
    (region :foreground selection-text :background selection :extend t)
    (secondary-selection :background separator :extend t)
    (highlight :background separator)
    (hl-line :background surface :extend t)
    (fringe :foreground disabled-text :background background)
    (vertical-border :foreground separator)
    (window-divider :foreground separator)
    (mode-line :foreground text :background surface :box (:line-width -1 :color separator))
    (mode-line-inactive :foreground secondary-text :background background :box (:line-width -1 :color separator))
    (mode-line-buffer-id :weight bold)
    (header-line :foreground text :background surface)
    (tab-bar :foreground secondary-text :background surface)
    (tab-bar-tab :foreground primary-text :background primary)
    (tab-bar-tab-inactive :foreground secondary-text :background surface)
    (tab-line :foreground secondary-text :background surface)
    (tooltip :foreground text :background surface)
    (minibuffer-prompt :foreground primary :weight bold)
    (line-number :foreground disabled-text)
    (line-number-current-line :foreground text :background surface :weight bold)
    (isearch :foreground primary-text :background primary)
    (isearch-fail :foreground error :weight bold)
    (lazy-highlight :foreground background :background warning)
    (match :foreground background :background warning)
    (show-paren-match :foreground warning :weight bold :underline t)
    (show-paren-mismatch :foreground background :background error)
    (trailing-whitespace :background error)
    (escape-glyph :foreground base0C)
    (homoglyph :foreground base0C)
    (nobreak-space :foreground base0C :underline t)
    (shadow :foreground secondary-text)
    (link :foreground link :underline t)
    (link-visited :foreground secondary :underline t)
    (button :foreground link :underline t)
    (error :foreground error)
    (warning :foreground warning)
    (success :foreground success)
    (completions-common-part :foreground primary)
    (completions-first-difference :weight bold)
    (completions-annotations :foreground secondary-text)
    (font-lock-comment-face :foreground disabled-text :slant italic)
    (font-lock-doc-face :foreground base0B)
    (font-lock-string-face :foreground base0B)
    (font-lock-regexp-face :foreground base0C)
    (font-lock-escape-face :foreground base0C)
    (font-lock-keyword-face :foreground base0E)
    (font-lock-builtin-face :foreground base0D)
    (font-lock-preprocessor-face :foreground base0E)
    (font-lock-function-name-face :foreground base0D)
    (font-lock-variable-name-face :foreground base08)
    (font-lock-variable-use-face :foreground text)
    (font-lock-type-face :foreground base0A)
    (font-lock-constant-face :foreground base09)
    (font-lock-number-face :foreground base09)
    (font-lock-operator-face :foreground text)
    (font-lock-punctuation-face :foreground secondary-text)
    (font-lock-negation-char-face :foreground base08)
    (font-lock-warning-face :foreground warning :weight bold)
    (outline-1 :foreground base0D :weight bold)
    (outline-2 :foreground base0E :weight bold)
    (outline-3 :foreground base0C :weight bold)
    (outline-4 :foreground base0A :weight bold)
    (org-block :background surface :extend t)
    (org-code :foreground base0B)
    (org-verbatim :foreground base0B)
    (org-date :foreground base0C :underline t)
    (org-todo :foreground warning :weight bold)
    (org-done :foreground success :weight bold)
    (org-hide :foreground background)
    (diff-added :foreground success :background surface :extend t)
    (diff-changed :foreground warning :background surface :extend t)
    (diff-removed :foreground error :background surface :extend t)
    (diff-header :foreground text :background surface :extend t)
    (diff-file-header :foreground text :background surface :weight bold :extend t)
    (dired-directory :foreground link)
    (dired-marked :foreground warning :weight bold)
    (dired-flagged :foreground error :weight bold)
    (flymake-error :underline (:style wave :color error))
    (flymake-warning :underline (:style wave :color warning))
    (flymake-note :underline (:style wave :color info))
    (flyspell-incorrect :underline (:style wave :color error))
    (flyspell-duplicate :underline (:style wave :color warning))
    (eglot-highlight-symbol-face :background separator)
    (ansi-color-black :foreground ansi0 :background ansi0)
    (ansi-color-red :foreground ansi1 :background ansi1)
    (ansi-color-green :foreground ansi2 :background ansi2)
    (ansi-color-yellow :foreground ansi3 :background ansi3)
    (ansi-color-blue :foreground ansi4 :background ansi4)
    (ansi-color-magenta :foreground ansi5 :background ansi5)
    (ansi-color-cyan :foreground ansi6 :background ansi6)
    (ansi-color-white :foreground ansi7 :background ansi7)
    (ansi-color-bright-black :foreground ansi8 :background ansi8)
    (ansi-color-bright-red :foreground ansi9 :background ansi9)
    (ansi-color-bright-green :foreground ansi10 :background ansi10)
    (ansi-color-bright-yellow :foreground ansi11 :background ansi11)
    (ansi-color-bright-blue :foreground ansi12 :background ansi12)
    (ansi-color-bright-magenta :foreground ansi13 :background ansi13)
    (ansi-color-bright-cyan :foreground ansi14 :background ansi14)
    (ansi-color-bright-white :foreground ansi15 :background ansi15))
  "The faces of the theme `themed'.
The colors of their attributes are roles of themed.theme(5).")

(defun themed--colors (palette)
  "An alist of roles and what is a color in PALETTE: it comes from outside."
  (let (colors)
    (maphash (lambda (name color)
               (let ((role (intern-soft name)))
                 (and role (stringp color) (string-match-p "\\`#[[:xdigit:]]\\{6\\}\\'" color)
                      (setq colors (cons (cons role color) colors)))))
             palette)
    colors))

(defun themed--value (colors given)
  "The color of the role GIVEN in COLORS; if it has attributes, these with theirs."
  (if (consp given)
      (let (themed--places) (themed--attributes colors given))
    (cdr (assq given colors))))

(defun themed--attributes (colors attributes)
  "ATTRIBUTES with COLORS for roles, if they have them.
Their places are added to `themed--places'."
  (let (colored)
    (while attributes
      (let* ((key (pop attributes))
             (given (pop attributes))
             (colorful (or (memq key '(:foreground :background :color)) (consp given)))
             (value (if colorful (themed--value colors given) given)))
        (when value
          (setq colored (cons value (cons key colored)))
          (when colorful (push (cons given colored) themed--places)))))
    (nreverse colored)))

(defun themed-define-theme ()
  "Give the theme `themed' the colors of the palette in `themed-state'."
  (let ((palette (and themed-state (gethash "palette" themed-state))))
    (when (hash-table-p palette)
      (let ((colors (themed--colors palette)))
        (setq themed--places nil)
        (apply #'custom-theme-set-faces 'themed
               (mapcar (lambda (face) (list (car face) (list (cons t (themed--attributes colors (cdr face))))))
                       themed--faces))))))

(defun themed--recolor (colors)
  "Give the theme `themed', which is shown, COLORS for the same roles as before.
To define and enable it anew would take four times as long, most of it for the
default face, which would be without a color first."
  (dolist (place themed--places)
    (setcar (cdr place) (themed--value colors (car place))))
  (dolist (entry themed--faces)
    (let* ((face (car entry))
           (setting (car (get face 'theme-face))))
      (cond ((not (facep face)))
            ;; What somebody else has set goes above ours.
            ((or (get face 'face-override-spec) (not (eq (car setting) 'themed))) (custom-theme-recalc-face face))
            (t (dolist (frame (frame-list))
                 (apply #'set-face-attribute face frame (cdr (car (cadr setting))))))))))

;; Every function of seq.el would cost more than what is done here: there are many faces.
(defun themed--tells-background-p (spec)
  "Whether the face SPEC has something for dark or light backgrounds alone."
  (let (told)
    (while (and spec (not told))
      (let ((display (car-safe (pop spec))))
        (setq told (and (consp display) (assq 'background display)))))
    told))

(defun themed--background-counts-p (face)
  "Whether FACE may look otherwise on a dark background than on a light one."
  (let ((set-by (get face 'theme-face)))
    (or (themed--tells-background-p (get face 'face-override-spec))
        ;; What the theme `themed' says holds on either, in place of what a face says of itself.
        (and (not (assq 'themed set-by)) (themed--tells-background-p (face-default-spec face)))
        (let (told)
          (while (and set-by (not told))
            (setq told (themed--tells-background-p (cadr (pop set-by)))))
          told))))

(defun themed--set-background-mode (frame)
  "Do what `frame-set-background-mode' does for FRAME.
That looks at each face twice, and makes each anew; this leaves alone the faces
that come out the same, which are nearly all."
  (let ((changes (not (eq (frame-parameter frame 'background-mode) frame-background-mode)))
        faces)
    (when changes
      (dolist (face (face-list))
        (when (and (themed--background-counts-p face)
                   ;; One that was changed by hand stays so.
                   (or (get face 'face-override-spec) (face-spec-match-p face (face-user-default-spec face) frame)))
          (push face faces))))
    (frame-set-background-mode frame changes)
    (dolist (face faces)
      (face-spec-recalc face frame))))

(defun themed--loaded-p (theme)
  "Whether THEME has been loaded: a package may have declared it alone."
  (get theme 'theme-settings))

(defun themed--ours (theme)
  "Whether THEME is one of those that are ours to show."
  (memq theme (list themed-light-theme themed-dark-theme 'themed)))

(defun themed--set-aside (theme)
  "Disable what would show through THEME, and remember what the user had enabled.
A theme without faces does not."
  (dolist (other (reverse custom-enabled-themes))
    (cond ((eq other theme))
          ((themed--ours other) (disable-theme other))
          ((assq 'theme-face (get other 'theme-settings))
           (disable-theme other)
           (setq themed--replaced (cons other (delq other themed--replaced)))))))

(defun themed--put-back ()
  "Enable the user's own themes again, in place of ours, if there were any."
  (when themed--replaced
    (dolist (theme (reverse (seq-filter #'themed--ours custom-enabled-themes)))
      (disable-theme theme))
    (dolist (theme (reverse themed--replaced))
      (enable-theme theme))
    (setq themed--replaced nil)))

(defun themed--enable (theme &optional colors)
  "Show THEME alone; nil for what the user has enabled without us.
One that cannot be loaded leaves what is shown.  Where `themed' is only to have
other colors for its roles, these are COLORS."
  (let ((known (or (null theme) (themed--loaded-p theme))))
    (when (or known (themed--load-ahead theme))
      (if theme (themed--set-aside theme) (themed--put-back))
      (cond ((null theme)
             (dolist (other (seq-filter #'themed--ours custom-enabled-themes)) (disable-theme other)))
            ((and colors (eq theme 'themed) (eq (car custom-enabled-themes) 'themed)) (themed--recolor colors))
            ;; It is another one with each palette.
            ((and known (eq theme 'themed)) (load-theme theme t))
            (t (enable-theme theme))))))

(defun themed--load-ahead (theme)
  "Load THEME without showing it: that takes far longer than to show it.
Returns nil if it was loaded or cannot be."
  (when (and theme (not (themed--loaded-p theme)))
    (with-demoted-errors "themed: %S" (load-theme theme t t) t)))

(defun themed--rule (state field)
  "What decided FIELD of STATE."
  (let* ((origins (gethash "origins" state))
         (origin (and (hash-table-p origins) (gethash field origins))))
    (and (hash-table-p origin) (gethash "rule" origin))))

(defun themed--guess-p ()
  "Whether themed knows no more than its own default."
  (and (equal (themed--rule themed-state "scheme") "default")
       (equal (gethash "desktop" themed-state) "unavailable")))

(defun themed--elsewhere-p (state)
  "Whether STATE is that of another display than the one that Emacs is on."
  (and (not themed-ssh)
       (not (string= "" (concat (getenv "SSH_CONNECTION") (getenv "SSH_TTY"))))
       (not (equal (themed--rule state "desktop") "upstream"))))

(defun themed--show ()
  "Show `themed-state', as far as it is another than what is shown.
What was changed by hand holds until then."
  (let* ((scheme (if (equal (gethash "scheme" themed-state) "dark") 'dark 'light))
         (told (and themed-palette (gethash "palette" themed-state)))
         (palette (and (hash-table-p told) told))
         (colors (and palette (themed--colors palette)))
         (new (list scheme (and palette t) colors)))
    (unless (or (equal new themed--shown) (and (not themed--shown) (not palette) (themed--guess-p)))
      (let ((as-before (equal (mapcar #'car colors) (mapcar #'car (nth 2 themed--shown)))))
        (setq themed--shown new)
        ;; For themes that have two variants, and for faces that no theme has.
        (setq frame-background-mode scheme)
        (mapc #'themed--set-background-mode (frame-list))
        (with-demoted-errors "themed: %S"
          (themed--enable (cond (palette 'themed) ((eq scheme 'dark) themed-dark-theme) (t themed-light-theme))
                          (and as-before colors)))
        ;; So that the first change takes no longer than the next.
        (unless palette
          (run-with-idle-timer
           2 nil #'themed--load-ahead (if (eq scheme 'dark) themed-light-theme themed-dark-theme)))))
    (run-hooks 'themed-change-hook)))

;;; What is compiled

(defconst themed--changing
  '(themed--tells-background-p themed--background-counts-p themed--set-background-mode themed--colors themed--value
    themed--attributes themed--recolor themed--show themed--read themed--filter)
  "The functions that every change calls.")

(defun themed--source-p (function)
  "Whether FUNCTION was read as source, as `load' does, and is not compiled."
  (let ((definition (symbol-function function)))
    (or (consp definition) (and (fboundp 'interpreted-function-p) (interpreted-function-p definition)))))

(defun themed--compile ()
  "Compile `themed--changing', as far as that is not done: it is faster then."
  (let ((byte-compile-warnings nil) (inhibit-message t))
    (dolist (function themed--changing)
      (when (themed--source-p function) (byte-compile function)))))

;;; The connection: one call of Monitor, whose replies, each ended by a NUL, are whole states.

(defun themed--socket ()
  "Where themed listens."
  (let ((path (or (getenv "THEMED_SOCKET") ""))
        (directory (or (getenv "XDG_RUNTIME_DIR") "")))
    (if (string= path "")
        ;; As systemd makes it, where a session of ssh does not say it.
        (concat (if (string-prefix-p "/" directory) directory (format "/run/user/%d" (user-uid)))
                "/themed/org.themed.theme")
      path)))

(defun themed--parse (text)
  "The object in TEXT, which is JSON; it may be anything else, too."
  (if (fboundp 'json-parse-string)
      (json-parse-string text :null-object nil :false-object nil)
    (let ((json-object-type 'hash-table) (json-key-type 'string) (json-array-type 'vector) (json-false nil))
      (json-read-from-string text))))

(defun themed--complain (text)
  "Say TEXT once, and look for themed seldom: that cannot get better by itself."
  (setq themed--delay (cdr themed--delays))
  (themed--try-later)
  (unless (equal text themed--problem)
    (setq themed--problem text)
    (display-warning 'themed text)))

(defun themed--read (reply)
  "Show the state in REPLY, if it is one."
  (let* ((message (ignore-errors (themed--parse reply)))
         (failure (and (hash-table-p message) (gethash "error" message)))
         (parameters (and (hash-table-p message) (gethash "parameters" message)))
         (state (and (hash-table-p parameters) (gethash "state" parameters))))
    (cond ((stringp failure) (themed--complain (concat "It refuses: " failure)))
          ((not (and (hash-table-p state) (member (gethash "scheme" state) '("light" "dark"))))
           (themed--complain "It does not speak as themed does"))
          (t (setq themed--delay (car themed--delays) themed--problem nil themed--failure nil
                   themed--elsewhere (and (themed--elsewhere-p state) state))
             (unless themed--elsewhere
               (setq themed-state state)
               (with-demoted-errors "themed: %S" (themed--show)))))))

(defun themed--filter (process text)
  "Read TEXT, a part of what came from PROCESS: the newest reply alone counts."
  (when (eq process themed--process)
    (let* ((parts (split-string text "\0"))
           (rest (process-get process 'rest))
           (length (+ (length text) (or (process-get process 'length) 0))))
      (if (cdr parts)
          (let ((last (car (last parts))) (newest (car (last parts 2))))
            (process-put process 'rest (list last))
            (process-put process 'length (length last))
            ;; The first one has begun before.
            (themed--read (if (cddr parts) newest (apply #'concat (reverse (cons newest rest))))))
        ;; Put together once it is whole, not with each part.
        (process-put process 'rest (cons text rest))
        (process-put process 'length length)
        (when (> length themed--longest-reply) (themed--try-later))))))

(defun themed--sentinel (process event)
  "Call themed once PROCESS is connected, or try it later, by EVENT."
  (when (eq process themed--process)
    (if (string-prefix-p "open" event)
        (process-send-string
         process
         (concat (json-encode `((method . "org.themed.theme.Monitor")
                                (parameters . ((app . ,themed-app) (details . ,(if themed-palette t json-false))))
                                (more . t)))
                 "\0"))
      (setq themed--failure (string-trim event))
      (themed--try-later))))

(defun themed--connect ()
  "Connect to themed, if it can be found."
  (setq themed--timer nil)
  (when-let ((path (themed--socket)))
    (setq themed--process
          (condition-case problem
              (make-network-process :name "themed" :family 'local :service path :nowait t :noquery t
                                    :coding 'utf-8-unix :filter #'themed--filter :sentinel #'themed--sentinel)
            (error (setq themed--failure (error-message-string problem)) nil)))
    ;; No sentinel is told of a connection that fails at once.
    (unless (and themed--process (memq (process-status themed--process) '(connect open)))
      (let ((data (and themed--process (process-exit-status themed--process))))
        (when (stringp (car-safe (cdr-safe data))) (setq themed--failure (cadr data))))
      (themed--try-later))))

(defun themed--disconnect ()
  "Leave the connection, and look for none."
  (when themed--timer (cancel-timer themed--timer))
  (let ((process themed--process))
    (setq themed--timer nil themed--process nil)
    (when process (delete-process process))))

(defun themed--try-later ()
  "Leave the connection, and look for themed again in a while."
  (themed--disconnect)
  (setq themed--timer (run-at-time themed--delay nil #'themed--connect)
        themed--delay (min (* 2 themed--delay) (cdr themed--delays))))

;;;###autoload
(define-minor-mode themed-mode
  "Follow light, dark and a theme, as told by themed(1).
When it is turned off, the themes that were enabled before are back; if there
were none, what is shown stays."
  :global t
  (themed--disconnect)
  (setq themed-state nil themed--shown nil themed--problem nil themed--failure nil themed--elsewhere nil
        themed--delay (car themed--delays))
  (if (not themed-mode)
      (themed--put-back)
    (run-with-idle-timer 2 nil #'themed--compile)
    (themed--connect)))

;;;###autoload
(defun themed-status ()
  "Report the state of themed, and if it is not shown, the reason."
  (interactive)
  (message "%s"
           (cond ((not themed-mode) "themed-mode is off")
                 (themed--problem (format "%s: %s" (themed--socket) themed--problem))
                 (themed--elsewhere
                  (format "%s says %s, which is not shown in an ssh session; see `themed-ssh'"
                          (themed--socket) (gethash "scheme" themed--elsewhere)))
                 ((and themed-state (not themed--failure))
                  (format "%s says %s" (themed--socket) (gethash "scheme" themed-state)))
                 (t (format "%s does not answer (%s); \"themectl doctor\" says why"
                            (themed--socket) (or themed--failure "not heard yet"))))))

;;;###autoload
(when load-file-name
  (add-to-list 'custom-theme-load-path (file-name-directory load-file-name)))

(provide 'themed)
;;; themed.el ends here
