import ObjectModel
import Prose
import Vocabulary

/// The declarations and names to which the words of a scenario can refer while it is parsed.
struct Scope {
  /// The model. Its symbols grow with each parsed text.
  var model: ObjectModel
  var stack = Stack()
  /// The names of objects, in order of first mention.
  private(set) var names: [String] = []
  private var numbers: [String: ObjectName] = [:]
  /// The bindings of names, or `nil` for a stack without a program.
  let bindings: TextBindings?
  /// The declarations of the stack that is being parsed.
  var declarations = StackDeclarations()
  /// The name of the entry point whose steps are being parsed.
  var entryPointBeingRead: String? = nil
  var isInObserver = false
  /// A Boolean value that indicates whether a stack is being parsed, in which claims are not
  /// allowed.
  var isInStack = false
  /// The pools, each of which one line declares.
  var pools: [ContextPool] = []
  /// The current context of the pool, in a part that is written once for all contexts of a pool.
  var poolMember: ContextPool.Member? = nil
  /// The errors of the stack, the steps and the claims.
  var errors = TextErrors()
  /// A Boolean value that indicates whether promises can only be about data, because code is not
  /// divided into the parts of a stack.
  var promisesOnlyData = false
  /// The lines in which reads in a context name their results.
  var namesOfReads: [HeldInstance: Int] = [:]
  /// The names that erroneous lines of the stack would have declared.
  var undeclared: Set<String> = []
  /// A Boolean value that indicates whether the model could not be read. Without a model,
  /// references to entities cannot be checked.
  var lacksModel = false

  /// The maximum number of errors of a stack, or of steps and claims, that are reported at once.
  static let shownErrorLimit = 20

  /// A Boolean value that indicates whether a stack without a program is being parsed.
  var isDesign: Bool { bindings == nil }

  init(model: ObjectModel, bindings: TextBindings) {
    self.model = model
    self.bindings = bindings
  }

  init(ofDesignWith model: ObjectModel) {
    self.model = model
    bindings = nil
  }

  /// Adds an error. An error about a name that an erroneous line should have declared is marked as
  /// a consequence.
  mutating func note(_ error: TextError, in line: Line) {
    var error = error
    // After an error, the rest of the line may be misread.
    if errors.hasOne(in: line.number) { error.isConsequence = true }
    if case .undeclaredName(let name) = error.kind, undeclared.contains(name) {
      error.isConsequence = true
    }
    errors.add(error)
  }

  /// Returns the entity called `name`.
  func entity(_ name: String, _ statement: String, _ line: LineReader) throws(TextError)
    -> EntityID
  {
    if let entity = model.entity(named: name) { return entity }
    if lacksModel {
      throw line.consequence("\(statement) entity '\(shortened(name))' without a model")
    }
    let known = model.entities.map(\.name)
    if bindings == nil, known.isEmpty {
      throw line.unknownEntity(
        name, known,
        "\(statement) entity '\(shortened(name))' without a model; write 'model  PATH' above the stack"
      )
    }
    throw line.unknownEntity(
      name, known, unknown("\(statement) entity", name, "the model has", known))
  }

  /// Returns the context called `name`, which `speaker` mentions.
  func context(_ name: String, _ speaker: String, _ line: LineReader) throws(TextError)
    -> ContextID
  {
    if let index = stack.contexts.firstIndex(where: { $0.name == name }) {
      return ContextID(index)
    }
    if let poolMember, poolMember.pool == name { return poolMember.context }
    if let error = poolError(name, speaker, line) { throw error }
    throw line.undeclared(
      name, unknown(speaker, name, "the stack has", stack.contexts.map(\.name)))
  }

  /// Returns the object called `name` and its entity.
  mutating func object(_ name: String, _ line: LineReader) throws(TextError)
    -> (name: ObjectName, entity: EntityID)
  {
    guard let bindings else {
      throw line.error(
        "'\(shortened(name))' would name an object, but a stack cannot name objects; the programs "
          + "that run on it choose their own names")
    }
    guard let entity = bindings.entity(of: name) else {
      if stack.contexts.contains(where: { $0.name == name }) {
        throw line.error(
          "'\(name)' is a context, not an object; write the object's name alone")
      }
      var error = line.error(unknown("no step inserts", name, "the steps bind", bindings.names))
      error.isConsequence = bindings.isMeant(name) || lacksModel
      throw error
    }
    if let number = numbers[name] { return (number, entity) }
    let number = ObjectName(names.count)
    names.append(name)
    numbers[name] = number
    return (number, entity)
  }
}
