import Execution

/// Gives a program to an adapter, and finds the answers that differ from Faultline's.
struct Comparison {
  let adapter: AdapterProcess
  let capabilities: Capabilities
  let known: KnownDifferences

  /// Returns the differences up to the first one that makes the rest of the program meaningless.
  /// That is a difference that is not known, or is known to end the comparison.
  func differences(in program: ComparableProgram) throws -> [Difference] {
    let expected = ExpectedRun(program, readsRows: capabilities.readsRows).observations
    let text = ProtocolText(program.program)
    var request = text.declarations
    for observation in expected {
      request += [observation.request, "flags"]
      if observation.rows != nil { request.append("rows") }
    }
    let (lines, ending) = try adapter.answers(to: request)
    var reading = AnswerReading(lines: lines[...], ending: ending)
    var found: [Difference] = []
    for (index, observation) in expected.enumerated() {
      let isOver = reading.compare(observation, step: index) { difference in
        found.append(difference)
        return known[difference.kind]?.goesOn == true
      }
      if isOver { break }
    }
    return found
  }

  /// Returns a program with the same kind of difference, from which no step can be left out.
  func reduced(
    _ program: ComparableProgram, _ difference: Difference
  ) throws -> (ComparableProgram, Difference) {
    var program = program
    var found = difference
    while program.program.steps.count > found.step + 1 {
      program = program.removing(program.program.steps.count - 1)
    }
    var index = program.program.steps.count - 1
    while index >= 0 {
      let smaller = program.removing(index)
      if let other = try differences(in: smaller).first(where: { $0.kind == found.kind }) {
        program = smaller
        found = other
        index = min(index, program.program.steps.count)
      }
      index -= 1
    }
    return (program, found)
  }
}

/// The answers of an adapter, read beside the expected ones.
private struct AnswerReading {
  var lines: ArraySlice<String>
  let ending: String?
  /// The pending changes that differed before. They continue to differ, which is not another
  /// difference.
  private var differing: Set<String> = []

  init(lines: ArraySlice<String>, ending: String?) {
    self.lines = lines
    self.ending = ending
  }

  /// Compares a step. `goesOn` is called with each difference, and returns whether to continue.
  /// Returns true if the comparison is over.
  mutating func compare(
    _ observation: ExpectedRun.Observation, step: Int, _ goesOn: (Difference) -> Bool
  ) -> Bool {
    func difference(_ aspect: Difference.Aspect, _ ours: String, _ theirs: String) -> Difference {
      Difference(
        step: step, aspect: aspect, verb: observation.verb, expected: ours, actual: theirs)
    }
    let answer = lines.popFirst() ?? ending ?? "said nothing"
    if answer == ending || answer.hasPrefix("raised") || answer == "said nothing" {
      // An exception and a trap count as the same answer.
      if observation.answer != "raised" {
        _ = goesOn(difference(.ending, observation.answer, answer))
      }
      return true
    }
    if answer != observation.answer, !goesOn(difference(.answer, observation.answer, answer)) {
      return true
    }
    guard let flags = lines.popFirst(), flags.hasPrefix("flags") else {
      _ = goesOn(difference(.ending, "flags", "ended when asked for flags"))
      return true
    }
    if !compareFlags(observation, flags, { goesOn(difference(.changes, $0, $1)) }) { return true }
    guard let rows = observation.rows else { return false }
    guard let found = lines.popFirst(), found.hasPrefix("rows") else {
      _ = goesOn(difference(.ending, "rows", "ended when asked for rows"))
      return true
    }
    let store = String(found.dropFirst(5))
    let joined = rows.joined(separator: "|")
    return store != joined && !goesOn(difference(.rows, joined, store))
  }

  /// Compares the flags of the instances that Faultline's contexts still have.
  private mutating func compareFlags(
    _ observation: ExpectedRun.Observation, _ answer: String, _ goesOn: (String, String) -> Bool
  ) -> Bool {
    let theirs = answer.split(separator: " ").dropFirst().map(String.init).filter { entry in
      !entry.contains(".")
        || observation.registered.contains(String(entry.prefix { $0 != ":" }))
    }
    let all = Set(theirs).symmetricDifference(observation.flags)
    let new = all.subtracting(differing)
    differing = all
    if new.isEmpty { return true }
    return goesOn(
      observation.flags.filter(new.contains).joined(separator: " "),
      theirs.filter(new.contains).joined(separator: " "))
  }
}
