import ObjectModel
import Scenario
import Vocabulary

/// Fetched-results controllers, their contents, and the changes that they report to delegates.
extension TestWriter {
  mutating func listStatements(
    _ controller: ControllerID, _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    let declared = stack.controllers[controller.index]
    let name = names[controller]
    let (statements, request) = try self.request(
      declared.request, step, resultType: "NSManagedObject")
    let section =
      declared.sectionProperty.map { "\"\(model[declared.request.entity][$0].name)\"" } ?? "nil"
    var result: [Statement] = []
    madeLists.insert(controller)
    if currentLists.insert(controller).inserted {
      result =
        statements + [
          .line("\(name) = NSFetchedResultsController("),
          .line("  fetchRequest: \(request), managedObjectContext: \(names[step.context]),"),
          .line("  sectionNameKeyPath: \(section), cacheName: nil)"),
        ]
      if recordsChanges(of: controller) {
        result.append(.line("\(name).delegate = \(name)Changes"))
      }
    }
    result.append(.line("try \(name).performFetch()"))
    guard case .sections(_, let sections)? = events?.answer else { return result }
    let ids = sections.flatMap(\.objects)
    let members = ids.compactMap { instance($0, in: step.context) }
    for (id, position) in zip(ids, ids.indices) {
      guard let named = rehearsal.name(of: id),
        let variable = names[HeldInstance(step.context, named)],
        item == 0
          || rehearsal.bindings[item - 1][HeldInstance(step.context, named)]?.isRegistered != true
      else { continue }
      result.append(.line("\(variable) = \(name).fetchedObjects?.dropFirst(\(position)).first"))
    }
    if members.count == ids.count, !ids.isEmpty {
      result.append(
        .line("XCTAssertEqual(\(name).fetchedObjects, [\(members.joined(separator: ", "))])"))
    } else {
      result.append(.line("XCTAssertEqual(\(name).fetchedObjects?.count, \(ids.count))"))
    }
    if declared.sectionProperty != nil {
      let counts = sections.map { "\($0.objects.count)" }.joined(separator: ", ")
      result.append(
        .line("XCTAssertEqual(\(name).sections?.map(\\.numberOfObjects), [\(counts)])"))
    }
    return result
  }

  private func recordsChanges(of controller: ControllerID) -> Bool {
    scenario.watch.contains(.controllerDidChangeContent)
      || scenario.claims.contains { claim in
        if case .countPosted(let event, _, _) = claim.condition {
          event == .controllerDidChangeContent
        } else {
          false
        }
      }
  }

  /// Returns assertions about the changes that the controllers reported, for each change of
  /// content.
  func listChangeStatements() -> [Statement] {
    madeLists.sorted().compactMap { list -> Statement? in
      guard recordsChanges(of: list) else { return nil }
      let told = rehearsal.performances.flatMap(\.events).compactMap { event -> String? in
        guard case .controllerDidChangeContent(list, let changes) = event else { return nil }
        let texts = changes.map { SwiftLiteral.text($0.text) }.sorted()
        return "[\(texts.joined(separator: ", "))]"
      }
      let record = "\(names[list])Changes.told"
      if told.isEmpty { return .line("XCTAssertTrue(\(record).isEmpty)") }
      return .line("XCTAssertEqual(\(record), [\(told.joined(separator: ", "))])")
    }
  }

  /// The properties that hold the delegates.
  var listChangeProperties: [String] {
    madeLists.sorted().filter { recordsChanges(of: $0) }
      .map { "private let \(names[$0])Changes = ListChanges()" }
  }

  /// The class of the delegates.
  var listChangesClass: [Statement] {
    if listChangeProperties.isEmpty { return [] }
    let controller = "_ controller: NSFetchedResultsController<any NSFetchRequestResult>"
    return [
      .empty,
      .line("/// Records the changes that a fetched-results controller reports."),
      .block(
        "private final class ListChanges: NSObject, NSFetchedResultsControllerDelegate {",
        [
          .line("var told: [[String]] = []"),
          .line("private var changes: [String] = []"),
          .empty,
          .line("func controller("),
          .line("  \(controller),"),
          .line("  didChange object: Any, at indexPath: IndexPath?,"),
          .line("  for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?"),
          .block(
            ") {",
            [
              .line("let old = indexPath.map { \"\\($0[0]).\\($0[1])\" } ?? \"\""),
              .line("let new = newIndexPath.map { \"\\($0[0]).\\($0[1])\" } ?? \"\""),
              .line("switch type {"),
              .line("case .insert: changes.append(\"insert to \\(new)\")"),
              .line("case .delete: changes.append(\"delete from \\(old)\")"),
              .line("case .move: changes.append(\"move from \\(old) to \\(new)\")"),
              .line("default: changes.append(\"update at \\(old)\")"),
              .line("}"),
            ]),
          .empty,
          .line("func controller("),
          .line("  \(controller),"),
          .line("  didChange section: any NSFetchedResultsSectionInfo, atSectionIndex index: Int,"),
          .line("  for type: NSFetchedResultsChangeType"),
          .block(
            ") {",
            [
              .line(
                "changes.append(\"\\(type == .insert ? \"insert\" : \"delete\") section \\(index)\")"
              )
            ]),
          .empty,
          .line("func controllerDidChangeContent("),
          .line("  \(controller)"),
          .block(
            ") {",
            [.line("told.append(changes.sorted())"), .line("changes = []")]),
        ]),
    ]
  }
}

extension ResultsChange {
  /// The change as text, in the form that the delegate of an exported test records.
  fileprivate var text: String {
    func text(_ path: IndexPath) -> String { "\(path.section).\(path.item)" }
    return switch self {
    case .deleteSection(let index): "delete section \(index)"
    case .insertSection(let index): "insert section \(index)"
    case .delete(_, from: let path): "delete from \(text(path))"
    case .insert(_, to: let path): "insert to \(text(path))"
    case .move(_, from: let old, to: let new): "move from \(text(old)) to \(text(new))"
    case .update(_, at: let path): "update at \(text(path))"
    }
  }
}
