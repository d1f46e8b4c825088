import Campaigns
import Foundation
import InputFiles
import Prose
import ScenarioChecking
import SimulatedDispatch
import Vocabulary

/// The measurement of each part. Every figure is printed as soon as it is known.
extension Results {
  mutating func measure(_ part: Bench.Part, _ sampling: Sampling, isQuick: Bool) throws {
    switch part {
    case .verdict: try measureVerdicts(sampling, isQuick: isQuick)
    case .steps: try measureSteps(sampling)
    case .kinds: try measureKinds(sampling, isQuick: isQuick)
    case .small: measureSmallStateMachine(sampling)
    case .schedules: measureSchedules(sampling)
    case .shrinking: try measureShrinking(sampling, isQuick: isQuick)
    case .start: try measureStart(sampling)
    case .jobs: try measureThreads(sampling, isQuick: isQuick)
    case .code: measureCode(sampling)
    case .growth: measureGrowth(sampling, isQuick: isQuick)
    }
  }

  /// Measures each campaign once for a sample, and the share of each stage in the time of all
  /// campaigns.
  private mutating func measureVerdicts(_ sampling: Sampling, isQuick: Bool) throws {
    let verdicts = try Verdicts(programs: isQuick ? 20 : 1_000)
    var times: [[Verdicts.Time]] = []
    for stack in Verdicts.stacks {
      times.append(try (0..<sampling.count).map { _ in try verdicts.time(on: stack) })
      note(Verdicts.figure(stack, times[times.count - 1]))
    }
    times.append((0..<sampling.count).map { _ in verdicts.timeOnGeneratedStacks() })
    note(Verdicts.figure("generated stacks, five times as many programs", times[times.count - 1]))
    for figure in Verdicts.shares(of: times) { note(figure) }
    #if os(Linux)
      for figure in CodeRuns.verdict(runs: isQuick ? 40 : 500, samples: sampling.count) {
        note(figure)
      }
    #endif
  }

  private mutating func measureSteps(_ sampling: Sampling) throws {
    let steps = CoreDataSteps(models: try Results.models())
    let stepsOfAProgram = Double(steps.run(.current, programs: 400)) / 400
    for profile in Profile.allCases {
      note(
        sampling.rate("profile \(profile.rawValue)", "steps/s") {
          steps.run(profile, programs: $0)
        })
      if profile == .current, let rate = figures.last?.median {
        programsPerSecond = rate / stepsOfAProgram
      }
    }
  }

  private mutating func measureKinds(_ sampling: Sampling, isQuick: Bool) throws {
    let steps = CoreDataSteps(models: try Results.models())
    let times = steps.timeByKind(programs: isQuick ? 60 : 3_000, samples: sampling.count)
    for figure in times.figures { note(figure) }
    rareKinds = times.rare
    if !rareKinds.isEmpty {
      print("  too rare to be measured: \(rareKinds.joined(separator: ", "))")
    }
  }

  private mutating func measureSmallStateMachine(_ sampling: Sampling) {
    note(
      sampling.rate("16 keys, two levels, made of arrays", "steps/s") {
        WorkloadS.run(ArrayOverlay(), cases: $0)
      })
    note(
      sampling.rate("16 keys, two levels, made of dictionaries", "steps/s") {
        WorkloadS.run(DictionaryOverlay(), cases: $0)
      })
  }

  private mutating func measureSchedules(_ sampling: Sampling) {
    for policy in [SchedulingPolicy.random, .pct] {
      note(
        sampling.rate("4 lanes of 25 turns, \(policy.rawValue)", "schedules/s") {
          Schedules.run(policy, count: $0)
        })
    }
  }

  private mutating func measureShrinking(_ sampling: Sampling, isQuick: Bool) throws {
    let shrinking = try Shrinking(programs: isQuick ? 40 : 400)
    let whole = sampling.milliseconds("") { _ = shrinking.run() }
    note(
      Figure(
        name: "a failure, mean of \(shrinking.count) kinds", unit: "ms",
        samples: whole.samples.map { $0 / Double(shrinking.count) }))
    let times = (0..<sampling.count).map { _ in
      Figure(name: "", unit: "ms", samples: shrinking.times())
    }
    let shrunk = "of \(times.first?.samples.count ?? 0) shrunk failures"
    note(Figure(name: "the median \(shrunk)", unit: "ms", samples: times.map(\.median)))
    note(Figure(name: "the slowest \(shrunk)", unit: "ms", samples: times.map(\.greatest)))
    let examples = shrinking.examples()
    note(
      sampling.rate("proofs of minimality", "states/s") {
        shrinking.certify(examples, rounds: $0)
      })
  }

  /// Measures runs of an app's code, which are possible only on Linux.
  private mutating func measureCode(_ sampling: Sampling) {
    #if os(Linux)
      let runs = sampling.rate("runs of \(CodeRuns.actionsOfARun) actions", "runs/s", CodeRuns.run)
      note(runs)
      note(
        Figure(
          name: "an action", unit: "µs",
          samples: runs.samples.map { 1_000_000 / $0 / Double(CodeRuns.actionsOfARun) }))
      note(
        Figure(
          name: "handing the turn to another thread", unit: "µs",
          samples: sampling.rate("", "", CodeRuns.handOver).samples.map { 500_000 / $0 }))
    #endif
  }

  private mutating func measureStart(_ sampling: Sampling) throws {
    let tool = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "faultline")
    if let tool, FileManager.default.isExecutableFile(atPath: tool.path) {
      note(
        sampling.milliseconds("the tool, until it has printed its version") {
          let process = Process()
          process.executableURL = tool
          process.arguments = ["--version"]
          process.standardOutput = FileHandle.nullDevice
          // Avoid `waitUntilExit`, which polls every 50 ms.
          let hasEnded = DispatchSemaphore(value: 0)
          process.terminationHandler = { _ in hasEnded.signal() }
          if (try? process.run()) != nil { hasEnded.wait() }
        })
    }
    let paths = try Results.modelPaths()
    note(
      sampling.milliseconds("reading the \(paths.count) models of Fixtures") {
        for path in paths { _ = try? ModelFile.read(path: path) }
      })
    let scenarios = try ScenarioFile.paths(below: "Scenarios").map {
      try ScenarioFile.read(path: $0)
    }
    note(
      sampling.milliseconds("checking \(scenarios.count) scenarios") {
        for scenario in scenarios { _ = ScenarioCheck(scenario) }
      })
  }

  private mutating func measureThreads(_ sampling: Sampling, isQuick: Bool) throws {
    let steps = CoreDataSteps(models: try Results.models())
    let programs = isQuick ? 200 : 3_000
    let jobs = Array(Set([1, 2, coreCount])).sorted().filter { $0 <= coreCount }
    // Alternate between numbers of threads, because the speed of a computer varies over time.
    var rates = jobs.map { _ in [Double]() }
    for _ in 0..<sampling.count {
      for index in jobs.indices {
        var done = 0
        let time = Sampling.seconds {
          done = steps.run(.current, programs: programs, jobs: jobs[index])
        }
        rates[index].append(Double(done) / time)
      }
    }
    for (jobs, rates) in zip(jobs, rates) {
      note(
        Figure(
          name: "\(jobs) thread\(jobs == 1 ? "" : "s")", unit: "steps/s", samples: rates))
    }
    for (jobs, rate) in zip(jobs, rates).dropFirst() {
      note(
        Figure(
          name: "\(jobs) threads compared with one", unit: "times as many",
          samples: zip(rate, rates[0]).map { $0 / $1 }))
    }
  }

  private mutating func measureGrowth(_ sampling: Sampling, isQuick: Bool) {
    for curve in Growth.curves(sampling, isQuick: isQuick) {
      curves.append(curve)
      print("  \(curve.title)")
      for point in curve.points {
        print(
          "    " + column(grouped(point.x) + " " + curve.xName, 24)
            + Results.text(point.time)
            + (point.memory.map {
              ", \(Results.number($0.median)) \(curve.memoryName)"
                + " (\(Results.number($0.least)) … \(Results.number($0.greatest)))"
            } ?? ""))
      }
    }
  }
}
