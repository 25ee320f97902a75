;;; themed-theme.el --- The colors of themed's theme  -*- lexical-binding: t; -*-

;;; Commentary:

;; The faces of `themed-mode' if `themed-palette' is non-nil.  There are none until themed has sent a palette.

;;; Code:

(require 'themed)

(deftheme themed "The colors of themed's theme.")
(themed-define-theme)
(provide-theme 'themed)
(provide 'themed-theme)
;;; themed-theme.el ends here
