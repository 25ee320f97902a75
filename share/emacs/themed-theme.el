;;; themed-theme.el --- The colors of themed's theme  -*- lexical-binding: t; -*-

;;; Commentary:

;; What `themed-mode' shows if `themed-palette' is non-nil.  It has no faces until themed has sent a palette.

;;; Code:

(require 'themed)

(deftheme themed "The colors of themed's theme.")
(themed-define-theme)
(provide-theme 'themed)

;;; themed-theme.el ends here
