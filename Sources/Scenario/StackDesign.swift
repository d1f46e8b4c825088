package import ObjectModel
import Prose
package import Vocabulary

/// The design of an app without a program for it: what `--stack` takes, and campaigns let loose.
package struct StackDesign: Hashable, Sendable {
  /// Lines without `# `: where the design comes from, and what it is for.
  package var prose: [String] = []
  package var name: String
  /// How we know that apps are built like this.
  package var origin: Scenario.Evidence
  /// Where the origin is found.
  package var source: String? = nil
  /// The file of the model whose entities the stack names; nil if it names none.
  package var modelPath: String? = nil
  /// Its symbols include the texts of the stack. Without entities if the stack names none.
  package var model: ObjectModel
  package var stack: Stack

  package init(name: String, origin: Scenario.Evidence, model: ObjectModel, stack: Stack) {
    self.name = name
    self.origin = origin
    self.model = model
    self.stack = stack
  }
}

/// A design as text, in both directions: prose, a header, and the lines of the stack as they stand
/// in a scenario, indented by 2.
///
/// Printing what was parsed gives one canonical text, as `ScenarioText` does.
package enum StackDesignText {
  /// `model` reads the file of a design that names entities.
  package static func parse(
    _ text: String, model: (String) -> Result<ObjectModel, UnreadableModel>
  ) throws(TextError) -> StackDesign {
    let all = try lines(of: text)
    var rest = all[...]
    let prose = try takeProse(&rest)
    let headerLines = rest.prefix { $0.indentation == 0 }
    let header = try StackDesignHeader(headerLines, endingAt: all.last?.number ?? 1)
    rest = rest.dropFirst(headerLines.count)
    try checkIndentation(rest)
    var scope = Scope(ofDesignWith: try header.readModel(model))
    try scope.readStack(rest)
    guard let last = all.last, !scope.stack.contexts.isEmpty else {
      throw TextError(
        line: all.last?.number ?? 1,
        message: "stack has no context; write 'store  main' and 'view  mainQueue coordinator store'"
      )
    }
    if scope.stack.contexts.allSatisfy(\.isHidden) {
      throw TextError(
        line: last.number, message: "every context is hidden; programs have nothing to work with")
    }
    if !scope.model.entities.isEmpty, !scope.stack.namesEntities {
      throw TextError(
        line: last.number, message: "stack names a model and none of its entities; leave it out")
    }
    var design = StackDesign(
      name: header.name, origin: header.origin, model: scope.model, stack: scope.stack)
    design.prose = prose
    design.source = header.source
    design.modelPath = header.modelPath
    return design
  }

  private static func checkIndentation(_ lines: ArraySlice<Line>) throws(TextError) {
    guard let line = lines.first(where: { $0.indentation < 2 }) else { return }
    if line.indentation == 0 {
      throw line.error("line is not indented; below the header, the stack is indented by 2")
    }
    throw line.error("line is indented by 1 space; the stack is indented by 2")
  }

  package static func print(_ design: StackDesign) -> String {
    // Lines of a stack are spelt as in a scenario.
    let spelling = Spelling(
      Scenario(name: design.name, evidence: design.origin, model: design.model, stack: design.stack)
    )
    let parts = [
      design.prose.map { $0.isEmpty ? "#" : "# \($0)" },
      StackDesignHeader.lines(design),
      spelling.stackLines().map { "  " + $0 },
    ]
    return parts.filter { !$0.isEmpty }
      .map { part in part.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }
}

/// The lines between a design's prose and its stack.
private struct StackDesignHeader {
  private enum Key: String, CaseIterable {
    case stack, origin, model
  }

  let name: String
  let origin: Scenario.Evidence
  private(set) var source: String? = nil
  private(set) var modelPath: String? = nil
  private var modelLine: LineReader? = nil

  init(_ lines: ArraySlice<Line>, endingAt end: Int) throws(TextError) {
    var seen: [Key] = []
    var name: String? = nil
    var origin: Scenario.Evidence? = nil
    for line in lines {
      var reader = LineReader(line)
      let word = reader.word()
      guard let key = Key(rawValue: word) else {
        throw reader.error(
          unknown("no key", word, "a stack can have", Key.allCases.map(\.rawValue)))
      }
      if seen.contains(key) { throw line.error("'\(word)' is given twice; once is enough") }
      seen.append(key)
      switch key {
      case .stack: name = try reader.nameOfFile("stack")
      case .origin:
        origin = try reader.evidence()
        if !reader.isAtEnd { source = reader.rest() }
      case .model:
        modelLine = reader
        if reader.isAtEnd { throw reader.missing("the path of a model") }
        modelPath = reader.rest()
      }
      try reader.expectEnd()
    }
    let place = lines.last?.number ?? end
    guard let name else {
      throw TextError(line: place, message: "stack has no name; write 'stack  NAME' first")
    }
    self.name = name
    // An app's own stack has no other source than its author.
    self.origin = origin ?? .inferred
  }

  func readModel(
    _ model: (String) -> Result<ObjectModel, UnreadableModel>
  ) throws(TextError) -> ObjectModel {
    guard let modelPath, let modelLine else { return ObjectModel(entities: []) }
    switch model(modelPath) {
    case .success(let model): return model
    case .failure(let failure):
      throw modelLine.error(
        "model '\(shortened(modelPath))' cannot be read: \(failure.message)")
    }
  }

  static func lines(_ design: StackDesign) -> [String] {
    func line(_ key: Key, _ rest: String) -> String { "\(key.rawValue)  \(rest)" }
    let origin = design.origin.rawValue + (design.source.map { "  " + $0 } ?? "")
    let model = design.modelPath.map { [line(.model, $0)] } ?? []
    return [line(.stack, design.name), line(.origin, origin)] + model
  }
}
