import ObjectModel
import Prose
import Vocabulary

/// What the words of a scenario can stand for while it is read.
struct Scope {
  /// Its symbols grow with every text that is read.
  var model: ObjectModel
  var stack = Stack()
  /// In the order in which they are mentioned.
  private(set) var names: [String] = []
  private var numbers: [String: ObjectName] = [:]
  /// What the program's names stand for; nil where there is no program.
  let bindings: TextBindings?
  /// Of the stack that is being read.
  var declarations = StackDeclarations()
  /// The entry point whose steps are being read.
  var entryPointBeingRead: String? = nil
  var isInObserver = false
  /// Whether a stack is being read, in which nothing is claimed.
  var isInStack = false
  /// The contexts of each pool, which were declared in one line.
  var pools: [ContextPool] = []
  /// In a part that is written once for each context of a pool: the one that it is for.
  var poolMember: ContextPool.Member? = nil
  /// What is wrong with steps and claims.
  var errors = TextErrors()
  /// Where reads of a context give names to what they find.
  var namesOfReads: [HeldInstance: Int] = [:]
  /// What lines of the stack would have declared if they had been right.
  var undeclared: Set<String> = []
  /// Whether the model could not be read: what names its entities cannot be judged.
  var lacksModel = false

  /// How many errors of a stack, or of steps and claims, are shown at once.
  static let shownErrorLimit = 20

  /// Whether it reads a stack without a program.
  var isDesign: Bool { bindings == nil }

  init(model: ObjectModel, bindings: TextBindings) {
    self.model = model
    self.bindings = bindings
  }

  init(ofDesignWith model: ObjectModel) {
    self.model = model
    bindings = nil
  }

  /// Collects an error; one about a name that another line failed to declare is a consequence.
  mutating func note(_ error: TextError, in line: Line) {
    var error = error
    // The rest of a line that has an error already was not read as it is meant.
    if errors.hasOne(in: line.number) { error.isConsequence = true }
    if case .undeclaredName(let name) = error.kind, undeclared.contains(name) {
      error.isConsequence = true
    }
    errors.add(error)
  }

  /// The entity called `name`.
  func entity(_ name: String, _ statement: String, _ line: LineReader) throws(TextError)
    -> EntityID
  {
    if let entity = model.entity(named: name) { return entity }
    if lacksModel { throw line.consequence("\(statement) entity '\(shortened(name))' of no model") }
    if bindings == nil, model.entities.isEmpty {
      throw line.error(
        "\(statement) entity '\(shortened(name))' of no model; write 'model  PATH' above the stack")
    }
    throw line.error(
      unknown("\(statement) entity", name, "the model has", model.entities.map(\.name)))
  }

  /// The context called `name`, which `speaker` mentions.
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

  /// The object called `name`, and its entity.
  mutating func object(_ name: String, _ line: LineReader) throws(TextError)
    -> (name: ObjectName, entity: EntityID)
  {
    guard let bindings else {
      throw line.error(
        "'\(shortened(name))' stands for an object, and a stack can name none; the programs that run "
          + "on it have names of their own")
    }
    guard let entity = bindings.entity(of: name) else {
      if stack.contexts.contains(where: { $0.name == name }) {
        throw line.error(
          "'\(name)' is a context where an object should stand; name the object without it")
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
