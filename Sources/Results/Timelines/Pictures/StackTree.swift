import ObjectModel
import Scenario
import Vocabulary

/// A stack as a tree of coordinators with their stores, root contexts, and descendants. Nodes show
/// queues, merge policies, other settings and observers.
struct StackTree {
  private let report: RunReport
  /// The contexts where the violation showed, or whose queues form a cycle, with a text for each.
  private let marks: [(context: ContextID, text: String)]
  private let steps: StepText

  private var stack: Stack { report.scenario.stack }

  init(_ report: RunReport) {
    self.report = report
    let timeline = report.timeline
    marks = report.main.map { timeline.marks(of: timeline.findings[$0]) } ?? []
    let scenario = report.scenario
    steps = StepText(
      model: scenario.model, stack: scenario.stack, names: scenario.names,
      steps: scenario.items.map(\.step))
  }

  var html: String {
    let trees = stack.coordinators.indices.map { index in
      let coordinator = stack.coordinators[index]
      let stores = coordinator.stores.map { store in
        let isInMemory = stack.stores[store.index].isInMemory
        return "store \(stack.stores[store.index].name)\(isInMemory ? ", in memory" : "")"
      }
      let node =
        "<div class=\"node coordinator\"><strong>coordinator \(escaped(coordinator.name))</strong> "
        + stores.map { chip($0) }.joined(separator: " ") + "</div>"
      let roots = stack.contextIDs.filter { stack[$0].parent == .coordinator(CoordinatorID(index)) }
      return "<li>\(node)\(list(roots))</li>"
    }
    return "<ul class=\"tree\">\(trees.joined(separator: "\n"))</ul>\(others)"
  }

  private func list(_ contexts: [ContextID]) -> String {
    if contexts.isEmpty { return "" }
    return "<ul>\n"
      + contexts.map { "<li>\(node($0))\(list(stack.children(of: $0)))</li>" }
      .joined(separator: "\n") + "</ul>"
  }

  private func node(_ id: ContextID) -> String {
    let context = stack[id]
    let column = report.timeline.columns.firstIndex { $0.contexts.contains(id) } ?? 0
    let texts = marks.filter { $0.context == id }.map(\.text)
    let mark = texts.map {
      " <span class=\"mark\"><span aria-hidden=\"true\">✗</span> \(escaped($0))</span>"
    }.joined()
    let lines = observers(of: id).map { "<div class=\"fine mono\">\(escaped($0))</div>" }
    return
      "<div class=\"node \(report.timeline.laneClass(of: column))\(mark.isEmpty ? "" : " failing")\">"
      + "<strong>\(escaped(context.name))</strong> "
      + settings(of: context).map { chip($0) }.joined(separator: " ") + mark + lines.joined()
      + "</div>"
  }

  private func chip(_ text: String) -> String { "<span class=\"chip\">\(escaped(text))</span>" }

  // MARK: Words

  private func settings(of context: Stack.Context) -> [String] {
    let queue =
      switch context.concurrencyType {
      case .mainQueue: "main queue"
      case .privateQueue: "private queue"
      case .confinement:
        context.thread.map { "thread \(stack.queues[$0.index].name)" } ?? "main thread, confinement"
      }
    let others: [(isSet: Bool, text: String)] = [
      (context.automaticallyMergesChangesFromParent, "merges automatically"),
      (context.hasUndoManager, "undo manager"), (context.hasZeroStaleness, "staleness interval 0"),
      (!context.shouldDeleteInaccessibleFaults, "keeps inaccessible faults"),
      (context.retainsRegisteredObjects, "retains objects"),
      (!context.propagatesDeletesAtEndOfEvent, "propagates deletes when saving"),
      (context.isDiscardable, "may be discarded"), (context.isHidden, "hidden"),
      (context.isReadOnly, "read only"),
    ]
    return [queue, "policy \(context.mergePolicy.rawValue)"]
      + others.filter(\.isSet).map(\.text)
  }

  private func observers(of context: ContextID) -> [String] {
    stack.observers.filter { $0.context == context }.map { observer in
      "on \(observer.notification.rawValue): "
        + observer.steps.map { plain(steps.text($0)) }.joined(separator: "; ")
    } + stack.controllers.filter { $0.context == context }.map { "list \($0.name)" }
  }

  private var others: String {
    let queues = stack.queues.map { "queue \($0.name)" }
    let calls = stack.entryPoints.map { call in
      "\(call.name): " + call.steps.map { plain(steps.text($0)) }.joined(separator: "; ")
    }
    let flags = stack.flags.map { "flag \($0.name)" }
    let variables =
      flags + stack.groups.map { "group \($0.name)" } + stack.idSets.map { "ids \($0.name)" }
    let promises = stack.promiseTexts.map { "promise '\($0)'" }
    let lines = queues + variables + calls + promises
    if lines.isEmpty { return "" }
    return "<p class=\"fine mono\">"
      + lines.map(escaped).joined(separator: "<br>")
      + "</p>"
  }

  private func plain(_ line: String) -> String {
    line.split(separator: " ").joined(separator: " ")
  }
}

extension Timeline {
  /// Returns the contexts that a violation concerns, with the text to show at each.
  fileprivate func marks(of finding: Finding) -> [(context: ContextID, text: String)] {
    if let context = finding.context, finding.cycle.isEmpty { return [(context, "fails here")] }
    return finding.cycle.flatMap { link in
      (link.heldColumn.map { columns[$0].contexts } ?? []).map { context in
        (context, "the holder of the queue waits for \(link.waitsFor)")
      }
    }
  }
}
