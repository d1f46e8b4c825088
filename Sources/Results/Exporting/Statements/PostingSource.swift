import ObjectModel
import Scenario
import Vocabulary

/// Notifications that the scenario watches or counts. The test records the contents of each
/// notification and compares them at the end.
extension TestWriter {
  /// The notifications that a test can observe, with their names.
  private static let notifications: [(event: WatchedEvent, name: String)] = [
    (.objectsDidChange, "didChangeObjectsNotification"),
    (.contextWillSave, "willSaveObjectsNotification"),
    (.didSave, "didSaveObjectsNotification"),
    (.didSaveObjectIDs, "didSaveObjectIDsNotification"),
    (.didMergeChanges, "didMergeChangesObjectIDsNotification"),
  ]

  /// The observed notifications, ordered by kind and then by context.
  private var observed: [(event: WatchedEvent, name: String, context: ContextID)] {
    TestWriter.notifications.flatMap { event, name in
      stack.contextIDs.compactMap { context in
        let isCounted = scenario.claims.contains {
          $0.isAbout(event, postedBy: stack[context].name, context)
        }
        if event == .objectsDidChange, earlyContexts.contains(context) { return nil }
        let isPosted = !posted(event, by: context).isEmpty
        guard isCounted || scenario.watch.contains(event) && isPosted else { return nil }
        return (event, name, context)
      }
    }
  }

  private func recordName(_ event: WatchedEvent, _ context: ContextID) -> String {
    let word = capitalized(names[context])
    return switch event {
    case .objectsDidChange: "changesIn\(word)"
    case .contextWillSave: "willSavesOf\(word)"
    case .didSave: "didSavesOf\(word)"
    case .didSaveObjectIDs: "didSaveIDsOf\(word)"
    default: "mergesIn\(word)"
    }
  }

  /// Returns the contents of the notifications that the context posted, in order.
  private func posted(_ event: WatchedEvent, by context: ContextID) -> [ChangeSets] {
    rehearsal.performances.flatMap(\.events).compactMap { happened in
      guard WatchedEvent(happened) == event else { return nil }
      switch happened {
      case .objectsDidChange(context, let sets), .didSave(context, let sets, number: _),
        .didSaveObjectIDs(context, let sets, number: _), .didMergeChanges(context, let sets):
        return sets
      case .contextWillSave(context): return ChangeSets()
      default: return nil
      }
    }
  }

  /// Returns the observers that record notifications. Adds the properties that hold the records to
  /// `records`.
  mutating func recordingStatements() -> [(context: ContextID, statement: Statement)] {
    var statements: [(ContextID, Statement)] = []
    for (event, name, context) in observed {
      let record = recordName(event, context)
      records.append((record, "[[String: Int]] = []"))
      helpers.insert(.counts)
      var body: [Statement] = [.line("\(record).append(counts(in: notification))")]
      if event == .contextWillSave, ordersWillSave { body.append(willSaveCall) }
      statements.append((context, observation(of: name, by: context, body)))
    }
    for context in mergedSaves.sorted() {
      let record = savesName(of: context)
      records.append((record, "[Notification] = []"))
      var body: [Statement] = []
      var kept = "notification"
      if remadeContexts.contains(context) {
        body.append(.comment("The notification would retain its object, the context."))
        kept =
          "Notification(name: notification.name, object: nil, userInfo: notification.userInfo)"
      }
      body.append(.line("\(record).append(\(kept))"))
      statements.append(
        (context, observation(of: "didSaveObjectsNotification", by: context, body)))
    }
    return statements
  }

  /// Returns assertions that compare the recorded notifications with those of the run.
  func postingStatements() -> [Statement] {
    observed.map { event, _, context in
      let record = recordName(event, context)
      let counts = posted(event, by: context).map { self.counts(of: $0) }
      if counts.isEmpty { return .line("XCTAssertTrue(\(record).isEmpty)") }
      return .line("XCTAssertEqual(\(record), [\(counts.joined(separator: ", "))])")
    }
  }

  private func counts(of sets: ChangeSets) -> String {
    let parts = [
      ("deleted", sets.deleted), ("inserted", sets.inserted),
      ("invalidatedAll", sets.invalidatedAll), ("refreshed", sets.refreshed),
      ("updated", sets.updated),
    ]
    let shown = parts.filter { !$0.1.isEmpty }.map { "\"\($0.0)\": \($0.1.count)" }
    return shown.isEmpty ? "[:]" : "[\(shown.joined(separator: ", "))]"
  }

  private static let observeMethod: [Statement] = [
    .line("/// Observes a notification of the context until the test has ended."),
    .block(
      "private func observe(_ name: Notification.Name, of context: NSManagedObjectContext, "
        + "by block: @escaping (Notification) -> Void) {",
      [
        .line(
          "let observer = NotificationCenter.default.addObserver(forName: name, object: context, "
            + "queue: nil, using: block)"),
        .line("addTeardownBlock { NotificationCenter.default.removeObserver(observer) }"),
      ]),
    .empty,
  ]

  /// The helper methods that this test needs.
  var helperMethods: [Statement] {
    var methods: [Statement] = []
    if helpers.contains(.observe) { methods += TestWriter.observeMethod }
    if helpers.contains(.counts) {
      methods += [
        .line("/// Returns the number of objects that a notification lists, by key."),
        .block(
          "private func counts(in notification: Notification) -> [String: Int] {",
          [
            .line("var counts: [String: Int] = [:]"),
            .block(
              "for (key, value) in notification.userInfo ?? [:] {",
              [
                .line("let count = (value as? Set<NSObject>)?.count ?? (value as? [Any])?.count"),
                .line("guard let key = key as? String, let count, count > 0 else { continue }"),
                .line("counts[key.replacingOccurrences(of: \"_objectIDs\", with: \"\")] = count"),
              ]),
            .line("return counts"),
          ]),
        .empty,
      ]
    }
    if helpers.contains(.waitForBlocks) {
      methods += [
        .line("/// Lets the main queue run until the context's blocks have ended."),
        .block(
          "private func waitForBlocks(of context: NSManagedObjectContext) {",
          [
            .line("let done = expectation(description: \"the blocks have ended\")"),
            .line("context.perform { done.fulfill() }"),
            .line("wait(for: [done], timeout: 10)"),
          ]),
        .empty,
      ]
    }
    if helpers.contains(.mergeHistory) { methods += TestWriter.historyMethod }
    if helpers.contains(.setMetadata) { methods += TestWriter.setMetadataMethod }
    if helpers.contains(.metadata) { methods += TestWriter.metadataMethod }
    if helpers.contains(.temporaryURL) {
      methods += [
        .line("/// Returns the URL of a new store file."),
        .block(
          "private func temporaryURL(_ name: String) -> URL {",
          [
            .line("FileManager.default.temporaryDirectory"),
            .line("  .appendingPathComponent(\"\\(name)-\\(UUID().uuidString).sqlite\")"),
          ]),
        .empty,
      ]
    }
    return methods
  }
}

extension Claim {
  /// Returns whether the claim concerns the number or the contents of such notifications by the
  /// context.
  fileprivate func isAbout(
    _ event: WatchedEvent, postedBy name: String, _ context: ContextID
  ) -> Bool {
    switch condition {
    case .countPosted(event, by: context, _): true
    case .posted(name, let statement): statement.prefix { $0 != " " } == event.rawValue
    default: false
    }
  }
}
