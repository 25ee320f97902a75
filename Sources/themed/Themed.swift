internal import Glibc
internal import ThemeDaemon
internal import ThemeInterface

@main
enum Themed {
  static func main() {
    // A reader that is gone is an error of that write, never the end of the daemon.
    signal(SIGPIPE, SIG_IGN)
    let log = Log()
    switch CommandLineOptions.parse(log) {
    case .serve(let options): serve(options, log)
    case .check(let asJSON): check(asJSON)
    }
  }

  private static func serve(_ options: DaemonProcess.Options, _ log: Log) {
    do throws(StartFailure) {
      try DaemonProcess(options, log: log).run()
    } catch {
      log.error("\(error)")
      exit(1)
    }
  }

  private static func check(_ asJSON: Bool) {
    let findings = SetupCheck().run()
    for finding in findings where asJSON || finding.name != Finding.portalValue {
      print(asJSON ? finding.json : finding.text)
    }
    if findings.contains(where: \.isProblem) { exit(1) }
  }
}
