import Prose

/// An element of the XML that declares a part of a model.
struct ModelElement {
  let file: String
  /// The line on which the start tag ends.
  let line: Int
  let attributes: [String: String]
  /// The user info that the model declares for the element.
  var userInfo: [String: String] = [:]

  /// Returns the value of an XML attribute.
  subscript(key: String) -> String? { attributes[key] }

  /// Returns a Boolean value that indicates whether an XML attribute is `YES`.
  func flag(_ key: String, _ errors: inout InputErrors) -> Bool {
    switch attributes[key] {
    case "YES": return true
    case "NO", nil: return false
    case let text?:
      errors.add(error("\(key) is \(quoted(text)); write YES or NO"))
      return false
    }
  }

  /// Returns the required name, which must be a valid name in the text of a scenario.
  func name(of thing: String) throws(InputError) -> String {
    guard let name = self["name"] else { throw error("\(thing) without a name; add name=\"…\"") }
    let isName =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      && name.first?.isNumber == false
    guard isName else {
      throw error(
        "\(quoted(name)) cannot name \(thing); a name consists of a to z, digits and _, "
          + "and does not begin with a digit"
      )
    }
    return name
  }

  func error(_ message: String) -> InputError {
    InputError(file: file, line: line, message: message)
  }
}
