import Prose
import Vocabulary

/// The lines between a scenario's prose and its model.
struct ScenarioHeader {
  private enum Key: String, CaseIterable {
    case scenario, evidence, contradicts, quirk, profile, watch, interleave
  }

  /// The name of the scenario, or `nil` if its line has an error.
  private(set) var name: String? = nil
  private(set) var evidence: Scenario.Evidence? = nil
  private var source: String? = nil
  private var contradicts: String? = nil
  private var quirks: [Quirk] = []
  private var profile: Profile? = nil
  private var watch: [WatchedEvent] = []
  private var interleave = Scenario.Interleave.inOrder

  init(_ lines: ArraySlice<Line>, endingAt end: Int, _ errors: inout TextErrors) {
    var seen: [Key] = []
    for line in lines {
      do throws(TextError) {
        try read(line, &seen, &errors)
      } catch {
        errors.add(error)
      }
    }
    if !seen.contains(.scenario) {
      errors.add(
        TextError(line: end, message: "scenario has no name; write 'scenario  NAME' first"))
    }
    if !seen.contains(.evidence) {
      errors.add(
        TextError(
          line: end,
          message: "scenario has no evidence; write 'evidence  documented', 'observed', "
            + "'reported' or 'inferred'"))
    }
  }

  private mutating func read(
    _ line: Line, _ seen: inout [Key], _ errors: inout TextErrors
  ) throws(TextError) {
    var reader = LineReader(line)
    let word = reader.word()
    guard let key = Key(rawValue: word) else {
      let known = Key.allCases.map(\.rawValue) + ScenarioLayout.Section.allCases.map(\.rawValue)
      throw reader.error(unknown("no key", word, "a scenario can have", known))
    }
    let isSecond = seen.contains(key)
    seen.append(key)
    if line.indentation != 0 {
      errors.add(line.misplaced("'\(word)' is indented; do not indent the header"))
    }
    if isSecond { throw line.error("'\(word)' is given twice; once is enough") }
    switch key {
    case .scenario: name = try reader.nameOfFile("scenario")
    case .evidence:
      evidence = try reader.evidence()
      if !reader.isAtEnd { source = reader.rest() }
    case .contradicts:
      if reader.isAtEnd { throw reader.missing("the sentence that does not hold") }
      contradicts = reader.rest()
    case .quirk: quirks = try reader.quirks()
    case .profile: profile = try reader.profile()
    case .watch: watch = try reader.watchedEvents()
    case .interleave: interleave = try reader.interleave()
    }
    try reader.expectEnd()
  }

  func describe(_ scenario: inout Scenario) {
    scenario.source = source
    scenario.contradicts = contradicts
    scenario.quirks = quirks
    scenario.profile = profile
    scenario.watch = watch
    scenario.interleave = interleave
  }

  static func lines(_ scenario: Scenario) -> [String] {
    func line(_ key: Key, _ rest: String) -> String { "\(key.rawValue)  \(rest)" }
    let evidence = scenario.evidence.rawValue + (scenario.source.map { "  " + $0 } ?? "")
    var lines = [line(.scenario, scenario.name), line(.evidence, evidence)]
    if let contradicts = scenario.contradicts { lines.append(line(.contradicts, contradicts)) }
    if !scenario.quirks.isEmpty {
      lines.append(line(.quirk, scenario.quirks.map(\.name).joined(separator: " ")))
    }
    if let profile = scenario.profile { lines.append(line(.profile, profile.rawValue)) }
    if !scenario.watch.isEmpty {
      lines.append(line(.watch, scenario.watch.map(\.rawValue).joined(separator: " ")))
    }
    switch scenario.interleave {
    case .inOrder: break
    case .choices(let choices):
      let words = ["choices"] + choices.map { "\($0)" }
      lines.append(line(.interleave, words.joined(separator: " ")))
    case .every: lines.append(line(.interleave, "every"))
    }
    return lines
  }
}

extension LineReader {
  /// Reads a name that is also used for a file.
  mutating func nameOfFile(_ kind: String) throws(TextError) -> String {
    if isAtEnd { throw missing("the \(kind)'s name") }
    let name = word()
    // A double hyphen separates parts that consist of several words.
    let parts = name.replacing("--", with: "-").split(
      separator: "-", omittingEmptySubsequences: false)
    if parts.allSatisfy(isNamePart) { return name }
    throw error(
      "'\(shortened(name))' is not a valid name for a \(kind); use only letters, digits, _ and -")
  }

  private func isNamePart(_ part: Substring) -> Bool { isIdentifier("_" + part) && !part.isEmpty }

  mutating func evidence() throws(TextError) -> Scenario.Evidence {
    let word = try word("the kind of evidence")
    if let evidence = Scenario.Evidence(rawValue: word) { return evidence }
    throw error(
      unknown("no evidence", word, "it is one of", Scenario.Evidence.allCases.map(\.rawValue)))
  }

  fileprivate mutating func quirks() throws(TextError) -> [Quirk] {
    var quirks: [Quirk] = []
    repeat {
      let word = try word("a quirk")
      guard let quirk = Quirk.allCases.first(where: { $0.name == word }) else {
        throw error(unknown("no quirk", word, "the quirks are", Quirk.allCases.map(\.name)))
      }
      if quirks.contains(quirk) { throw error("'\(word)' is given twice; once is enough") }
      quirks.append(quirk)
    } while !isAtEnd
    return quirks
  }

  fileprivate mutating func profile() throws(TextError) -> Profile {
    let word = try word("a profile")
    if let profile = Profile(rawValue: word) { return profile }
    throw error(unknown("no profile", word, "there are", Profile.allCases.map(\.rawValue)))
  }

  fileprivate mutating func watchedEvents() throws(TextError) -> [WatchedEvent] {
    var events: [WatchedEvent] = []
    repeat {
      let event = try watchedEvent()
      if events.contains(event) {
        throw error("'\(event.rawValue)' is given twice; once is enough")
      }
      events.append(event)
    } while !isAtEnd
    return events
  }

  fileprivate mutating func interleave() throws(TextError) -> Scenario.Interleave {
    switch try word("'every' or 'choices'") {
    case "every": return .every
    case "choices":
      var choices: [Int] = []
      while !isAtEnd { choices.append(try count("a choice")) }
      return .choices(choices)
    case let word: throw error(unknown("no interleaving", word, "there are", ["every", "choices"]))
    }
  }
}
