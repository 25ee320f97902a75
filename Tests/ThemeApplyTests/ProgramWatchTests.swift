import Glibc
import Testing
import ThemedSystem
import ThemedTestSupport

@testable import ThemeApply

/// When programs start.
@Suite struct ProgramWatchTests {
  @Test func `a program is heard when it starts, when its file is replaced, and when the new one starts`() throws {
    let scratch = try ScratchDirectory()
    let watch = try ProgramWatch()
    let program = try scratch.write("old", to: "program")
    let running = unsafe open(program, O_RDONLY)
    defer { close(running) }
    watch.follow([Text(program)])
    #expect(!watch.haveStarted())
    close(unsafe open(program, O_RDONLY))
    #expect(watch.haveStarted())
    // The old file is kept by the process that runs.
    let new = try scratch.write("new", to: "new")
    unsafe rename(new, program)
    #expect(watch.haveStarted())
    watch.follow([Text(program)])
    #expect(!watch.haveStarted())
    close(unsafe open(program, O_RDONLY))
    #expect(watch.haveStarted())
  }
}
