import Failures
import ObjectModel
import Prose
import Vocabulary

/// The first words of claims.
private let claimWords =
  ["count", "equal", "unique", "every", "sum"] + Claim.InstanceState.allCases.map(\.rawValue)
  + [
    "same", "distinct", "changed", "clean", "answered", "posted", "failed", "succeeded", "deadlock",
  ]
  + ["shows", "no"]

extension Scope {
  mutating func claim(_ line: inout LineReader) throws(TextError) -> Claim {
    let quantifier = Claim.Quantifier.allCases.first { line.takes(keyword: $0.rawValue) }
    let condition = try condition(&line)
    try line.expectEnd()
    var claim = Claim(condition, quantifier)
    claim.line = line.line
    return claim
  }

  private mutating func condition(_ line: inout LineReader) throws(TextError) -> Claim.Condition {
    let start = line
    let word = try line.word("a claim")
    // A count is of events, unless it names an entity.
    if let keyword = DataKeyword(rawValue: word),
      keyword != .count
        || WatchedEvent(rawValue: line.nextWord) == nil && model.entity(named: line.nextWord) != nil
    {
      return try data(keyword, &line, from: start)
    }
    if let state = Claim.InstanceState(rawValue: word) {
      return .state(state, of: try reference(&line, lane: nil).reference)
    }
    switch word {
    case "count": return try count(&line)
    case "equal": return try equal(&line)
    case "same":
      let first = try reference(&line, lane: nil).reference
      return .same(first, try reference(&line, lane: nil).reference)
    case "distinct":
      let first = try reference(&line, lane: nil).reference
      return .distinct(first, try reference(&line, lane: nil).reference)
    case "changed": return .changed(try context(&line))
    case "clean": return .clean(try context(&line))
    case "answered": return try answered(&line)
    case "posted": return try posted(&line)
    case "failed": return .failed(try failureName(&line))
    case "succeeded": return .succeeded
    case "deadlock": return .deadlock
    case "shows": return .shows(try failureKind(&line))
    case "no": return .showsNo(try failureKind(&line))
    default: throw line.error(unknown("no claim", word, "the claims are", claimWords))
    }
  }

  /// Reads a claim about data after its first word, such as `unique Note.title in store view`.
  private mutating func data(
    _ keyword: DataKeyword, _ line: inout LineReader, from start: LineReader
  ) throws(TextError) -> Claim.Condition {
    let claim = try dataClaim(keyword, "claim", &line)
    var (start, rest) = (start, line)
    let text = spacedOnce(start.rest().dropLast(rest.rest().count))
    return .data(claim, in: try dataPlaces("claim", &line, before: []), text: text)
  }

  private func context(_ line: inout LineReader) throws(TextError) -> ContextID {
    try context(try line.identifier("the name of a context"), "claim names context", line)
  }

  /// Reads a claim about a result, such as `view counted 2` or `view found [n m]`.
  ///
  /// Only the first word is checked. A claim with other words that no transcript contains does not
  /// hold.
  private func answered(_ line: inout LineReader) throws(TextError) -> Claim.Condition {
    let context = try context(&line)
    if line.isAtEnd { throw line.missing("an answer, such as 'counted 2'") }
    let controllers = stack.controllers.filter { $0.context == context }.map(\.name)
    let words = EventText.answerWords + controllers
    guard words.contains(line.nextWord) else {
      throw line.undeclared(
        line.nextWord, unknown("no answer", line.nextWord, "the answers are", words))
    }
    return .answered(context, line.rest())
  }

  /// Reads a claim about a notification, such as `view didSave inserted n`. Only the first word is
  /// checked, as in `answered`.
  private func posted(_ line: inout LineReader) throws(TextError) -> Claim.Condition {
    let subject = try line.identifier("the name of a context or a coordinator")
    let contexts = stack.contexts.map(\.name)
    let coordinators = stack.coordinators.map(\.name)
    let isContext = contexts.contains(subject)
    guard isContext || coordinators.contains(subject) else {
      throw line.undeclared(
        subject,
        unknown(
          "claim names context or coordinator", subject, "the stack has", contexts + coordinators))
    }
    let meant: WatchedEvent.Subject = isContext ? .context : .coordinator
    let words = WatchedEvent.allCases.filter {
      // The transcript line of a controller begins with the controller's name.
      $0.subject == meant && $0 != .controllerDidChangeContent
    }.map(\.rawValue)
    if line.isAtEnd { throw line.missing("a notification, such as '\(words[0])'") }
    guard words.contains(line.nextWord) else {
      throw line.error(unknown("'\(subject)' posts no", line.nextWord, "it posts", words))
    }
    return .posted(subject, line.rest())
  }

  /// Reads the name of a failure, such as `lost update`, up to the end of the line.
  private func failureKind(_ line: inout LineReader) throws(TextError) -> FailureKind {
    if line.isAtEnd { throw line.missing("a violation, such as 'lost update'") }
    let name = line.rest()
    if let kind = FailureKind(name) { return kind }
    throw line.error(
      unknown(
        "no violation is called", name, of: FailureKind.violations.map(\.name),
        otherwise: "the documentation's article Invariants has the names"))
  }

  private func failureName(_ line: inout LineReader) throws(TextError) -> FailureName {
    let word = try line.identifier("the name of a failure")
    if let name = FailureName.all.first(where: { $0.text == word }) { return name }
    let known = FailureName.all.map(\.text)
    throw line.error(
      unknown(
        "no failure", word, of: known, otherwise: "the failures are \(enumerated(known))"))
  }

  /// Reads a claim about a count, such as `awakeFromInsert n == 2`, `didSave view == 1`,
  /// `saveRequest store == 1` or `failed managedObjectMerge == 1`.
  private mutating func count(_ line: inout LineReader) throws(TextError) -> Claim.Condition {
    func number(_ line: inout LineReader) throws(TextError) -> Claim.Amount {
      guard let relation = Claim.Amount.Relation.allCases.first(where: { line.takes($0.rawValue) })
      else { throw line.missing("'==', '>=' or '<='") }
      return Claim.Amount(try line.count("a count"), relation)
    }
    if line.takes(keyword: "failed") {
      return .countFailed(try failureName(&line), try number(&line))
    }
    let event = try line.watchedEvent()
    switch event.subject {
    case .object: return .count(event, of: try object(&line).name, try number(&line))
    case .context: return .countPosted(event, by: try context(&line), try number(&line))
    case .coordinator:
      return .countCoordinated(event, by: try coordinator(&line), try number(&line))
    }
  }

  private func coordinator(_ line: inout LineReader) throws(TextError) -> CoordinatorID {
    let name = try line.identifier("the name of a coordinator, or 'store'")
    if let index = stack.coordinators.firstIndex(where: { $0.name == name }) {
      return CoordinatorID(index)
    }
    throw line.undeclared(
      name,
      unknown("claim names coordinator", name, "the stack has", stack.coordinators.map(\.name)))
  }

  /// Reads a claim about values, such as `view.n {title: "draft"}`, `store.n {title: "draft"}` or
  /// `store.Note [n]`.
  private mutating func equal(_ line: inout LineReader) throws(TextError) -> Claim.Condition {
    guard line.takes(keyword: "store") else {
      let (reference, entity) = try reference(&line, lane: nil)
      return .instance(reference, has: try expectations(of: model[entity], &line))
    }
    try line.expect(".")
    let word = try line.identifier("an entity or the name of an object")
    if line.takes("[") {
      let entity = try entity(word, "claim names", line)
      return .rows(entity, are: try designations(&line))
    }
    let (name, entity) = try object(word, line)
    return .row(of: name, has: try expectations(of: model[entity], &line))
  }

  /// Reads expected values, such as `{title: "draft", folder: f, tags: [a b]}`.
  private mutating func expectations(of entity: Entity, _ line: inout LineReader)
    throws(TextError) -> [Claim.Expectation]
  {
    var expectations: [Claim.Expectation] = []
    try line.expect("{")
    if line.takes("}") { return [] }
    repeat {
      let property = try line.property(of: entity)
      if expectations.contains(where: { $0.property == property }) {
        throw line.error("'\(entity[property].name)' is given twice; once is enough")
      }
      try line.expect(":")
      let value = try expectedValue(of: entity[property], &line)
      expectations.append(Claim.Expectation(property, value))
    } while line.takes(",")
    try line.expect("}")
    return expectations
  }

  private mutating func expectedValue(of property: Property, _ line: inout LineReader)
    throws(TextError) -> Claim.ExpectedValue
  {
    if let attribute = property.attribute {
      return .value(try line.literal(attribute.type, &model.symbols))
    }
    if property.isToMany {
      try line.expect("[")
      return .collection(try designations(&line))
    }
    if line.takes(keyword: "nil") { return .value(.null) }
    return .object(try designation(&line))
  }

  /// Reads objects after `[`, up to `]`.
  private mutating func designations(_ line: inout LineReader) throws(TextError)
    -> [Claim.Designation]
  {
    var designations: [Claim.Designation] = []
    while !line.takes("]") { designations.append(try designation(&line)) }
    return designations
  }

  /// Reads an object, such as `n`, `Note/p3` or `Note/t5`.
  private mutating func designation(_ line: inout LineReader) throws(TextError)
    -> Claim.Designation
  {
    let word = try line.identifier("an object")
    guard line.takesDirectly("/") else { return .named(try object(word, line).name) }
    let entity = try entity(word, "claim names", line)
    if line.takesDirectly("p") { return .permanent(entity, key: try line.count("a key", from: 1)) }
    if line.takesDirectly("t") {
      return .temporary(entity, serial: try line.count("a serial", from: 1))
    }
    throw line.error("'\(word)/' lacks a number; write '\(word)/p3' or '\(word)/t5'")
  }
}

extension LineReader {
  mutating func watchedEvent() throws(TextError) -> WatchedEvent {
    let word = try word("an event")
    if let event = WatchedEvent(rawValue: word) { return event }
    throw error(unknown("no event", word, "the events are", WatchedEvent.allCases.map(\.rawValue)))
  }
}
