package import ObjectModel
import Prose
package import Vocabulary

/// The design of an app without a program for it: the contents of a `.stack` file, on which
/// campaigns run generated programs.
package struct StackDesign: Hashable, Sendable {
  /// The lines of the introduction without `# `, about the source and the purpose of the design.
  package var prose: [String] = []
  package var name: String
  /// The kind of evidence that apps are built like this.
  package var origin: Scenario.Evidence
  /// The source of the evidence.
  package var source: String? = nil
  /// The path of the file with the entities that the stack names, or `nil` if it names none.
  package var modelPath: String? = nil
  /// The model, whose symbols include the texts of the stack. It has no entities if the stack names
  /// none.
  package var model: ObjectModel
  package var stack: Stack

  package init(name: String, origin: Scenario.Evidence, model: ObjectModel, stack: Stack) {
    self.name = name
    self.origin = origin
    self.model = model
    self.stack = stack
  }
}

/// Parses and prints designs, which consist of prose, a header, and the lines of a stack.
///
/// The lines of the stack are those of a scenario, indented by 2. Printing a parsed design results
/// in a canonical text, as for `ScenarioText`.
package enum StackDesignText {
  /// Parses a design.
  ///
  /// - Parameter model: Reads the model file of a design that names entities.
  package static func parse(
    _ text: String, model: (String) -> Result<ObjectModel, UnreadableModel>
  ) throws(TextError) -> StackDesign {
    var errors = TextErrors()
    let all = lines(of: text, &errors)
    checkSeparation(of: all, &errors)
    let end = all.last?.number ?? 1
    var rest = all[...]
    let prose = takeProse(&rest, &errors)
    let headerLines = rest.prefix { $0.indentation == 0 }
    let header = StackDesignHeader(headerLines, endingAt: end, &errors)
    let read = errors.collect { () throws(TextError) in try header.readModel(model) }
    var scope = Scope(ofDesignWith: read ?? ObjectModel(entities: []))
    scope.lacksModel = read == nil || header.lacksPath
    let body = indented(rest.dropFirst(headerLines.count), &errors)
    scope.errors = errors
    scope.readStack(body)
    // The stack as a whole is checked only if all of its lines are correct.
    if scope.errors.isEmpty { try check(scope, endingAt: end) }
    try scope.errors.throwIfAny(upTo: Scope.shownErrorLimit)
    guard let name = header.name else {
      preconditionFailure("a header without a name has an error")
    }
    var design = StackDesign(
      name: name, origin: header.origin, model: scope.model, stack: scope.stack)
    design.prose = prose
    design.source = header.source
    design.modelPath = header.modelPath
    return design
  }

  /// Throws an error if the stack as a whole is unusable.
  private static func check(_ scope: Scope, endingAt end: Int) throws(TextError) {
    if scope.stack.contexts.isEmpty {
      throw TextError(
        line: end,
        message: "stack has no context; write 'store  main' and 'view  mainQueue coordinator store'"
      )
    }
    if scope.stack.contexts.allSatisfy(\.isHidden) {
      throw TextError(
        line: end, message: "every context is hidden; programs have no context to use")
    }
  }

  /// Returns the lines below the header, with too small indentations corrected.
  private static func indented(
    _ lines: ArraySlice<Line>, _ errors: inout TextErrors
  ) -> ArraySlice<Line> {
    var lines = lines
    for index in lines.indices where lines[index].indentation < 2 {
      let line = lines[index]
      errors.add(
        line.error(
          line.indentation == 0
            ? "line is not indented; below the header, the stack is indented by 2"
            : "line is indented by 1 space; the stack is indented by 2"))
      // The heading of a scenario's section ends the stack.
      if ScenarioLayout.isHeading(line) { return lines[..<index] }
      lines[index].indentation = 2
    }
    return lines
  }

  package static func print(_ design: StackDesign) -> String {
    // A scenario's spelling prints the lines of the stack.
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
struct StackDesignHeader {
  enum Key: String, CaseIterable {
    case stack, origin, model
  }

  /// The name of the stack, or `nil` if its line has an error.
  private(set) var name: String? = nil
  /// The origin. By default, it is `inferred`, because an app's own stack has no other source than
  /// its author.
  private(set) var origin = Scenario.Evidence.inferred
  private(set) var source: String? = nil
  private(set) var modelPath: String? = nil
  /// A Boolean value that indicates whether the header has a `model` line without a readable path.
  private(set) var lacksPath = false
  private var modelLine: LineReader? = nil

  init(_ lines: ArraySlice<Line>, endingAt end: Int, _ errors: inout TextErrors) {
    var seen: [Key] = []
    for line in lines {
      do throws(TextError) {
        try read(line, &seen)
      } catch {
        errors.add(error)
      }
    }
    if !seen.contains(.stack) {
      errors.add(
        TextError(
          line: lines.last?.number ?? end,
          message: "stack has no name; write 'stack  NAME' first"))
    }
  }

  private mutating func read(_ line: Line, _ seen: inout [Key]) throws(TextError) {
    var reader = LineReader(line)
    let word = reader.word()
    guard let key = Key(rawValue: word) else {
      throw reader.error(
        unknown("no key", word, "a stack can have", Key.allCases.map(\.rawValue)))
    }
    let isSecond = seen.contains(key)
    seen.append(key)
    if isSecond { throw line.error("'\(word)' is given twice; once is enough") }
    switch key {
    case .stack: name = try reader.nameOfFile("stack")
    case .origin:
      origin = try reader.evidence()
      if !reader.isAtEnd { source = reader.rest() }
    case .model:
      lacksPath = reader.isAtEnd
      if lacksPath { throw reader.missing("the path of a model") }
      modelLine = reader
      modelPath = reader.rest()
    }
    try reader.expectEnd()
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
