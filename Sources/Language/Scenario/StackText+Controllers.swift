import ObjectModel
import Prose
import Vocabulary

/// Fetched-results controllers of a stack, such as
/// `controller  list view Note sort title sections title`.
extension Scope {
  mutating func readController(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a controller")
    if stack.controllers.contains(where: { $0.name == name }) {
      throw line.error("the stack has a controller '\(name)' already; choose another name")
    }
    let word = try line.identifier("the context of the controller")
    let context = try context(word, "controller names context", line)
    let isSectioned = line.takes(keyword: "sections")
    let request = try fetchRequest(&line, context)
    guard let first = request.sortDescriptors.first else {
      throw line.error("a controller needs an order; write 'sort' and a property")
    }
    guard request.fetchOffset == 0, request.fetchLimit == 0, request.includesPendingChanges,
      request.resultType == .managedObject
    else {
      throw line.error(
        "a controller shows all objects of its request; leave out offset, limit and result types")
    }
    guard !request.sortsByKeyPaths else {
      throw line.error("a controller sorts by properties of its entity; leave out key paths")
    }
    stack.controllers.append(
      Stack.ResultsController(
        name: name, context: context, request: request,
        sectionProperty: isSectioned ? first.property : nil))
  }

  /// Reads the controller of a step in `lane`.
  func controller(
    _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> ControllerID {
    let name = try line.identifier("the name of a controller")
    guard let index = stack.controllers.firstIndex(where: { $0.name == name }) else {
      throw line.undeclared(
        name, unknown("step names controller", name, "the stack has", stack.controllers.map(\.name))
      )
    }
    guard stack.controllers[index].context == lane else {
      let owner = stack[stack.controllers[index].context].name
      throw line.error("controller '\(name)' belongs to '\(owner)'; only its steps can fill it")
    }
    return ControllerID(index)
  }
}

extension Spelling {
  func line(_ controller: Stack.ResultsController) -> String {
    let sections = controller.sectionProperty == nil ? "" : "sections "
    let request = text(controller.request, controller.context)
    return "controller  \(controller.name) \(text(controller.context)) \(sections)\(request)"
  }
}
