import InputFiles

/// Code that the classes of a module need because Linux lacks the Objective-C runtime.
///
/// - An override in an extension is renamed, and its class gets an override that calls it.
/// - Key-value coding finds computed `@objc` properties of managed objects. The class gets
///   methods that return them by name and call validation methods such as `validateTitle(_:)`.
///
/// The code is added after the brace of the class, on the same line.
struct ModuleClasses {
  /// An overriding method in an extension.
  struct Override: Hashable {
    let type: String
    /// The modifiers without `override`, such as `public class`.
    let modifiers: String
    let name: String
    /// The text between the parentheses.
    let parameters: String
    /// The arguments of a call that passes the parameters on.
    let arguments: String
    /// The text between the parentheses and the body, such as `throws` and the result.
    let tail: String

    var newName: String { "__extended_\(type)_\(name)" }

    var forwarding: String {
      let call = "\(tail.contains("throws") ? "try " : "")\(newName)(\(arguments))"
      return "\(modifiers)override func \(name)(\(parameters)) \(tail){ \(call) }"
    }
  }

  /// The position of an override, in tokens.
  struct Place {
    let override: Override
    let keyword: Int
    let name: Int
  }

  private var all: [Override] = []
  /// The inherited type, indexed by class.
  private var classes: [String: String] = [:]
  /// Names of several classes that are nested in different types. No code is added to these
  /// classes.
  private var ambiguous: Set<String> = []
  /// The names of computed `@objc` properties, each with its class.
  private var computed: [(type: String, name: String)] = []
  /// The methods that validate a property, each with its class.
  private var validations: [(type: String, name: String)] = []
  /// The classes that override `validateValue`.
  private var validators: Set<String> = []
  /// The `@objc` methods that an expression of a mapping model may call, each with its class.
  private var methods: [(type: String, method: CallableMethod)] = []
  /// The classes that are declared `@MainActor`.
  private var ofMainActor: Set<String> = []
  /// The classes that override `observeValue`, which no class of Foundation has on Linux.
  private var observers: Set<String> = []
  /// The optional methods of protocols.
  private(set) var optional = OptionalRequirements()
  /// The executors that extensions give to actors.
  private(set) var executors = ActorExecutors()

  /// Collects the executors that sources of dependencies give to actors.
  init(dependencies: [String]) throws(InputError) {
    for path in dependencies {
      executors.collect(SwiftLexer.tokens(of: try TextFile.read(path: path)))
    }
  }

  /// Adds the declarations of a source.
  mutating func collect(_ tokens: [SwiftToken]) {
    optional.collect(tokens)
    executors.collect(tokens)
    var conditions = 0
    for index in tokens.indices {
      switch tokens[index].text {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      // Conditional declarations are left to the compiler.
      case "extension" where conditions == 0:
        all += ModuleClasses.places(inExtensionAt: index, tokens).map(\.override)
        guard tokens.indices.contains(index + 2), tokens[index + 2].text != "." else { continue }
        addComputed(of: tokens[index + 1].text, in: tokens, from: index, isExtension: true)
        addValidations(of: tokens[index + 1].text, in: tokens, from: index)
        addObserver(tokens[index + 1].text, in: tokens, from: index)
        let extended = CallableMethod.all(ofTypeAt: index, isExtension: true, tokens)
        methods += extended.map { (tokens[index + 1].text, $0) }
      case "class":
        guard let name = ModuleClasses.name(ofClassAt: index, tokens) else { continue }
        if classes[name] != nil { ambiguous.insert(name) }
        let isDerived = tokens.indices.contains(index + 3) && tokens[index + 2].text == ":"
        classes[name] = isDerived ? tokens[index + 3].text : ""
        if tokens.words(before: index).attributes.contains("MainActor") { ofMainActor.insert(name) }
        addComputed(of: name, in: tokens, from: index, isExtension: false)
        addValidations(of: name, in: tokens, from: index)
        addObserver(name, in: tokens, from: index)
        methods += CallableMethod.all(ofTypeAt: index, tokens).map { (name, $0) }
      default: break
      }
    }
  }

  private mutating func addObserver(_ type: String, in tokens: [SwiftToken], from index: Int) {
    if KeyValueObserver(at: index, tokens) != nil { observers.insert(type) }
  }

  /// Returns a Boolean value that indicates whether a class inherits an `observeValue` from another
  /// class of the module.
  func inheritsObserver(_ type: String) -> Bool { inherits(type) { observers.contains($0) } }

  /// Returns a Boolean value that indicates whether the class belongs to the module. Such a class
  /// can call methods of its extensions.
  func hasClass(_ name: String) -> Bool { classes[name] != nil && !ambiguous.contains(name) }

  /// Returns the code that the class gets after its brace, or `nil` for none.
  func additions(to type: String) -> String? {
    guard hasClass(type) else { return nil }
    var text = all.filter { $0.type == type }.map { " \($0.forwarding);" }.joined()
    let names = computed.filter { $0.type == type }.map(\.name)
    if !names.isEmpty, isManaged(type) {
      let cases = names.map { name in
        "case \"\(name.filter { $0 != "`" })\": return .some(\(name))"
      }.joined(separator: "; ")
      text +=
        " public override func computedValue(forKey key: String) -> Any?? { switch key { \(cases); "
        + "default: return super.computedValue(forKey: key) } };"
    }
    if isManaged(type) { text += validation(of: type) }
    if inherits(type, from: { ["NSEntityMigrationPolicy", "NSMigrationManager"].contains($0) }) {
      text += CallableMethod.override(methods.filter { $0.type == type }.map(\.method))
    }
    return text.isEmpty ? nil : text
  }

  /// Returns the code that calls the validation methods of a class.
  private func validation(of type: String) -> String {
    var text = ""
    let names = validations.filter { $0.type == type }.map(\.name)
    if !names.isEmpty {
      let keys = names.map { name -> (key: String, name: String) in
        let stem = name.dropFirst("validate".count)
        return (stem.prefix(1).lowercased() + stem.dropFirst(), name)
      }
      let list = keys.map { "\"\($0.key)\"" }.joined(separator: ", ")
      let cases = keys.map { "case \"\($0.key)\": try \($0.name)(value)" }.joined(separator: "; ")
      text +=
        " public override class var validatedKeys: [String] { super.validatedKeys + [\(list)] };"
        + " public override func validateProperty(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,"
        + " forKey key: String) throws { switch key { \(cases); "
        + "default: try super.validateProperty(value, forKey: key) } };"
    }
    if validators.contains(type) {
      text += " public override class var validatesAllKeys: Bool { true };"
    }
    return text
  }

  /// Returns a Boolean value that indicates whether the class is a managed object class, as far as
  /// the module shows.
  private func isManaged(_ type: String) -> Bool { inherits(type) { $0 == "NSManagedObject" } }

  /// Returns a Boolean value that indicates whether the class is a test class, as far as the module
  /// shows.
  func isTestCase(_ type: String) -> Bool { inherits(type) { $0 == "XCTestCase" } }

  /// Returns a Boolean value that indicates whether the class inherits from `XCTestCase`, or from a
  /// class whose name ends in `TestCase`.
  func mayBeTestCase(_ type: String) -> Bool { inherits(type) { $0.hasSuffix("TestCase") } }

  /// Returns a Boolean value that indicates whether the main actor isolates the class, as far as
  /// the module shows.
  func isOfMainActor(_ type: String) -> Bool {
    ofMainActor.contains(type) || inherits(type) { ofMainActor.contains($0) }
  }

  private func inherits(_ type: String, from isMeant: (String) -> Bool) -> Bool {
    var (type, steps) = (type, 0)
    while let next = classes[type], steps < 64 {
      if isMeant(next) { return true }
      (type, steps) = (next, steps + 1)
    }
    return false
  }

  // MARK: Tokens

  /// Adds the computed `@objc` properties of the body that begins after `index`. An extension may
  /// be in another file, so only properties visible to the class are added.
  private mutating func addComputed(
    of type: String, in tokens: [SwiftToken], from index: Int, isExtension: Bool
  ) {
    guard let start = tokens[index...].firstIndex(where: { $0.text == "{" }) else { return }
    let isHiddenExtension =
      isExtension && index > 0 && tokens[index - 1].text.hasSuffix("private")
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    var (depth, conditions) = (0, 0)
    for position in start..<tokens.count {
      switch text(position) {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "objc" where conditions == 0 && depth == 1 && text(position - 1) == "@":
        var next = position + 1
        if text(next) == "(" {
          while next < tokens.count, text(next) != ")" { next += 1 }
          next += 1
        }
        var modifiers: [String] = []
        while SourceRewriter.modifiers.contains(text(next)) || text(next) == "@" {
          modifiers.append(text(next))
          next += text(next) == "@" ? 2 : 1
        }
        let isHidden =
          isHiddenExtension || isExtension && modifiers.contains { $0.hasSuffix("private") }
        guard text(next) == "var", !modifiers.contains("static"), !modifiers.contains("class"),
          !isHidden, !modifiers.contains("@"), text(next + 2) == ":"
        else { continue }
        // A stored property has a value, or no brace on its line or the next.
        let rest = tokens[(next + 3)...].prefix {
          !$0.beginsLine || $0.text == "{"
        }
        let sign = rest.first { $0.text == "{" || $0.text == "=" }
        if sign?.text == "{" {
          computed.append((type, text(next + 1)))
        }
      default: break
      }
      if depth == 0 { break }
    }
  }

  /// Adds the validation methods of the body that begins after `index`. A validation method is
  /// declared as `validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws`.
  private mutating func addValidations(
    of type: String, in tokens: [SwiftToken], from index: Int
  ) {
    guard let start = tokens[index...].firstIndex(where: { $0.text == "{" }) else { return }
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    var (depth, conditions) = (0, 0)
    for position in start..<tokens.count {
      switch text(position) {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "func" where depth == 1 && conditions == 0 && text(position + 2) == "(":
        let name = text(position + 1)
        guard name.hasPrefix("validate"), text(position - 1) != "static",
          text(position + 5) == ":",
          text(position + 6) == "AutoreleasingUnsafeMutablePointer"
        else { continue }
        if name == "validateValue" {
          validators.insert(type)
        } else if text(position + 3) == "_", tokens.end(ofBracketAt: position + 2) < tokens.count,
          text(tokens.end(ofBracketAt: position + 2)) == "throws",
          name.dropFirst("validate".count).first?.isUppercase == true
        {
          validations.append((type, name))
        }
      default: break
      }
      if depth == 0 { break }
    }
  }

  /// Returns the name of the class that is declared at `index`. Returns `nil` for `class func` and
  /// `: class`.
  static func name(ofClassAt index: Int, _ tokens: [SwiftToken]) -> String? {
    guard tokens.indices.contains(index + 2), tokens[index + 1].kind == .word,
      !SourceRewriter.modifiers.contains(tokens[index + 1].text),
      !["func", "var", "let", "subscript"].contains(tokens[index + 1].text),
      [":", "{", "<", "where"].contains(tokens[index + 2].text)
    else { return nil }
    return tokens[index + 1].text
  }

  static func places(inExtensionAt index: Int, _ tokens: [SwiftToken]) -> [Place] {
    guard tokens.indices.contains(index + 2), tokens[index + 1].kind == .word,
      tokens[index + 2].text != ".",
      let start = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return [] }
    var places: [Place] = []
    let access = index > 0 ? tokens[index - 1].text : nil
    var (depth, conditions) = (0, 0)
    for position in start..<tokens.count {
      switch tokens[position].text {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "override" where depth == 1:
        if conditions == 0,
          let place = place(at: position, tokens[index + 1].text, access: access, tokens)
        {
          places.append(place)
        }
      default: break
      }
      if depth == 0 { break }
    }
    return places
  }

  /// Returns the method whose `override` is at `index`.
  private static func place(
    at index: Int, _ type: String, access: String?, _ tokens: [SwiftToken]
  ) -> Place? {
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    var first = index
    while SourceRewriter.modifiers.contains(text(first - 1)) { first -= 1 }
    var function = index
    while SourceRewriter.modifiers.contains(text(function)) { function += 1 }
    // `observeValue` is not renamed. See `KeyValueObserver`.
    guard text(function) == "func", text(function + 2) == "(",
      text(function + 1) != "observeValue",
      let brace = tokens[function...].firstIndex(where: { $0.text == "{" })
    else { return nil }
    let end = tokens.end(ofBracketAt: function + 2)
    guard end <= brace, let arguments = arguments(in: tokens[(function + 3)..<(end - 1)]) else {
      return nil
    }
    var modifiers = (first..<function).map { text($0) }.filter { $0 != "override" }
    let levels = ["public", "open", "package", "internal", "fileprivate", "private"]
    if !modifiers.contains(where: levels.contains), let access, levels.contains(access) {
      modifiers.insert(access, at: 0)
    }
    func words(_ range: Range<Int>) -> String {
      range.map { index in
        let isAdjacent = tokens[index].range.lowerBound == tokens[index - 1].range.upperBound
        return (isAdjacent ? "" : " ") + text(index)
      }.joined()
    }
    let tail = words(end..<brace)
    let override = Override(
      type: type, modifiers: modifiers.map { "\($0) " }.joined(), name: text(function + 1),
      parameters: String(words(function + 3..<max(function + 3, end - 1)).drop { $0 == " " }),
      arguments: arguments, tail: tail.isEmpty ? "" : String(tail.drop { $0 == " " }) + " ")
    return Place(override: override, keyword: index, name: function + 1)
  }

  /// Returns the arguments of a call that passes parameters on. For `_ value: T, forKey key:
  /// String`, it returns `value, forKey: key`. Returns `nil` if a parameter is `inout` or variadic.
  private static func arguments(in tokens: ArraySlice<SwiftToken>) -> String? {
    var arguments: [String] = []
    var words: [String] = []
    var (depth, isName) = (0, true)
    for token in tokens {
      switch token.text {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", ">", "}": depth -= 1
      case "inout", "...": return nil
      case "," where depth == 0: (words, isName) = ([], true)
      case ":" where depth == 0 && isName:
        guard let label = words.first, let name = words.last else { return nil }
        arguments.append(label == "_" ? name : "\(label): \(name)")
        isName = false
      default: if isName { words.append(token.text) }
      }
    }
    return arguments.joined(separator: ", ")
  }
}
