import Vocabulary

/// What the lines of a stack declare, before any of them is understood: a name that is declared
/// below its use is not unknown, but out of place.
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

  /// Whether `name` is declared below `line`.
  func declare(_ kind: Kind, _ name: String, below line: Int) -> Bool {
    all.contains { $0.kind == kind && $0.name == name && $0.line > line }
  }

  func declareAny(_ kind: Kind) -> Bool { all.contains { $0.kind == kind } }
}

extension Scope {
  /// If `name` is declared below: that, and what stands above what.
  func declaredBelow(
    _ kind: StackDeclarations.Kind, _ name: String, _ rule: String, _ line: LineReader
  ) -> TextError? {
    guard declarations.declare(kind, name, below: line.line) else { return nil }
    return line.undeclared(name, "'\(name)' is declared below; \(rule)")
  }

  /// The steps of a part of the stack, indented by 4. A step that stands where a part should
  /// belongs to what is above it, and so does what is indented further than a part.
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

  /// A stack that is written down leaves no steps out on purpose. Shrunk examples do. Steps that
  /// cannot be read are errors themselves.
  func checkSteps(_ hasNone: Bool, of what: String, _ line: LineReader) throws(TextError) {
    if hasNone, isDesign, !errors.hasOne(below: line.line) {
      throw line.error("\(what) has no steps; indent what it runs below it")
    }
  }
}

extension Line {
  /// Whether it declares a part of the stack, wherever it stands.
  var isPart: Bool {
    words.first.flatMap(Scope.Stage.init(rawValue:)) != nil && !isStep || namesContext
  }

  /// Whether it looks like the declaration of a context: a name, the type of a queue, and more.
  var namesContext: Bool {
    var reader = LineReader(self)
    guard reader.identifier() != nil else { return false }
    if reader.takesDirectly("*") { _ = reader.word() }
    return Stack.ConcurrencyType(rawValue: reader.word()) != nil && !reader.isAtEnd
  }

  /// Whether it begins with a verb, or has one after its first word: no context can have such a
  /// name, nor such a queue.
  fileprivate var isStep: Bool {
    var reader = LineReader(self)
    guard let first = reader.identifier() else { return false }
    if Verb(word: first) != nil { return true }
    guard !Verb.reservedContextNames.contains(first) else { return false }
    return reader.identifier().flatMap(Verb.init(word:)) != nil
  }
}
