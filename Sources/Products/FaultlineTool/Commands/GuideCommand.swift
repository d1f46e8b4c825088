/// The command `faultline guide`.
enum GuideCommand {
  private static let help = """
    faultline guide: prints a page for people and coding agents to read before the first campaign. It
    describes the language of stacks and models, the commands in order, fixes for frequent failures, and
    exit codes.
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: [])
    if arguments.has("help") {
      print(help)
      return 0
    }
    if let extra = arguments.positional.first {
      throw UsageError(message: "guide takes no argument such as '\(extra)'")
    }
    print(Guide.text)
    return 0
  }
}
