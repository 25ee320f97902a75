;;; themed.el --- Starts themed-mode if the app emacs is enabled  -*- lexical-binding: t; -*-

;;; Commentary:

;; "themectl app enable emacs" enables it.  This file is in a directory that Emacs reads before the init file.

;;; Code:

(unless (or noninteractive (< emacs-major-version 27))
  (let* ((directory (or (getenv "XDG_CONFIG_HOME") ""))
         (list (concat (if (string-prefix-p "/" directory) directory (expand-file-name "~/.config"))
                       "/themed/apps.enabled")))
    (when (and (file-readable-p list)
               (with-temp-buffer
                 (insert-file-contents list)
                 (let ((case-fold-search nil)) (re-search-forward "^[ \t]*emacs[ \t]*\\(?:#.*\\)?$" nil t))))
      ;; After the init file, because it may set options and load themes.
      (add-hook 'after-init-hook
                (lambda ()
                  (unless (bound-and-true-p themed-mode)
                    (when (load "/usr/share/themed/emacs/themed" t) (themed-mode))))))))

;;; themed.el ends here
