import Foundation
import Testing
import ThemedTestSupport

/// A real Emacs, which follows by its plugin.
@Suite(.ownThreads, .enabled(if: triesPrograms, "make test-programs tries it")) struct EmacsStories {
  @Test func `Emacs is set to what is shown now and after each change, once, and outlives the daemon`() throws {
    try EditorTrials.outlivesTheDaemon(.emacs)
  }

  @Test func `Emacs calls itself by its name, and is overridden alone`() throws {
    try EditorTrials.hasAName(.emacs)
  }

  @Test func `Emacs finds themed where a session of ssh does not say`() throws {
    try EditorTrials.findsTheUsualPlace(.emacs)
  }

  @Test func `Emacs stays as it is while themed knows nothing`() throws {
    try EditorTrials.leavesAGuess(.emacs)
  }

  @Test func `in an ssh session Emacs leaves its terminal alone, unless the other machine feeds this one`() throws {
    try EditorTrials.leavesAnotherTerminal(.emacs)
  }

  @Test func `Emacs says what went wrong with its connection`() throws {
    try EditorTrials.saysWhatIsWrong(.emacs)
  }

  @Test func `a theme that a package has declared alone is loaded, and looks as when it is loaded by hand`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "dark")
      session.environment["TERM"] = "xterm-256color"
      let file = session.directory.path("tmp/shown")
      let tell = """
        (defun tell ()
          (write-region (format "%s %s %s" custom-enabled-themes (face-background 'default nil t)
                                (face-foreground 'font-lock-keyword-face nil t)) nil "\(file)" nil 'quiet)
          (kill-emacs))

        """
      func shown(_ script: String) throws -> String {
        let path = try session.directory.write(tell + script, to: "tmp/init.el")
        try session.check("script", ["--quiet", "--command", "emacs -nw -Q -l '\(path)'", "/dev/null"])
        return try String(contentsOfFile: file, encoding: .utf8)
      }
      let right = try shown("(load-theme 'modus-vivendi t) (add-hook 'emacs-startup-hook #'tell)")
      #expect(right.hasPrefix("(modus-vivendi) #"))
      // As modus-themes 5 does.
      let declared = """
        (dolist (theme '(modus-operandi modus-vivendi))
          (custom-declare-theme theme (custom-make-theme-feature theme)))
        (load "\(Products.package)/share/emacs/themed" nil t)
        (add-hook 'themed-change-hook #'tell)
        (add-hook 'emacs-startup-hook #'themed-mode)
        """
      #expect(try shown(declared) == right)
    }
  }

  @Test func `no other theme shows through ours, and the user's own are back where ours are not`() throws {
    try withSession { session in
      let script = """
        (setq themed-palette t themed-light-theme nil)
        (load "\(Products.package)/share/emacs/themed" nil t)
        (deftheme below) (custom-theme-set-faces 'below '(italic ((t (:foreground "#123456")))))
        (deftheme above) (custom-theme-set-faces 'above '(bold ((t (:foreground "#654321")))))
        (deftheme settings) (custom-theme-set-variables 'settings '(fill-column 33))
        (mapc #'enable-theme '(below above settings))
        (defun show (scheme &rest palette)
          (themed--read (json-encode `((parameters (state (scheme . ,scheme) (palette . ,palette)))))))
        (defun tell () (princ (list custom-enabled-themes (face-attribute 'italic :foreground)
                                    (face-attribute 'bold :foreground))))
        (setq themed-mode t)
        (show "dark" '(background . "#010101"))
        (tell)
        (themed--read (json-encode '((parameters (state (scheme . "light"))))))
        (tell)
        (show "dark" '(background . "#010101"))
        (load-theme 'tango t)
        (show "dark" '(background . "#020202"))
        (tell)
        (themed-mode -1)
        (tell)
        """
      let path = try session.directory.write(script, to: "tmp/below.el")
      let done = try session.run("emacs", ["--batch", "-Q", "-l", path])
      let ours = "((themed settings) unspecified unspecified)"
      #expect(
        done.output == ours + "((above below settings) #123456 #654321)" + ours
          + "((tango above below settings) #123456 #654321)", "\(done.output) \(done.errors)")
    }
  }

  @Test func `Emacs draws with the colors of the theme, and as before once there is none`() throws {
    try EditorTrials.draws(.emacs, without: "modus-operandi")
  }

  @Test(arguments: EditorTrials.nonsense.keys.sorted())
  func `what is no state changes nothing in Emacs, and is complained of by an end`(reply: String) throws {
    try EditorTrials.isUnmoved(.emacs, by: reply)
  }

  @Test func `Emacs takes a reply in pieces as one, of many the newest, and gives up one without an end`() throws {
    try EditorTrials.readsPieces(.emacs)
  }

  @Test func `the line for a plugin that was removed says nothing and fails nothing`() throws {
    try PluginLine.isSilentWhereGone(
      in: "emacs", ["--batch", "-Q", "--load"], stub: "(defun themed-mode () (princ \"read\"))\n", suffix: ".el")
  }

  @Test func `a color that is none is no color to Emacs`() throws {
    try EditorTrials.drawsColorsOnly(.emacs)
  }

  @Test func `what Emacs colors anew is what it would be if its theme were enabled anew`() throws {
    try withSession { session in
      // The user's own attributes stay above it, and it takes the place of another theme again.
      let script = """
        (setq themed-palette t)
        (load "\(Products.package)/share/emacs/themed" nil t)
        (custom-set-faces '(link ((t (:foreground "#111111")))))
        (defun show (scheme &rest palette)
          (themed--read (json-encode `((parameters (state (scheme . ,scheme) (palette . ,palette)))))))
        (defun faces ()
          (mapcar (lambda (face) (cons face (copy-tree (face-all-attributes face (selected-frame))))) (face-list)))
        (defun anew () (let ((shown (faces))) (load-theme 'themed t) (equal shown (faces))))
        (defun tell () (princ (list (anew) (face-attribute 'default :background)
                                    (plist-get (face-attribute 'mode-line :box) :color)
                                    (face-attribute 'link :foreground))))
        (dotimes (_ 2)
          (show "light" '(background . "#fefefe") '(text . "#101010") '(separator . "#aaaaaa") '(link . "#0000aa"))
          (show "dark" '(background . "#010101") '(text . "#e0e0e0") '(separator . "#333333") '(link . "#aaaaff"))
          (tell)
          (show "dark" '(background . "#010101") '(text . "#e0e0e0") '(separator . "#444444") '(link . "#aaaaff"))
          (tell)
          (show "dark" '(background . "#020202"))
          (tell)
          (load-theme 'tango t)
          (show "dark" '(background . "#030303"))
          (princ (list custom-enabled-themes (face-attribute 'default :background))))
        (disable-theme 'themed)
        (princ (member (face-attribute 'default :background) '("#030303" "#020202" "#010101")))
        """
      let path = try session.directory.write(script, to: "tmp/recolor.el")
      let done = try session.run("emacs", ["--batch", "-Q", "-l", path])
      let once =
        "(t #010101 #333333 #111111)(t #010101 #444444 #111111)(t #020202 nil #111111)((themed) #030303)"
      #expect(done.output == once + once + "nil", "\(done.output) \(done.errors)")
    }
  }

  @Test func `a face of no theme follows the background as in Emacs itself, and one changed by hand stays`() throws {
    try withSession { session in
      let script = """
        (setq themed-palette t)
        (load "\(Products.package)/share/emacs/themed" nil t)
        (dolist (face '(follows stays above))
          (custom-declare-face face '((((background dark)) :foreground "#dddddd") (t :foreground "#111111")) ""))
        (set-face-attribute 'stays (selected-frame) :foreground "#123456")
        (push '(above :foreground text) themed--faces)
        (defun show (scheme text)
          (themed--read (json-encode `((parameters (state (scheme . ,scheme) (palette (text . ,text))))))))
        (defun faces ()
          (mapcar (lambda (face) (cons face (copy-tree (face-all-attributes face (selected-frame))))) (face-list)))
        (defun standard ()
          (let ((shown (faces)) (mode frame-background-mode))
            (dolist (frame-background-mode (list (if (eq mode 'dark) 'light 'dark) mode))
              (frame-set-background-mode (selected-frame)))
            (equal shown (faces))))
        (dolist (scheme '("dark" "light" "dark"))
          (show scheme "#0000ff")
          (princ (list (standard) (mapcar (lambda (face) (face-attribute face :foreground)) '(follows stays above)))))
        """
      let path = try session.directory.write(script, to: "tmp/background.el")
      let done = try session.run("emacs", ["--batch", "-Q", "-l", path])
      let dark = "(t (#dddddd #123456 #0000ff))"
      #expect(done.output == dark + "(t (#111111 #123456 #0000ff))" + dark, "\(done.output) \(done.errors)")
    }
  }

  @Test func `a theme that Emacs cannot load leaves the one that is shown, and the hook is run`() throws {
    try withSession { session in
      let script = """
        (load "\(Products.package)/share/emacs/themed" nil t)
        (setq themed-light-theme 'tango themed-dark-theme 'nowhere)
        (add-hook 'themed-change-hook
                  (lambda () (princ (cons (gethash "scheme" themed-state) custom-enabled-themes))))
        (dolist (scheme '("light" "dark" "light"))
          (themed--read (json-encode `((parameters (state (scheme . ,scheme)))))))
        """
      let path = try session.directory.write(script, to: "tmp/nowhere.el")
      let done = try session.run("emacs", ["--batch", "-Q", "-l", path])
      #expect(done.output == "(light tango)(dark tango)(light tango)", "\(done.output) \(done.errors)")
      #expect(done.errors.contains("nowhere"))
    }
  }

  @Test func `Emacs reads the other side's theme while it rests, shows nothing, and compiles nothing`() throws {
    try withSession { session in
      _ = try session.startThemed()
      _ = try session.themectl("set", "light")
      let log = session.directory.path("tmp/log")
      let script = """
        (load "\(Products.package)/share/emacs/themed")
        (setq themed-light-theme 'tango themed-dark-theme 'tango-dark)
        (run-at-time 0 0.1 (lambda () (when (custom-theme-p 'tango-dark)
                                        (write-region (format "%s %s" custom-enabled-themes
                                                              (byte-code-function-p (symbol-function 'themed--show)))
                                                      nil "\(log)"))))
        (themed-mode)
        """
      let path = try session.directory.write(script, to: "tmp/init.el")
      _ = try session.spawn("emacs", ["-Q", "--fg-daemon=test", "-l", path])
      try eventually("both themes are known, and one is shown") {
        (try? String(contentsOfFile: log, encoding: .utf8)) == "(tango) nil"
      }
    }
  }

  /// The directory of package-lint; nil if it is neither installed nor unpacked.
  private static let packageLint: String? = {
    let places = [Products.apps, ""].compactMap(\.self).map { $0 + "/usr/share/emacs/site-lisp/elpa-src" }
    return places.lazy.compactMap { place in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      return names.first { $0.hasPrefix("package-lint-") }.map { "\(place)/\($0)" }
    }.first
  }()

  @Test func `its package is compiled and installed without a word of warning`() throws {
    try withSession { session in
      let plugin = Products.package + "/share/emacs"
      for file in ["themed.el", "themed-theme.el"] {
        try session.directory.write(
          String(contentsOfFile: plugin + "/" + file, encoding: .utf8), to: "tmp/lisp/\(file)")
      }
      let lisp = session.directory.path("tmp/lisp")
      let compiled = try session.run(
        "emacs",
        [
          "--batch", "-Q", "-L", lisp, "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile",
          lisp + "/themed.el", lisp + "/themed-theme.el",
        ])
      #expect(compiled.status == .exited(0) && compiled.errors == "", "\(compiled.errors)")
      for file in ["themed.el", "themed-theme.el"] {
        let style = try session.run(
          "emacs", ["--batch", "-Q", "--eval", "(progn (require 'checkdoc) (checkdoc-file \"\(plugin)/\(file)\"))"])
        #expect(style.errors == "")
      }
      if let checker = Self.packageLint {
        let checked = try session.run(
          "emacs",
          [
            "--batch", "-Q", "-L", checker, "--eval",
            "(progn (require 'package-lint) (setq package-lint-main-file \"\(lisp)/themed.el\"))",
            "-f", "package-lint-batch-and-exit", lisp + "/themed.el", lisp + "/themed-theme.el",
          ])
        #expect(checked.status == .exited(0), "\(checked.output)\(checked.errors)")
        #expect(!(checked.output + checked.errors).contains("warning"), "\(checked.output)\(checked.errors)")
      }
      // As a package, from where it is installed.
      let installed = try session.run(
        "emacs",
        [
          "--batch", "-Q", "--eval",
          """
          (progn (require 'package) (package-initialize) (package-install-file "\(plugin)")
                 (princ (list (package-installed-p 'themed) (commandp 'themed-mode))))
          """,
        ])
      #expect(installed.output == "(t t)", "\(installed.errors)")
    }
  }
}
