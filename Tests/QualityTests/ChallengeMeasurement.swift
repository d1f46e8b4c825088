import PropertyTesting
import ShrinkingChallenges

/// The result of shrinking one challenge from many failing cases.
struct ChallengeMeasurement {
  let answers: [String]
  let executions: Statistics
  let executionsToBest: Statistics
  /// The share of cases that ended with the simplest counterexample known.
  let best: Ratio
  /// A Boolean value that indicates whether no case spent its budget.
  let endedByItself: Bool

  var distinctCount: Int { Set(answers).count }

  init(
    _ challenge: ShrinkingChallenge, seeds: Int, passes: [ShrinkPass] = ShrinkPass.allCases
  ) {
    let results = (0..<seeds).compactMap { seed in
      Shrinker.shrink(
        challenge.failingRecording(UInt64(seed)), keeping: "counterexample", budget: 20_000,
        passes: passes, property: challenge.property)
    }
    precondition(results.count == seeds, "a failing case of \(challenge.name) passes")
    answers = results.map(\.failure.text)
    executions = Statistics(results.map(\.statistics.executions))
    executionsToBest = Statistics(results.map(\.statistics.executionsToBest))
    best = Ratio(answers.count { $0 == challenge.best }, of: seeds)
    endedByItself = results.allSatisfy { $0.statistics.stop == .normal }
  }

  static func page(seeds: Int) async throws -> String {
    let rows = try await ShrinkingChallenge.all.concurrently { challenge in
      let measured = ChallengeMeasurement(challenge, seeds: seeds)
      let executions = measured.executions
      let cells: [String] = [
        challenge.name, "\(measured.best.part)", "`\(challenge.best)`", "\(measured.distinctCount)",
        "\(Int(executions.mean)), \(Int(executions.median)), \(executions.maximum)",
        "\(Int(measured.executionsToBest.mean))",
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    return """
      Through `PropertyTesting` alone, which knows nothing but choices: \(seeds) failing cases each. *Best*: cases that end with the simplest
      counterexample known.

      | challenge | best | which is | answers | runs: mean, median, most | until found: mean |
      |---|---|---|---|---|---|
      \(rows.joined(separator: "\n"))
      """
  }

  /// Measures with every pass left out in turn.
  static func ablation(seeds: Int) async throws -> String {
    let left = [nil] + ShrinkPass.allCases.map(Optional.some)
    let rows = try await left.concurrently { pass in
      let passes = ShrinkPass.allCases.filter { $0 != pass }
      let measured = ShrinkingChallenge.all.map {
        ChallengeMeasurement($0, seeds: seeds, passes: passes)
      }
      let worse = zip(ShrinkingChallenge.all, measured).filter { $1.best.part < $1.best.whole }
      let cells: [String] = [
        pass.map { "\($0)" } ?? "nothing",
        "\(measured.reduce(0) { $0 + $1.best.part })",
        worse.isEmpty ? "–" : worse.map { $0.0.name }.joined(separator: ", "),
        "\(measured.reduce(0) { $0 + $1.distinctCount })",
        "\(Int(measured.reduce(0) { $0 + $1.executions.mean }) / measured.count)",
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    return """
      \(seeds) cases of each challenge, shrunk with one pass left out: how many of the \(seeds * ShrinkingChallenge.all.count) end with the simplest
      counterexample known, where some do not, and what it costs.

      | without | best | fewer in | answers | runs: mean |
      |---|---|---|---|---|
      \(rows.joined(separator: "\n"))
      """
  }
}
