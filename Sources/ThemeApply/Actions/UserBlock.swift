internal import Glibc
internal import ThemeApps
internal import ThemedSystem

/// The managed block in a file of the user's that themed-apply fills, for a program that has no other file.
///
/// `themectl app enable` makes the block. Nothing else in the file is changed, and a block that the user has changed stays
/// as it is.
struct UserBlock {
  private let setup: App.Setup
  private let app: Text
  private let places: [Text]

  init(_ setup: App.Setup, of app: Text, in places: Places) {
    (self.setup, self.app) = (setup, app)
    self.places = setup.places(in: places.directories)
  }

  /// Puts these lines into the block; returns the file, and whether it differed.
  func fill(with content: [UInt8]) throws(Fault) -> (path: Text, differed: Bool) {
    for place in places {
      let path = place.string
      guard let file = try read(path) else { continue }
      let block = SetupBlock(app: app, setup.adapted(to: place, isNew: false))
      guard block.isMarked(in: file) else { continue }
      let shown = place.shown(atMost: 300)
      guard let new = block.filled(file, with: content) else {
        throw Fault(
          "\(shown) stays as it is: the lines of \(app.shown()) there were changed since themed wrote them",
          "see 'themectl app disable \(app.shown())', and then enable it again")
      }
      guard new != file else { return (place, false) }
      do throws(SystemError) {
        let staged = try StagedFile(try destination(of: path), expecting: file, writing: new)
        try staged.put()
        staged.settle()
      } catch { throw fault(error, path) }
      return (place, true)
    }
    let shown = (places.first ?? "").shown(atMost: 300)
    throw Fault(
      "\(shown) does not have the lines of \(app.shown())", "run 'themectl app enable \(app.shown())'")
  }

  private func read(_ path: String) throws(Fault) -> [UInt8]? {
    do throws(SystemError) { return try readFile(path, maximum: Limits.target) } catch {
      if error.code == ENOENT || error.code == ENOTDIR { return nil }
      throw fault(error, path)
    }
  }

  private func fault(_ error: SystemError, _ path: String) -> Fault {
    let shown = Text(path).shown(atMost: 300)
    // Somebody has just saved it.
    if error.code == StagedFile.changedMeanwhile {
      return Fault("\(shown) was changed at the same moment", "save it again", mendsItself: true)
    }
    return Target.fault(error, path)
  }
}
