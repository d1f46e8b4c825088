/// The first answer of an implementation that differs from Faultline's.
struct Difference {
  /// The part of the behaviour that was compared.
  enum Aspect: String {
    /// The answer to the step itself.
    case answer
    /// The instances and contexts that have pending changes afterwards.
    case changes
    /// The rows of the store after a save.
    case rows
    /// The end of the process, because the implementation raised an exception or trapped.
    case ending
  }

  /// The number of the step in the program, from 0.
  let step: Int
  let aspect: Aspect
  let verb: String
  let expected: String
  let actual: String

  /// The kind by which differences are sorted: the kind of the step, and both answers without names
  /// and values.
  var kind: String {
    switch aspect {
    case .answer: "\(verb): \(Difference.form(expected)), theirs \(theirForm)"
    case .changes: "changes after \(verb): \(flagForms)"
    case .rows: "rows after \(verb): \(rowForms)"
    case .ending: "\(verb): \(Difference.form(expected)), theirs \(actual)"
    }
  }

  private var theirForm: String {
    let words = expected.split(separator: " ")
    let others = actual.split(separator: " ")
    guard words.first == others.first else { return Difference.form(actual) }
    if words.first == "values" {
      let missing = Set(words).subtracting(others).map { Difference.valueForm(String($0)) }
      let extra = Set(others).subtracting(words).map { Difference.valueForm(String($0)) }
      return "lacks \(missing.sorted().first ?? "nothing"), "
        + "has \(extra.sorted().first ?? "no more")"
    }
    let ours = Difference.members(expected)
    let theirs = Difference.members(actual)
    if let ours, let theirs {
      let lacks = !ours.subtracting(theirs).isEmpty
      let adds = !theirs.subtracting(ours).isEmpty
      return lacks ? adds ? "other objects" : "fewer objects" : "more objects"
    }
    return Difference.form(actual)
  }

  private var flagForms: String {
    var ours = Set(expected.split(separator: " "))
    var theirs = Set(actual.split(separator: " "))
    // The flag of a context adds little to the flag of one of its instances.
    if ours.union(theirs).contains(where: { $0.contains(":") }) {
      ours = ours.filter { $0.contains(":") }
      theirs = theirs.filter { $0.contains(":") }
    }
    func form(_ entries: Set<Substring>) -> String {
      let forms = entries.map { entry in
        entry.split(separator: ":").dropFirst().first.map(String.init) ?? "hasChanges"
      }
      return forms.isEmpty ? "nothing" : Set(forms).sorted().joined(separator: "+")
    }
    return "\(form(ours.subtracting(theirs))), theirs \(form(theirs.subtracting(ours)))"
  }

  private var rowForms: String {
    func rows(_ text: String) -> [String: Set<Substring>] {
      var result: [String: Set<Substring>] = [:]
      for row in text.split(separator: "|") {
        let parts = row.split(separator: "{")
        let fields = parts.dropFirst().first ?? ""
        result[String(parts[0])] = Set(fields.dropLast().split(separator: " "))
      }
      return result
    }
    let ours = rows(expected)
    let theirs = rows(actual)
    var forms: Set<String> = []
    for (name, fields) in ours {
      guard let others = theirs[name] else {
        forms.insert("a row, theirs none")
        continue
      }
      for field in fields.subtracting(others) {
        let property = field.prefix { $0 != "=" }
        let other = others.first { $0.prefix { $0 != "=" } == property } ?? "none"
        forms.insert(
          "\(Difference.valueForm(String(field))), theirs \(Difference.valueForm(String(other)))")
      }
    }
    if theirs.keys.contains(where: { ours[$0] == nil }) { forms.insert("no row, theirs one") }
    return forms.sorted().joined(separator: "; ")
  }

  /// Returns an answer without names and values.
  private static func form(_ answer: String) -> String {
    let words = answer.split(separator: " ").map(String.init)
    switch words.first {
    case "value": return "value \(valueForm(words.count > 1 ? words[1] : ""))"
    case "failed": return answer
    default: return words.first ?? "nothing at all"
    }
  }

  private static func valueForm(_ field: String) -> String {
    let value = field.split(separator: "=", maxSplits: 1).last.map(String.init) ?? field
    if value == "nil" || value == "[]" { return value }
    if value.hasPrefix("[") { return "[…]" }
    switch value.prefix(2) {
    case "s:": return "text"
    case "i:": return "number"
    case "b:": return "flag"
    case "o:": return "object"
    case "?:": return "something else"
    default: return value
    }
  }

  private static func members(_ answer: String) -> Set<Substring>? {
    guard let start = answer.firstIndex(of: "["), answer.hasSuffix("]") else { return nil }
    return Set(answer[answer.index(after: start)...].dropLast().split(separator: ","))
  }
}
