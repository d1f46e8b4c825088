import InputFiles
import Preparing

/// The command `faultline prepare`.
enum PrepareCommand {
  static let options = ["to"]

  private static let help = """
    faultline prepare PATH… --to DIR   makes sources that are written for Apple's Core Data compile with
                                       product CoreData: copies of the Swift sources at the paths, on
                                       the same lines, classes for the entities of the models there,
                                       and the types that take the place of Dispatch's and Foundation's

    A path is a Swift source, an .xcdatamodeld, or a folder of both. The sources stay as they are. The
    build plugin FaultlinePrepare does the same whenever a package is built; use this to see what the
    compiler gets, or with another build system.

      --to DIR   the folder to write to, which is made if there is none

      faultline prepare Sources/MyApp --to .build/prepared
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard !arguments.positional.isEmpty else {
      throw UsageError(message: "prepare takes the paths of sources, models or folders")
    }
    guard let directory = arguments.text("to") else {
      throw UsageError(message: "prepare needs a folder to write to: '--to DIR'")
    }
    let preparation = try Preparation(paths: arguments.positional)
    let outputs = try preparation.outputs()
    try preparation.write(to: directory)
    for output in outputs { print("\(directory)/\(output.name)") }
    return 0
  }
}
