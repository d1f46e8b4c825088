import Prose

/// An element of the XML that declares a part of a model.
struct ModelElement {
  let file: String
  /// Where its start tag ends.
  let line: Int
  let attributes: [String: String]
  /// What the app notes of it.
  var userInfo: [String: String] = [:]

  /// An XML attribute.
  subscript(key: String) -> String? { attributes[key] }

  /// Whether an XML attribute says YES.
  func flag(_ key: String, _ errors: inout InputErrors) -> Bool {
    switch attributes[key] {
    case "YES": return true
    case "NO", nil: return false
    case let text?:
      errors.add(error("\(key) is \(quoted(text)); write YES or NO"))
      return false
    }
  }

  /// The name that it must have, in a form that the text of a scenario can carry.
  func name(of thing: String) throws(InputError) -> String {
    guard let name = self["name"] else { throw error("\(thing) without a name; add name=\"…\"") }
    let isName =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && name.first?.isNumber == false
    guard isName else {
      throw error(
        "\(quoted(name)) cannot name \(thing); a name is made of a to z, digits and _, no digit first"
      )
    }
    return name
  }

  func error(_ message: String) -> InputError {
    InputError(file: file, line: line, message: message)
  }
}
