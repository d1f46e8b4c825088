#if os(Linux)
  import CodeReporting
  import CoreData
  import Foundation
  import LiveCode
  import PropertyTesting

  /// An app's code, in which background tasks and the list on the main queue change a note.
  enum CodeRuns {
    /// The model, which is created once, as in apps.
    static let model: NSManagedObjectModel = {
      let note = NSEntityDescription()
      note.name = "Note"
      let title = NSAttributeDescription()
      title.name = "title"
      title.attributeType = .stringAttributeType
      let views = NSAttributeDescription()
      views.name = "views"
      views.attributeType = .integer64AttributeType
      views.defaultValue = 0
      note.properties = [title, views]
      let model = NSManagedObjectModel()
      model.entities = [note]
      return model
    }()

    private static var campaign: LiveCampaign {
      var campaign = LiveCampaign { (app: LiveApp) throws -> Void in
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.loadPersistentStores { _, _ in }
        let list = container.viewContext
        list.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: list)
        note.setValue("first", forKey: "title")
        try list.save()
        let id = note.objectID
        app.declare("import") {
          container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.object(with: id).setValue("imported", forKey: "title")
            try? context.save()
          }
        }
        app.declare("show") {
          let views = note.value(forKey: "views") as? Int ?? 0
          note.setValue(views + 1, forKey: "views")
          try list.save()
        }
      }
      campaign.actionCount = 28
      return campaign
    }

    /// Returns a summary of `count` runs, without shrinking failures.
    static func report(_ count: Int) -> String {
      summary(campaign, count)
    }

    private static func summary(_ campaign: LiveCampaign, _ count: Int) -> String {
      var campaign = campaign
      campaign.isOfInterest = { _ in false }
      let result = campaign.run(0..<count).campaign
      let findings = result.findings.map { "\($0.identity) \($0.count)" }
      return
        "\(result.runs) runs, \(result.steps) actions, digest \(String(result.digest, radix: 16)), "
        + "found: \(findings.isEmpty ? "nothing" : findings.joined(separator: ", "))"
    }

    /// Measures the time until all failures of `runs` runs are described, in total and by part. The
    /// parts are the runs, shrinking the actions of the code, and the work without the code.
    static func verdict(runs: Int, samples: Int) -> [Figure] {
      let plan = TestPlan(schedules: runs, allowed: [])
      let origin = CodeOrigin(.schedules, test: "bench", filter: "bench")
      let campaign = LiveCampaign { (app: LiveApp) throws -> Void in
        try CodeFailures.declareSeveral(app)
      }
      var counted = campaign
      counted.isOfInterest = { _ in false }
      var parts: [[Double]] = []
      for _ in 0..<samples {
        let running = Sampling.seconds { _ = plan.run(counted, 0..<runs, origin) }
        var reports: [CodeFailureReport] = []
        let shrinking = Sampling.seconds {
          let report = plan.run(campaign, 0..<runs, origin)
          reports = report.found.map { CodeFailureReport($0, in: runs, origin) }
        }
        let telling = Sampling.seconds { reports = plan.finished(reports) }
        parts.append([running, max(0, shrinking - running), telling])
      }
      let whole = Figure(
        name: "an app's code with four bugs, \(runs) runs", unit: "ms",
        samples: parts.map { $0.reduce(0, +) * 1_000 })
      let names = ["running", "shrinking", "diagnosis, proof and explanation without the code"]
      let failures = (0..<samples).map { sample in
        let times = CodeFailures.times(runs: runs)
        for (name, kind, time) in times where sample == 0 {
          print("    \(name): \(kind), \(Results.number(time)) ms")
        }
        return Figure(name: "", unit: "ms", samples: times.map(\.milliseconds))
      }
      let kinds = Figure(
        name: "a failure of code, the median of \(failures[0].samples.count)", unit: "ms",
        samples: failures.map(\.median))
      // With few runs, random variation can exceed the time for shrinking.
      return [whole, kinds]
        + names.indices.filter { index in parts.allSatisfy { $0[index] > 0 } }.map { index in
          Figure(
            name: "an app's code: \(names[index])", unit: "ms",
            samples: parts.map { $0[index] * 1_000 })
        }
    }

    /// Returns summaries of runs in which the main thread waits for a context whose block waits for
    /// the main queue.
    static func deadlocks(_ count: Int) -> String {
      var campaign = LiveCampaign { (app: LiveApp) throws -> Void in
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.loadPersistentStores { _, _ in }
        let list = container.viewContext
        let background = container.newBackgroundContext()
        background.perform { list.performAndWait {} }
        background.performAndWait {}
      }
      campaign.actionCount = 0
      return [count / 10, count - count / 10].map { part in
        "\(summary(campaign, part)); then \(process)"
      }.joined(separator: "\n")
    }

    /// The memory and the number of threads of this process.
    private static var process: String {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      return status.split(separator: "\n").filter {
        $0.hasPrefix("VmRSS:") || $0.hasPrefix("Threads:")
      }.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        .joined(separator: ", ")
    }

    /// Makes `count` runs without shrinking failures, and returns `count`.
    static func run(_ count: Int) -> Int {
      precondition(campaign.count(0..<count) > 0, "runs of code do nothing")
      return count
    }

    /// The average number of actions in a run.
    static var actionsOfARun: Int { campaign.count(0..<400) / 400 }

    /// Passes the turn to another thread and back, `count` times.
    static func handOver(_ count: Int) -> Int {
      HandOvers.run(count)
      return count
    }
  }
#endif
