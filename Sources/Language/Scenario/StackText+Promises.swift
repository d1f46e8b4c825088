package import ObjectModel
import Prose
package import Vocabulary

/// Promises of a stack, such as
/// `promise  every Note where stars > 3 has folder != nil in store view`.
extension Scope {
  private enum Keyword: String, CaseIterable {
    case unique, every, count, sum, clean
  }

  mutating func readPromise(_ line: inout LineReader) throws(TextError) {
    var start = line
    let word = try line.word("a promise, such as 'unique'")
    if let entry = stack.entryPoints.firstIndex(where: { $0.name == word }),
      line.nextWord == "saves" || Keyword(rawValue: word) == nil
    {
      return try readSaves(ofEntryPoint: entry, &line, from: start)
    }
    guard let keyword = Keyword(rawValue: word) else {
      throw line.error(
        unknown(
          "no promise", word, "a promise begins with the name of an entry point, or with",
          Keyword.allCases.map(\.rawValue)))
    }
    if keyword == .clean { return try readClean(&line, from: start) }
    let name = try line.identifier("the name of an entity")
    let entity = try entity(name, "promise names", line)
    // The predicate of a promise names no objects of programs, so any lane will do.
    let lane = ContextID(0)
    var condition: PredicateTree?
    let statement: Promise.Statement
    switch keyword {
    case .clean: preconditionFailure("a promise about calls has no entity")
    case .unique:
      statement = .unique(try uniqueProperties(of: entity, &line))
      condition = try self.condition(&line, entity, lane)
    case .every:
      condition = try self.condition(&line, entity, lane)
      try line.expect(keyword: "has")
      statement = .every(try promisedPredicate(&line, entity, lane))
    case .count:
      condition = try self.condition(&line, entity, lane)
      statement = .count(try promisedRelation(&line), try line.count("a count"))
    case .sum:
      let (property, type) = try summand(of: entity, &line)
      condition = try self.condition(&line, entity, lane)
      let relation = try promisedRelation(&line)
      statement = .sum(property, relation, try line.literal(type, &model.symbols))
    }
    var rest = line
    let text = start.rest().dropLast(rest.rest().count)
    let places = try promisedPlaces(&line)
    let occasion = try promisedOccasion(&line)
    try line.expectEnd()
    var promise = Promise(
      entity: entity, condition: condition, statement, in: places, text: spacedOnce(text))
    switch occasion {
    case .moments(let moments):
      promise.occasion = moments
      stack.promises.append(promise)
    case .endOfCalls(let entry):
      stack.entryPoints[entry].promises.append(
        CallPromise(
          .holds(promise), text: "\(promise.text) after \(stack.entryPoints[entry].name)"))
    }
  }

  /// Reads a promise about the saves of an entry point, such as `finish saves only work`.
  private mutating func readSaves(
    ofEntryPoint entry: Int, _ line: inout LineReader, from start: LineReader
  ) throws(TextError) {
    try line.expect(keyword: "saves")
    try line.expect(keyword: "only")
    var contexts: [ContextID] = []
    repeat {
      let name = try line.identifier("the name of a context")
      let context = try context(name, "promise names context", line)
      if contexts.contains(context) { throw line.error("'\(name)' is given twice") }
      contexts.append(context)
    } while !line.isAtEnd
    try add(.savesOnly(contexts), toEntryPoint: entry, from: start)
  }

  /// Reads a promise about the calls of an entry point, such as `clean work after finish`.
  private mutating func readClean(
    _ line: inout LineReader, from start: LineReader
  ) throws(TextError) {
    let name = try line.identifier("the name of a context")
    let context = try context(name, "promise names context", line)
    try line.expect(keyword: "after")
    let entryName = try line.identifier("the name of an entry point")
    let entry = try entryPoint(entryName, line)
    try line.expectEnd()
    try add(.leavesClean(context), toEntryPoint: entry, from: start)
  }

  private func entryPoint(_ name: String, _ line: LineReader) throws(TextError) -> Int {
    if let entry = stack.entryPoints.firstIndex(where: { $0.name == name }) { return entry }
    throw line.error(
      unknown("no entry point", name, "the stack has", stack.entryPoints.map(\.name)))
  }

  private mutating func add(
    _ statement: CallPromise.Statement, toEntryPoint entry: Int, from start: LineReader
  ) throws(TextError) {
    var start = start
    stack.entryPoints[entry].promises.append(
      CallPromise(statement, text: spacedOnce(Substring(start.rest()))))
  }

  /// Reads the properties after the name of the entity, such as `.remoteID` or `.first and last`.
  private func uniqueProperties(
    of entity: EntityID, _ line: inout LineReader
  ) throws(TextError) -> [PropertyID] {
    guard line.takesDirectly(".") else {
      throw line.missing("'.' and the property that is unique")
    }
    var properties: [PropertyID] = []
    repeat {
      let property = try line.property(of: model[entity])
      let name = model[entity][property].name
      if properties.contains(property) { throw line.error("'\(name)' is given twice") }
      if model[entity][property].isToMany {
        throw line.error(
          "'\(name)' has many values; a promise compares attributes and to-one relationships")
      }
      properties.append(property)
    } while line.takes(keyword: "and")
    return properties
  }

  private mutating func condition(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree? {
    guard line.takes(keyword: "where") else { return nil }
    return try promisedPredicate(&line, entity, lane)
  }

  private mutating func promisedPredicate(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree {
    let tree = try predicate(&line, entity, lane)
    if tree.namesObjects {
      throw line.error("a promise applies to every program, so it cannot name an object")
    }
    return tree
  }

  private func summand(
    of entity: EntityID, _ line: inout LineReader
  ) throws(TextError) -> (PropertyID, AttributeType) {
    guard line.takesDirectly(".") else { throw line.missing("'.' and the attribute to add up") }
    let property = try line.property(of: model[entity])
    switch model[entity][property].attribute?.type {
    case .integer16, .integer32, .integer64: return (property, .integer64)
    case .decimal: return (property, .decimal)
    case .double, .float: return (property, .double)
    default:
      throw line.error("'\(model[entity][property].name)' is not a number; sum needs numbers")
    }
  }

  private func promisedRelation(_ line: inout LineReader) throws(TextError) -> Promise.Relation {
    if let relation = Promise.Relation.allCases.first(where: { line.takes($0.rawValue) }) {
      return relation
    }
    throw line.missing("a relation, such as '==' or '<='")
  }

  /// Reads the places of a promise, such as `in store view`. Without places, the stores are meant.
  private func promisedPlaces(_ line: inout LineReader) throws(TextError) -> [Promise.Place] {
    guard line.takes(keyword: "in") else { return [.stores] }
    var places: [Promise.Place] = []
    repeat {
      let name = try line.identifier("'store' or the name of a context")
      let place: Promise.Place =
        name == implicitCoordinator
        ? .stores : .context(try context(name, "promise names context", line))
      if places.contains(place) { throw line.error("'\(name)' is given twice") }
      places.append(place)
    } while !line.isAtEnd && !occasionWords.contains(line.nextWord)
    return places
  }

  private var occasionWords: [String] { ["after", "always", "at"] }

  private enum PromisedOccasion {
    case moments(Promise.Occasion)
    /// The promise must hold at the end of each call of an entry point. The value is the index of
    /// the entry point in the stack.
    case endOfCalls(Int)
  }

  /// Reads the occasion of a promise: `after saves`, which is the default, `always`, `at rest`, or
  /// `after` with the name of an entry point.
  private func promisedOccasion(_ line: inout LineReader) throws(TextError) -> PromisedOccasion {
    if line.takes(keyword: "after") {
      if line.takes(keyword: "saves") { return .moments(.afterSaves) }
      let name = try line.identifier("'saves' or the name of an entry point")
      return .endOfCalls(try entryPoint(name, line))
    }
    if line.takes(keyword: "always") { return .moments(.always) }
    if line.takes(keyword: "at") {
      try line.expect(keyword: "rest")
      return .moments(.atRest)
    }
    return .moments(.afterSaves)
  }
}

/// Returns the text with each run of spaces replaced by one space, except in literals.
private func spacedOnce(_ text: Substring) -> String {
  var result = ""
  var (isInLiteral, isEscaped) = (false, false)
  for character in text {
    if character == " ", !isInLiteral, result.isEmpty || result.last == " " { continue }
    result.append(character)
    if character == "\"", !isEscaped { isInLiteral.toggle() }
    isEscaped = character == "\\" && !isEscaped
  }
  while result.last == " " { result.removeLast() }
  return result
}

extension StackDesignText {
  /// Adds a promise to a stack.
  ///
  /// - Parameters:
  ///   - promise: A line of a stack without its first word, such as `unique Record.remoteID`.
  ///   - model: The model with the entities of the promise.
  /// - Returns: The stack, and the model with the texts of the promise among its symbols.
  package static func adding(
    _ promise: String, to stack: Stack, of model: ObjectModel
  ) throws(TextError) -> (stack: Stack, model: ObjectModel) {
    var scope = Scope(ofDesignWith: model)
    scope.stack = stack
    var errors = TextErrors()
    let lines = lines(of: promise, &errors)
    try errors.throwIfAny(upTo: 1)
    guard lines.count == 1, let line = lines.first else {
      throw TextError(line: 1, message: "a promise is one line, such as 'unique Record.remoteID'")
    }
    var reader = LineReader(line)
    try scope.readPromise(&reader)
    return (scope.stack, scope.model)
  }
}

extension PredicateTree {
  fileprivate var namesObjects: Bool {
    switch self {
    case .constant, .isOf: false
    case .and(let parts), .or(let parts): parts.contains(where: \.namesObjects)
    case .not(let part): part.namesObjects
    case .matches(let term, _, _): term.namesObjects
    case .comparison(let left, _, let right, _, _): left.namesObjects || right.namesObjects
    }
  }
}

extension PredicateTree.Term {
  fileprivate var namesObjects: Bool {
    switch self {
    case .object: true
    case .value, .itself, .path, .count, .aggregate: false
    case .list(let terms), .computed(_, let terms): terms.contains(where: \.namesObjects)
    case .countWhere(_, let tree): tree.namesObjects
    }
  }
}

extension Spelling {
  func line(_ promise: CallPromise, of entryPoint: Stack.EntryPoint) -> String {
    guard let data = promise.data else { return "promise  \(promise.text)" }
    return "\(line(data)) after \(entryPoint.name)"
  }

  func line(_ promise: Promise) -> String {
    var words = ["promise  \(promise.text)"]
    if promise.places != [.stores] {
      let names = promise.places.map { place in
        if case .context(let context) = place { text(context) } else { implicitCoordinator }
      }
      words += ["in"] + names
    }
    switch promise.occasion {
    case .afterSaves: break
    case .always: words.append("always")
    case .atRest: words.append("at rest")
    }
    return words.joined(separator: " ")
  }
}
