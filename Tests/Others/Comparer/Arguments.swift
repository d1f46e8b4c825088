import Vocabulary

/// The options of the comparison program.
struct Arguments {
  var adapter = ""
  var models: [String] = []
  var scenarios: [String] = []
  var firstSeed: UInt64 = 1
  var seedCount = 300
  var stepLimit = 40
  /// The maximum number of contexts, if less than the adapter takes.
  var contextLimit: Int?
  /// Kinds of steps that are left out, so that differences behind a common one appear.
  var without: Set<Step.Kind> = []
  /// A file of known differences.
  var known: String?
  /// The folder to which the smallest programs are written as scenarios.
  var folder: String?

  static let help = """
    OtherImplementations --adapter PATH --model FILE… [options] [SCENARIO…]

      --seed N          the first seed (1)
      --seeds N         how many (300)
      --steps N         steps of a generated program (40)
      --contexts N      maximum number of contexts
      --without KIND    leaves a kind of step out; may be repeated
      --known FILE      differences that are known: the comparison goes on behind them
      --to FOLDER       writes the smallest program of each kind of difference as a scenario
    """

  init(_ words: [String]) throws(ComparisonError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        scenarios.append(word)
        continue
      }
      guard let value = rest.popFirst() else { throw ComparisonError("\(word) needs a value") }
      switch word {
      case "--adapter": adapter = value
      case "--model": models.append(value)
      case "--seed": firstSeed = try Arguments.number(word, value)
      case "--seeds": seedCount = Int(try Arguments.number(word, value))
      case "--steps": stepLimit = Int(try Arguments.number(word, value))
      case "--contexts": contextLimit = Int(try Arguments.number(word, value))
      case "--without":
        guard let kind = Step.Kind(word: value) else {
          throw ComparisonError("no kind of step is called '\(value)'")
        }
        without.insert(kind)
      case "--known": known = value
      case "--to": folder = value
      default: throw ComparisonError("no option is called '\(word)'")
      }
    }
    if adapter.isEmpty { throw ComparisonError("--adapter is missing\n\(Arguments.help)") }
  }

  private static func number(_ option: String, _ value: String) throws(ComparisonError) -> UInt64 {
    guard let number = UInt64(value) else { throw ComparisonError("\(option) \(value): no number") }
    return number
  }
}
