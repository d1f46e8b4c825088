import Vocabulary

/// The names that the lines of a stack declare, collected before these lines are parsed.
///
/// They let an error say that a name is declared below its use, instead of calling it unknown.
struct StackDeclarations {
  enum Kind: String {
    case store, queue, flag, group, ids, coordinator, context, entry
  }

  private var all: [(kind: Kind, name: String, line: Int)] = []

  init() {}

  init(_ lines: ArraySlice<Line>) {
    for line in lines where line.indentation == 2 || line.indentation > 1 && line.isPart {
      var reader = LineReader(line)
      guard let word = reader.identifier() else { continue }
      if ["time", "controller", "observe", "promise"].contains(word) { continue }
      if line.isStep { continue }
      if let kind = Kind(rawValue: word), kind != .context {
        if let name = reader.identifier() { all.append((kind, name, line.number)) }
      } else {
        all.append((.context, word, line.number))
      }
    }
  }

  /// Returns a Boolean value that indicates whether `name` is declared below `line`.
  func declare(_ kind: Kind, _ name: String, below line: Int) -> Bool {
    all.contains { $0.kind == kind && $0.name == name && $0.line > line }
  }

  func declareAny(_ kind: Kind) -> Bool { all.contains { $0.kind == kind } }
}

extension Scope {
  /// Returns an error that states `rule` if `name` is declared below the line, or `nil` otherwise.
  func declaredBelow(
    _ kind: StackDeclarations.Kind, _ name: String, _ rule: String, _ line: LineReader
  ) -> TextError? {
    guard declarations.declare(kind, name, below: line.line) else { return nil }
    return line.undeclared(name, "'\(name)' is declared below; \(rule)")
  }

  /// Reads the steps of a part of the stack, which are indented by 4.
  ///
  /// A step with the indentation of a part belongs to the part above it. So does a line that is
  /// indented further than a part.
  mutating func steps(
    _ lines: inout LineCursor, of owner: String, lane: ContextID?
  ) throws(TextError) -> [AddressedStep] {
    var steps = try block(&lines, indentation: 4, lane: lane)
    while let line = lines.next, line.indentation < 4,
      line.isStep || line.indentation == 3 && !line.isPart
    {
      errors.addOnce(
        line.misplaced(
          "line is indented by \(line.indentationText); a step of \(owner) is indented by 4"))
      lines.moveNext(to: 4)
      steps += try block(&lines, indentation: 4, lane: lane)
    }
    return steps
  }

  /// Throws an error if a block of a stack file has no steps.
  ///
  /// Only shrunk examples omit steps deliberately. Steps that could not be read have their own
  /// errors.
  func checkSteps(_ hasNone: Bool, of what: String, _ line: LineReader) throws(TextError) {
    if hasNone, isDesign, !errors.hasOne(below: line.line) {
      throw line.error("\(what) has no steps; write its steps below it, indented")
    }
  }
}

extension Line {
  /// A Boolean value that indicates whether the line declares a part of the stack, at any
  /// indentation.
  var isPart: Bool {
    words.first.flatMap(Scope.Stage.init(rawValue:)) != nil && !isStep || namesContext
  }

  /// A Boolean value that indicates whether the line looks like the declaration of a context: a
  /// name, the type of a queue, and more words.
  var namesContext: Bool {
    var reader = LineReader(self)
    guard reader.identifier() != nil else { return false }
    if reader.takesDirectly("*") { _ = reader.word() }
    return Stack.ConcurrencyType(rawValue: reader.word()) != nil && !reader.isAtEnd
  }

  /// A Boolean value that indicates whether the line begins with a verb, or has a verb as its
  /// second word. Neither a context nor a queue type can have the name of a verb.
  fileprivate var isStep: Bool {
    var reader = LineReader(self)
    guard let first = reader.identifier() else { return false }
    if Verb(word: first) != nil { return true }
    guard !Verb.reservedContextNames.contains(first) else { return false }
    return reader.identifier().flatMap(Verb.init(word:)) != nil
  }
}
