/// Reads a model, a stack and steps from standard input, performs them, and prints the answer to
/// each on a line.
final class AdapterLoop<Subject: Implementation> {
  typealias Object = Subject.Object

  private var entities: [EntityDeclaration] = []
  private var contexts: [ContextDeclaration] = []
  private var subject: Subject?
  private var stepNumber = 0
  /// The instances of each context with their names in the program, in the order in which the
  /// program met them.
  private var held: [[(name: String, object: Object)]] = []
  /// The names of objects in all contexts, given at their insertion.
  private var inserted: [(name: String, object: Object)] = []

  static func main() {
    if CommandLine.arguments.contains("--capabilities") {
      for line in Subject.capabilities { answer(line) }
    } else {
      AdapterLoop().run()
    }
  }

  private func run() {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      guard let verb = words.first else { continue }
      let operands = Array(words.dropFirst())
      if subject == nil {
        declare(verb, operands)
        continue
      }
      switch verb {
      case "flags": answer((["flags"] + flags()).joined(separator: " "))
      case "rows": answer("rows " + rows().joined(separator: "|"))
      default:
        subject!.begin(step: stepNumber)
        answer(perform(verb, operands))
        stepNumber += 1
      }
    }
  }

  // MARK: Declarations

  private func declare(_ verb: String, _ words: [String]) {
    switch verb {
    case "entity":
      entities.append(
        EntityDeclaration(
          name: words[0], parent: words[1] == "-" ? nil : words[1],
          isAbstract: words[2] == "abstract"))
    case "attribute":
      entities[entities.count - 1].attributes.append(
        EntityDeclaration.Attribute(
          name: words[1], type: words[2], isOptional: words[3] == "optional",
          defaultValue: constant(words[4])))
    case "relationship":
      entities[entities.count - 1].relationships.append(
        EntityDeclaration.Relationship(
          name: words[1], destination: words[2], isToMany: words[3] == "many",
          isOptional: words[4] == "optional", inverse: words[5] == "-" ? nil : words[5],
          deleteRule: words[6]))
    case "context": contexts.append(ContextDeclaration(name: words[0], policy: words[1]))
    case "begin":
      subject = Subject(entities, contexts)
      held = contexts.map { _ in [] }
    default: fatalError("a declaration that is not known: \(verb)")
    }
  }

  // MARK: Steps

  private func perform(_ verb: String, _ words: [String]) -> String {
    guard let subject, let context = contexts.firstIndex(where: { $0.name == words[0] }) else {
      fatalError("no context is called \(words[0])")
    }
    switch verb {
    case "insert":
      let object = subject.insert(words[2], in: context)
      inserted.append((words[1], object))
      bind(words[1], object, in: context)
      return "done"
    case "fetch", "count":
      return fetch(Array(words.dropFirst()), in: context, counts: verb == "count")
    case "object", "existingObject", "registeredObject":
      return look(verb, Array(words.dropFirst()), in: context)
    case "save", "reset", "rollback", "processPendingChanges", "hasChanges", "mergeChanges",
      "obtainPermanentIDs":
      return perform(verb, words, onContext: context)
    default:
      guard let object = instance(words[1], in: context) else { return "nothing" }
      return perform(verb, words, on: object, in: context)
    }
  }

  private func perform(_ verb: String, _ words: [String], onContext context: Int) -> String {
    guard let subject else { return "nothing" }
    switch verb {
    case "save": return text(subject.save(context), "saved")
    case "reset": subject.reset(context)
    case "rollback": subject.rollback(context)
    case "processPendingChanges": subject.processPendingChanges(context)
    case "hasChanges": return "flag \(subject.hasChanges(context))"
    case "mergeChanges":
      return subject.merge(save: Int(words[1]) ?? -1, into: context) ? "done" : "nothing"
    case "obtainPermanentIDs":
      let objects = list(words[1]).compactMap { instance($0, in: context) }
      return text(subject.obtainPermanentIDs(objects, in: context), "done")
    default: fatalError("no step is called \(verb)")
    }
    return "done"
  }

  private func perform(
    _ verb: String, _ words: [String], on object: Object, in context: Int
  ) -> String {
    guard let subject else { return "nothing" }
    switch verb {
    case "get": return "value " + text(subject.value(words[2], of: object))
    case "set", "relate":
      subject.set(words[2], of: object, to: value(words[3], in: context))
    case "increment":
      var number: Int64 = 0
      if case .integer(let present) = subject.value(words[2], of: object) { number = present }
      subject.set(words[2], of: object, to: .integer(number &+ 1))
    case "add", "remove":
      guard let other = instance(words[3], in: context) else { return "nothing" }
      if verb == "add" {
        subject.add(other, to: words[2], of: object)
      } else {
        subject.remove(other, from: words[2], of: object)
      }
    case "replace":
      subject.set(
        words[2], of: object,
        to: .objects(list(words[3]).compactMap { instance($0, in: context) }))
    case "delete": subject.delete(object, in: context)
    case "changedValues":
      let fields = subject.changedValues(of: object).map { "\($0.key)=\(text($0.value))" }
      return (["values"] + fields.sorted()).joined(separator: " ")
    case "validate": return text(subject.validate(object, words[2]), "saved")
    case "detectConflicts": subject.detectConflicts(object, in: context)
    case "refresh": subject.refresh(object, mergeChanges: words[2] == "true", in: context)
    default: fatalError("no step is called \(verb)")
    }
    return "done"
  }

  private func fetch(_ words: [String], in context: Int, counts: Bool) -> String {
    guard let subject else { return "nothing" }
    var comparisons: [Request<Object>.Comparison] = []
    for index in stride(from: 3, to: words.count, by: 3) {
      comparisons.append(
        Request.Comparison(
          key: words[index], relation: words[index + 1],
          value: operand(words[index + 2])))
    }
    let request = Request(
      entity: words[0], includesSubentities: words[1] == "subentities",
      includesPendingChanges: words[2] == "pending", comparisons: comparisons)
    switch subject.fetch(request, in: context) {
    case .failure(let kind): return "failed \(kind)"
    case .success(let objects):
      if counts { return "count \(objects.count)" }
      for object in objects { bind(name(of: object), object, in: context) }
      return "objects \(text(.objects(objects)))"
    }
  }

  private func look(_ verb: String, _ words: [String], in context: Int) -> String {
    guard let subject, let source = contexts.firstIndex(where: { $0.name == words[0] }),
      let other = instance(words[1], in: source)
    else { return "nothing" }
    let outcome =
      switch verb {
      case "object": subject.object(withIDOf: other, in: context)
      case "existingObject": subject.existingObject(withIDOf: other, in: context)
      default: subject.registeredObject(withIDOf: other, in: context)
      }
    switch outcome {
    case .failure(let kind): return "failed \(kind)"
    case .success(nil): return "nothing"
    case .success(let object?):
      let name = name(of: object)
      bind(words[2], object, in: context)
      return "object \(name == "?" ? words[2] : name)"
    }
  }
}

// MARK: - Names and values

extension AdapterLoop {
  private func bind(_ name: String, _ object: Object, in context: Int) {
    if name == "?" { return }
    if let index = held[context].firstIndex(where: { $0.name == name }) {
      held[context][index].object = object
    } else {
      held[context].append((name, object))
    }
  }

  private func instance(_ name: String, in context: Int) -> Object? {
    held[context].first { $0.name == name }?.object
  }

  private func name(of object: Object) -> String {
    for instances in [inserted] + held {
      for instance in instances where subject!.isSame(instance.object, object) {
        return instance.name
      }
    }
    return "?"
  }

  private func list(_ text: String) -> [String] {
    text.dropFirst().dropLast().split(separator: ",").map(String.init)
  }

  private func constant(_ text: String) -> PlainValue<Never> {
    let rest = String(text.dropFirst(2))
    switch text.prefix(2) {
    case "i:": return .integer(Int64(rest) ?? 0)
    case "b:": return .flag(rest == "true")
    case "s:": return .text(unescaped(rest))
    default: return .null
    }
  }

  private func value(_ text: String, in context: Int) -> PlainValue<Object> {
    if text.hasPrefix("o:") {
      return instance(String(text.dropFirst(2)), in: context).map { .object($0) } ?? .null
    }
    switch constant(text) {
    case .integer(let number): return .integer(number)
    case .flag(let flag): return .flag(flag)
    case .text(let text): return .text(text)
    default: return .null
    }
  }

  /// Reads the value with which a property is compared: an instance of any context, such as
  /// `o:view.n`, or a constant.
  private func operand(_ text: String) -> PlainValue<Object> {
    let parts = text.dropFirst(2).split(separator: ".").map(String.init)
    guard text.hasPrefix("o:"), parts.count == 2,
      let context = contexts.firstIndex(where: { $0.name == parts[0] }),
      let object = instance(parts[1], in: context)
    else { return value(text, in: 0) }
    return .object(object)
  }

  private func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        result.append(character)
        continue
      }
      if let code = UInt8(rest.prefix(2), radix: 16) {
        result.append(Character(UnicodeScalar(code)))
      }
      rest = rest.dropFirst(2)
    }
    return result
  }

  private func text(_ value: PlainValue<Object>) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number): "i:\(number)"
    case .flag(let flag): "b:\(flag)"
    case .text(let text): "s:\(escaped(text))"
    case .object(let object): "o:\(name(of: object))"
    case .objects(let objects):
      "[" + objects.map { name(of: $0) }.sorted().joined(separator: ",") + "]"
    case .unknown(let text): "?:\(escaped(text))"
    }
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case " ": result += "%20"
      case "%": result += "%25"
      case ",": result += "%2C"
      default: result.append(character)
      }
    }
    return result
  }

  private func text(_ outcome: Outcome<Void>, _ success: String) -> String {
    switch outcome {
    case .success: success
    case .failure(let kind): "failed \(kind)"
    }
  }

  // MARK: What can be seen

  private func flags() -> [String] {
    guard let subject else { return [] }
    var result: [String] = []
    for (index, context) in contexts.enumerated() {
      if subject.hasChanges(index) { result.append(context.name) }
      for instance in held[index] {
        let letters = subject.flags(of: instance.object)
        if !letters.isEmpty { result.append("\(context.name).\(instance.name):\(letters)") }
      }
    }
    return result.sorted()
  }

  private func rows() -> [String] {
    guard let subject else { return [] }
    return subject.storedObjects().map { object in
      var fields: [String] = []
      var entity = entities.first { $0.name == subject.entityName(of: object) }
      while let current = entity {
        for key in current.attributes.map(\.name) + current.relationships.map(\.name) {
          fields.append("\(key)=\(text(subject.value(key, of: object)))")
        }
        entity = entities.first { $0.name == current.parent }
      }
      return "\(name(of: object)){\(fields.sorted().joined(separator: " "))}"
    }.sorted()
  }
}
