;;; themed.el --- Follow light, dark and themes from themed(1)  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Author: The themed developers <maintainers@themed.example>
;; Maintainer: The themed developers <maintainers@themed.example>
;; URL: https://themed.example
;; Version: 1.0.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: faces, convenience

;;; Commentary:

;; The global minor mode `themed-mode' follows themed(1), at once and at every change.  It enables one Emacs theme for
;; light and another for dark (`themed-light-theme', `themed-dark-theme').  With `themed-palette', it shows the colors
;; of the theme that you chose with "themectl set theme" instead.
;;
;; "themectl setup" turns it on.  Or add this to the init file:
;;
;;     (load "/usr/share/themed/emacs/themed") (themed-mode)
;;
;; With use-package:
;;
;;     (use-package themed :load-path "/usr/share/themed/emacs" :config (themed-mode))
;;
;; With straight.el:
;;
;;     (straight-use-package '(themed :type nil :local-repo "/usr/share/themed/emacs"))
;;
;; "M-x package-install-file" installs the directory, too, and then compiles it.
;;
;; "themectl set light --app NAME" overrides Emacs alone; the name is `themed-app'.  Functions on `themed-change-hook'
;; find the state in `themed-state', as org.themed.theme(7) describes it.  "M-x themed-status" shows what themed says,
;; and the reason if Emacs does not show it.
;;
;; The mode disables your other themes that have faces, because they would show through.  It enables them again when you
;; turn the mode off, and in light or dark if the option for that theme is nil.  A theme that you load later stays until
;; the next change.
;;
;; In an ssh session the terminal, or the X display, belongs to another machine.  There the mode changes nothing, unless
;; "themectl share" feeds this machine.  With `themed-ssh', it follows the desktop of this machine there, too.  The
;; mode detects an ssh session by the environment in which Emacs started: a daemon that was started on the desktop
;; follows the desktop in all of its frames, and a tmux pane has the variables of the client that was attached when the
;; pane was opened.
;;
;; The mode reads themed's socket.  It starts no process, and does nothing while nothing changes, except that it loads
;; the other theme once Emacs is idle.  If themed is not running, it tries to connect again after growing delays.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)

(defgroup themed nil
    "Make Emacs light or dark as themed says."
  :group 'faces
  :link '(custom-manual "(emacs) Custom Themes"))

(defcustom themed-light-theme (if (>= emacs-major-version 28) 'modus-operandi 'tango)
  "The theme to enable when themed says light; nil for none."
  :type '(choice (const :tag "None" nil) symbol))

(defcustom themed-dark-theme (if (>= emacs-major-version 28) 'modus-vivendi 'tango-dark)
  "The theme to enable when themed says dark; nil for none."
  :type '(choice (const :tag "None" nil) symbol))

(defcustom themed-palette nil
    "Whether to show the colors of the theme that is chosen in themed, if any.
A change takes effect the next time that you turn on `themed-mode'."
  :type 'boolean)

(defcustom themed-app "emacs"
    "The name for overriding Emacs alone.
A change takes effect the next time that you turn on `themed-mode'."
  :type 'string)

(defcustom themed-ssh nil
    "Whether to follow the desktop of this machine in ssh sessions, too.
Without it, Emacs in an ssh session follows only what \"themectl share\" sends."
  :type 'boolean)

(defcustom themed-change-hook nil
  "Functions to run after each change; the new state is in `themed-state'."
  :type 'hook)

(defvar themed-state nil
  "The newest state, a hash table, as org.themed.theme(7) describes it.
It is nil until there is a state to show.")

(defconst themed--delays '(0.1 . 30)
  "Seconds until the next attempt to connect: the first delay and the longest.")
(defconst themed--longest-reply 1048576
  "The longest reply, in characters; themed sends no longer one.")

(defvar themed--process nil "The connection, if there is one.")
(defvar themed--timer nil "The timer that connects again, while there is no connection.")
(defvar themed--delay (car themed--delays) "Seconds until the next attempt to connect.")
(defvar themed--problem nil "The last warning that was shown.")
(defvar themed--failure nil "Why there is no connection, if that is known.")
(defvar themed--elsewhere nil "The state that is not shown because this is an ssh session.")
(defvar themed--replaced nil "The user's own themes that ours replaced, the uppermost first.")
(defvar themed--places nil "An alist of the roles that the theme `themed' colors, and their places.")
(defvar themed--shown nil "The scheme and palette that were shown last.")

;;; Showing the state

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
  "An alist of roles and the valid colors in PALETTE, which themed sent."
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
    "Give the enabled theme `themed' new COLORS for the same roles as before.
To define and enable it again would take four times as long, most of it for the
default face, which would have no color for a moment."
  (dolist (place themed--places)
    (setcar (cdr place) (themed--value colors (car place))))
  (dolist (entry themed--faces)
    (let* ((face (car entry))
           (setting (car (get face 'theme-face))))
      (cond ((not (facep face)))
            ;; Settings of the user and of other themes override ours.
            ((or (get face 'face-override-spec) (not (eq (car setting) 'themed))) (custom-theme-recalc-face face))
            (t (dolist (frame (frame-list))
                 (apply #'set-face-attribute face frame (cdr (car (cadr setting))))))))))

;; There are many faces, so this avoids the slower functions of seq.el.
(defun themed--tells-background-p (spec)
  "Whether the face SPEC depends on a dark or light background."
  (let (told)
    (while (and spec (not told))
      (let ((display (car-safe (pop spec))))
        (setq told (and (consp display) (assq 'background display)))))
    told))

(defun themed--background-counts-p (face)
  "Whether FACE may look different on dark and light backgrounds."
  (let ((set-by (get face 'theme-face)))
    (or (themed--tells-background-p (get face 'face-override-spec))
        ;; The theme `themed' replaces a face's own definition, on both backgrounds.
        (and (not (assq 'themed set-by)) (themed--tells-background-p (face-default-spec face)))
        (let (told)
          (while (and set-by (not told))
            (setq told (themed--tells-background-p (cadr (pop set-by)))))
          told))))

(defun themed--set-background-mode (frame)
  "Do what `frame-set-background-mode' does for FRAME.
That function recomputes every face; this one skips the faces that do not
change, which are nearly all."
  (let ((changes (not (eq (frame-parameter frame 'background-mode) frame-background-mode)))
        faces)
    (when changes
      (dolist (face (face-list))
        (when (and (themed--background-counts-p face)
                   ;; A face that the user changed by hand stays so.
                   (or (get face 'face-override-spec) (face-spec-match-p face (face-user-default-spec face) frame)))
          (push face faces))))
    (frame-set-background-mode frame changes)
    (dolist (face faces)
      (face-spec-recalc face frame))))

(defun themed--loaded-p (theme)
  "Whether THEME has been loaded and not only declared by a package."
  (get theme 'theme-settings))

(defun themed--ours (theme)
  "Whether THEME is one of the themes that this mode enables."
  (memq theme (list themed-light-theme themed-dark-theme 'themed)))

(defun themed--set-aside (theme)
    "Disable themes that would show through THEME, and remember the user's own.
A theme without faces does not show through."
  (dolist (other (reverse custom-enabled-themes))
    (cond ((eq other theme))
          ((themed--ours other) (disable-theme other))
          ((assq 'theme-face (get other 'theme-settings))
           (disable-theme other)
           (setq themed--replaced (cons other (delq other themed--replaced)))))))

(defun themed--put-back ()
  "Enable the user's own themes again instead of ours, if there were any."
  (when themed--replaced
    (dolist (theme (reverse (seq-filter #'themed--ours custom-enabled-themes)))
      (disable-theme theme))
    (dolist (theme (reverse themed--replaced))
      (enable-theme theme))
    (setq themed--replaced nil)))

(defun themed--enable (theme &optional colors)
    "Enable THEME alone, or the user's own themes if it is nil.
If THEME cannot be loaded, nothing changes.  If only the colors of the theme
`themed' change, these are COLORS."
  (let ((known (or (null theme) (themed--loaded-p theme))))
    (when (or known (themed--load-ahead theme))
      (if theme (themed--set-aside theme) (themed--put-back))
      (cond ((null theme)
             (dolist (other (seq-filter #'themed--ours custom-enabled-themes)) (disable-theme other)))
            ((and colors (eq theme 'themed) (eq (car custom-enabled-themes) 'themed)) (themed--recolor colors))
            ;; It is defined again for each palette.
            ((and known (eq theme 'themed)) (load-theme theme t))
            (t (enable-theme theme))))))

(defun themed--load-ahead (theme)
    "Load THEME without enabling it, since loading takes much longer.
Return nil if it is already loaded or cannot be loaded."
  (when (and theme (not (themed--loaded-p theme)))
    (with-demoted-errors "themed: %S" (load-theme theme t t) t)))

(defun themed--rule (state field)
  "The rule that decided FIELD of STATE."
  (let* ((origins (gethash "origins" state))
         (origin (and (hash-table-p origins) (gethash field origins))))
    (and (hash-table-p origin) (gethash "rule" origin))))

(defun themed--guess-p ()
  "Whether themed has only its own default."
  (and (equal (themed--rule themed-state "scheme") "default")
       (equal (gethash "desktop" themed-state) "unavailable")))

(defun themed--elsewhere-p (state)
  "Whether STATE is for another display than the one that Emacs is on."
  (and (not themed-ssh)
       (not (string= "" (concat (getenv "SSH_CONNECTION") (getenv "SSH_TTY"))))
       (not (equal (themed--rule state "desktop") "upstream"))))

(defun themed--show ()
    "Show `themed-state' if it differs from what is shown.
Changes that the user made by hand stay until then."
  (let* ((scheme (if (equal (gethash "scheme" themed-state) "dark") 'dark 'light))
         (told (and themed-palette (gethash "palette" themed-state)))
         (palette (and (hash-table-p told) told))
         (colors (and palette (themed--colors palette)))
         (new (list scheme (and palette t) colors)))
    (unless (or (equal new themed--shown) (and (not themed--shown) (not palette) (themed--guess-p)))
      (let ((as-before (equal (mapcar #'car colors) (mapcar #'car (nth 2 themed--shown)))))
        (setq themed--shown new)
        ;; For themes with two variants, and for faces that no theme defines.
        (setq frame-background-mode scheme)
        (mapc #'themed--set-background-mode (frame-list))
        (with-demoted-errors "themed: %S"
          (themed--enable (cond (palette 'themed) ((eq scheme 'dark) themed-dark-theme) (t themed-light-theme))
                          (and as-before colors)))
        ;; So that the first change is as fast as the next.
        (unless palette
          (run-with-idle-timer
           2 nil #'themed--load-ahead (if (eq scheme 'dark) themed-light-theme themed-dark-theme)))))
    (run-hooks 'themed-change-hook)))

;;; The connection: one call of Monitor, whose replies end with a NUL and have the whole state.

(defun themed--socket ()
  "The path of themed's socket."
  (let ((path (or (getenv "THEMED_SOCKET") ""))
        (directory (or (getenv "XDG_RUNTIME_DIR") "")))
    (if (string= path "")
        ;; The directory as systemd creates it, for ssh sessions in which no variable names it.
        (concat (if (string-prefix-p "/" directory) directory (format "/run/user/%d" (user-uid)))
                "/themed/org.themed.theme")
      path)))

(defun themed--parse (text)
  "The value of the JSON in TEXT, which may be of any type."
  (if (fboundp 'json-parse-string)
      (json-parse-string text :null-object nil :false-object nil)
    (let ((json-object-type 'hash-table) (json-key-type 'string) (json-array-type 'vector) (json-false nil))
      (json-read-from-string text))))

(defun themed--complain (text)
  "Show the warning TEXT once, and connect again after the longest delay."
  (setq themed--delay (cdr themed--delays))
  (themed--try-later)
  (unless (equal text themed--problem)
    (setq themed--problem text)
    (display-warning 'themed text)))

(defun themed--read (reply)
  "Show the state in REPLY, if it has one."
  (let* ((message (ignore-errors (themed--parse reply)))
         (failure (and (hash-table-p message) (gethash "error" message)))
         (parameters (and (hash-table-p message) (gethash "parameters" message)))
         (state (and (hash-table-p parameters) (gethash "state" parameters))))
    (cond ((stringp failure) (themed--complain (concat "It refused the call: " failure)))
          ((not (and (hash-table-p state) (member (gethash "scheme" state) '("light" "dark"))))
           (themed--complain "Its reply is not from themed; check $THEMED_SOCKET"))
          (t (setq themed--delay (car themed--delays) themed--problem nil themed--failure nil
                   themed--elsewhere (and (themed--elsewhere-p state) state))
             (unless themed--elsewhere
               (setq themed-state state)
               (with-demoted-errors "themed: %S" (themed--show)))))))

(defun themed--filter (process text)
  "Read TEXT, a part of the output of PROCESS, and use only the newest reply."
  (when (eq process themed--process)
    (let* ((parts (split-string text "\0"))
           (rest (process-get process 'rest))
           (length (+ (length text) (or (process-get process 'length) 0))))
      (if (cdr parts)
          (let ((last (car (last parts))) (newest (car (last parts 2))))
            (process-put process 'rest (list last))
            (process-put process 'length (length last))
            ;; The first reply began in an earlier part.
            (themed--read (if (cddr parts) newest (apply #'concat (reverse (cons newest rest))))))
        ;; The parts are joined once the reply is complete.
        (process-put process 'rest (cons text rest))
        (process-put process 'length length)
        (when (> length themed--longest-reply) (themed--try-later))))))

(defun themed--sentinel (process event)
  "Call themed once PROCESS is connected, or try again later, by EVENT."
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
  "Connect to themed."
  (setq themed--timer nil)
  (when-let ((path (themed--socket)))
    (setq themed--process
          (condition-case problem
              (make-network-process :name "themed" :family 'local :service path :nowait t :noquery t
                                    :coding 'utf-8-unix :filter #'themed--filter :sentinel #'themed--sentinel)
            (error (setq themed--failure (error-message-string problem)) nil)))
    ;; If a connection fails at once, Emacs does not call the sentinel.
    (unless (and themed--process (memq (process-status themed--process) '(connect open)))
      (let ((data (and themed--process (process-exit-status themed--process))))
        (when (stringp (car-safe (cdr-safe data))) (setq themed--failure (cadr data))))
      (themed--try-later))))

(defun themed--disconnect ()
  "Close the connection, and stop trying to connect."
  (when themed--timer (cancel-timer themed--timer))
  (let ((process themed--process))
    (setq themed--timer nil themed--process nil)
    (when process (delete-process process))))

(defun themed--try-later ()
  "Close the connection, and connect again later."
  (themed--disconnect)
  (setq themed--timer (run-at-time themed--delay nil #'themed--connect)
        themed--delay (min (* 2 themed--delay) (cdr themed--delays))))

;;;###autoload
(define-minor-mode themed-mode
    "Make Emacs light or dark as themed(1) says.
Turning the mode off enables your earlier themes again; if there were none,
what is shown stays."
  :global t
  (themed--disconnect)
  (setq themed-state nil themed--shown nil themed--problem nil themed--failure nil themed--elsewhere nil
        themed--delay (car themed--delays))
  (if (not themed-mode)
      (themed--put-back)
    (themed--connect)))

;;;###autoload
(defun themed-status ()
  "Show the state from themed, and the reason if Emacs does not show it."
  (interactive)
  (message "%s"
           (cond ((not themed-mode) "themed-mode is off")
                 (themed--problem (format "%s: %s" (themed--socket) themed--problem))
                 (themed--elsewhere
                  (format "%s says %s, which is not shown in an ssh session; see `themed-ssh'"
                          (themed--socket) (gethash "scheme" themed--elsewhere)))
                 ((and themed-state (not themed--failure))
                  (format "%s says %s" (themed--socket) (gethash "scheme" themed-state)))
                 (t (format "%s does not answer (%s); run \"themectl doctor\" to find out why"
                            (themed--socket) (or themed--failure "no reply yet"))))))

;;;###autoload
(when load-file-name
  (add-to-list 'custom-theme-load-path (file-name-directory load-file-name)))

(provide 'themed)
;;; themed.el ends here
