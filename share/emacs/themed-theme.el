;;; themed-theme.el --- The colors of the theme that themed says  -*- lexical-binding: t; -*-

;;; Commentary:

;; What `themed-mode' shows where `themed-palette' is non-nil.  It has no faces until themed has told a palette.

;;; Code:

(require 'themed)

(deftheme themed "The colors of the theme that themed says.")
(themed-define-theme)
(provide-theme 'themed)

;;; themed-theme.el ends here
