import InputFiles
import Preparing

/// The command `faultline prepare`.
enum PrepareCommand {
  static let options = ["to"]

  private static let help = """
    faultline prepare PATH… --to DIR: makes sources that were written for Apple's Core Data compile with
    the product CoreData. It writes adapted copies of the Swift sources with the same line numbers,
    classes for the entities of the models, and types that replace those of Dispatch and Foundation.

    A path is a Swift source, an .xcdatamodeld, or a folder of both. The original files do not change. The
    build plugin FaultlinePrepare does the same whenever a package is built. Use this command to inspect
    the sources that the compiler gets, or with another build system.

      --to DIR   the folder to write to, which is created if necessary

      faultline prepare Sources/MyApp --to .build/prepared
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard !arguments.positional.isEmpty else {
      throw UsageError(message: "prepare takes the paths of Swift sources, models or folders")
    }
    guard let directory = arguments.text("to") else {
      throw UsageError(message: "prepare needs a folder to write to; add '--to DIR'")
    }
    let preparation = try Preparation(paths: arguments.positional)
    let outputs = try preparation.outputs()
    try preparation.write(to: directory)
    for output in outputs { print("\(directory)/\(output.name)") }
    return 0
  }
}
