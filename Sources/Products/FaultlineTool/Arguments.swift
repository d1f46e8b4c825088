import Prose
import Scenario

/// An error about bad arguments or bad input. The tool reports it in one line and ends with exit
/// code 2.
struct UsageError: Error {
  let message: String
}

/// The words of a command line, parsed into options and positional words. An unknown option is an
/// error.
struct Arguments {
  private var options: [(name: String, value: String?)] = []
  private(set) var positional: [String] = []

  /// Options that take no value.
  private static let flags: Set<String> = [
    "check", "editor", "explain", "help", "lanes", "list", "quiet", "read-only", "strict",
    "transcript", "verbose", "write",
  ]
  /// The maximum number of options that an error lists.
  private static let listedOptionLimit = 8
  /// The short forms of some options.
  private static let letters = ["-h": "help", "-q": "quiet", "-v": "verbose"]

  static func isFlag(_ option: String) -> Bool { flags.contains(option) }

  /// Options that can be given more than once. For other options, a repetition is an error.
  private static let repeatable: Set<String> = [
    "model", "promise", "with", "without", "plant", "workload", "only-steps", "without-steps",
    "with-steps",
    "known", "only", "allow",
  ]

  /// Descriptions of the values that options take.
  private static let values = [
    "allow": "a kind of violation or a group, such as framework",
    "background": "a number", "canary": "a planted bug", "contexts": "a number", "events": "a file",
    "failures": "a folder, or none",
    "format": "human, brief, json, junit, github or sarif", "guidance": "on or off",
    "html": "a file",
    "input_dir": "a folder", "jobs": "a number", "no_of_files": "a number",
    "output_dir": "a folder",
    "known": "a folder of scenarios, or none", "limit": "a number",
    "merge": "automatic, notification or none", "model": "the path of a model, or generated",
    "only": "a kind of violation or a group, such as design", "observed": "a report.json",
    "only-steps": "a kind of step",
    "outcome": "a number", "output": "a folder", "plant": "a planted bug",
    "policy": "a merge policy",
    "profile": "documented, legacy or current",
    "promise": "a promise, such as 'unique Record.remoteID'", "root": "the folder of a checkout",
    "roots": "a number", "runs": "a number", "seed": "a number such as 7 or 0x1f2e3d",
    "resume": "the folder of --output", "shard": "a part such as 1/3",
    "shows": "a kind of violation, such as 'lost update'",
    "stack": "the name or the file of a stack", "steps": "a number", "strategy": "a strategy",
    "svg": "a file", "trace": "a file",
    "time": "a time such as 30s, 5m or 1h", "to": "a file or folder", "with": "a quirk",
    "with-steps": "a kind of step", "without": "a quirk", "without-steps": "a kind of step",
    "workload": "a workload",
  ]

  /// Parses the words of a command.
  ///
  /// - Parameter repeatable: Options that this command, unlike others, accepts more than once.
  init(
    _ words: [String], known: [String], repeatable: Set<String> = []
  ) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if let name = Arguments.letters[word], name == "help" || known.contains(name) {
        options.append((name, nil))
        continue
      }
      guard word.hasPrefix("--") else {
        if word.hasPrefix("-"), let meant = nearestWord(to: String(word.dropFirst()), among: known)
        {
          throw UsageError(message: "unknown option '\(word)'; did you mean '--\(meant)'?")
        }
        positional.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
      let name = parts.first.map(String.init) ?? ""
      guard known.contains(name) || name == "help" else {
        let hint =
          nearestWord(to: name, among: known).map { "did you mean '--\($0)'?" }
          ?? (known.count > Arguments.listedOptionLimit
            ? "'--help' lists the options"
            : "the options are \(known.map { "--\($0)" }.joined(separator: " "))")
        throw UsageError(message: "unknown option '--\(name)'; \(hint)")
      }
      if Arguments.flags.contains(name) {
        if parts.count == 2 { throw UsageError(message: "'--\(name)' takes no value") }
        options.append((name, nil))
      } else if parts.count == 2 {
        options.append((name, String(parts[1])))
      } else if let value = rest.first, !value.hasPrefix("--"),
        Arguments.letters[value] == nil
      {
        rest.removeFirst()
        options.append((name, value))
      } else {
        throw UsageError(message: "'--\(name)' needs \(Arguments.values[name] ?? "a value")")
      }
    }
    try checkRepetitions(Arguments.repeatable.union(repeatable))
  }

  /// Returns the same command with an option replaced by other options, all of which must be valid.
  func replacing(_ name: String, by words: [String]) throws(UsageError) -> Arguments {
    var result = try Arguments(words, known: words.map(Arguments.name(of:)))
    result.options += options.filter { $0.name != name }
    result.positional = positional
    return result
  }

  /// Returns the name of an option, such as `runs` for `--runs=5`.
  private static func name(of word: String) -> String {
    String(word.drop { $0 == "-" }.prefix { $0 != "=" })
  }

  private func checkRepetitions(_ repeatable: Set<String>) throws(UsageError) {
    for (index, option) in options.enumerated() where !Arguments.flags.contains(option.name) {
      let earlier = options[..<index].filter { $0.name == option.name }
      if !repeatable.contains(option.name), !earlier.isEmpty {
        let hint =
          option.name == "stack"
          ? "a program runs on one stack; 'faultline stacks' compares several"
          : "give it once"
        throw UsageError(message: "'--\(option.name)' is given twice; \(hint)")
      }
      if let value = option.value, earlier.contains(where: { $0.value == value }) {
        throw UsageError(message: "'--\(option.name) \(value)' is given twice; once is enough")
      }
    }
  }

  func has(_ flag: String) -> Bool { options.contains { $0.name == flag } }

  func text(_ name: String) -> String? { options.last { $0.name == name }?.value }

  func texts(_ name: String) -> [String] {
    options.filter { $0.name == name }.compactMap(\.value)
  }

  /// Returns these options as they were given, each as one text, in the order of `names`.
  ///
  /// - Parameter text: Returns the text of an option and its value.
  func given(_ names: [String], as text: (_ option: String, _ value: String) -> String) -> [String]
  {
    names.flatMap { name in
      options.filter { $0.name == name }.map { option in
        option.value.map { text("--\(name)", $0) } ?? "--\(name)"
      }
    }
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        message: "'--\(name) \(text)': give a number from \(grouped(range.lowerBound)) to "
          + grouped(range.upperBound))
    }
    return number
  }

  func seed(_ name: String) throws(UsageError) -> UInt64? {
    guard let text = text(name) else { return nil }
    guard let seed = Arguments.seed(text) else {
      throw UsageError(
        message: "'--\(name) \(text)' is not a seed; give a number such as 7 or 0x1f2e3d")
    }
    return seed
  }

  /// Returns a seed from a decimal number, or from a hexadecimal number with the prefix `0x`.
  static func seed(_ text: String) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
  }

  /// Returns the value of an option that takes one of a closed set of words.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(UsageError) -> Choice? where Choice.RawValue == String {
    guard let text = text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw UsageError(
        message: "'--\(name) \(text)' is unknown; "
          + "choose one of \(Choice.allCases.map(\.rawValue).joined(separator: " "))")
    }
    return choice
  }

  /// Returns members of a closed set, one for each time that the option is given.
  func members<Member>(
    _ option: String, of all: [Member], called noun: String, name: (Member) -> String
  ) throws(UsageError) -> [Member] {
    var members: [Member] = []
    for text in texts(option) {
      guard let member = all.first(where: { name($0) == text }) else {
        let names = all.map(name)
        // After a typing mistake, a suggestion helps more than a long list.
        let hint = nearestWord(to: text, among: names).map { "did you mean '\($0)'?" }
        throw UsageError(
          message: "'--\(option) \(text)' is not a \(noun); "
            + (hint ?? "choose one of \(names.joined(separator: ", "))"))
      }
      members.append(member)
    }
    return members
  }
}
