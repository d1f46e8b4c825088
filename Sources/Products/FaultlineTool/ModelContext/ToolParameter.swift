import Prose

/// A parameter of a tool of the server.
struct ToolParameter {
  enum Kind {
    case text
    case flag
    case number(ClosedRange<Int>)
    /// A number or its text, such as `0x1f`.
    case seed
    case texts
  }

  let name: String
  let kind: Kind
  let about: String
  var isRequired = false

  /// The JSON schema of the value.
  var schema: [String: Any] {
    var schema: [String: Any] = ["description": about]
    switch kind {
    case .text: schema.merge(ToolParameter.plainText) { $1 }
    case .flag: schema["type"] = "boolean"
    case .number(let range):
      schema["type"] = "integer"
      schema["minimum"] = range.lowerBound
      schema["maximum"] = range.upperBound
    case .seed:
      schema["type"] = ["string", "integer"]
      schema["minimum"] = 0
      schema["pattern"] = "^(0x[0-9A-Fa-f]{1,16}|[0-9]{1,19})$"
    case .texts:
      schema["type"] = "array"
      schema["items"] = ToolParameter.plainText
    }
    return schema
  }

  /// The schema of a text that a command line can contain.
  private static var plainText: [String: Any] {
    ["type": "string", "pattern": "^[^\\u0000-\\u001F\\u007F]+$"]
  }

  /// Returns the value as texts, of which a command line makes options. A flag that is true is one
  /// empty text. Throws an error if the value does not match the schema.
  func texts(of value: Any) throws(ProtocolError) -> [String] {
    switch kind {
    case .text:
      guard let text = value as? String else { throw mismatch("a string") }
      return [try checked(text)]
    case .flag:
      guard JSONNumber.isBoolean(value), let flag = value as? Bool else {
        throw mismatch("true or false")
      }
      return flag ? [""] : []
    case .number(let range):
      guard let number = JSONNumber.integer(value), range.contains(number) else {
        throw mismatch(
          "an integer from \(grouped(range.lowerBound)) to \(grouped(range.upperBound))")
      }
      return ["\(number)"]
    case .seed:
      let text = value as? String ?? JSONNumber.integer(value).map { "\($0)" }
      guard let text, Arguments.seed(text) != nil else {
        throw mismatch("a number such as 7 or \"0x1f2e3d\"")
      }
      return [text]
    case .texts:
      guard let values = value as? [Any] else { throw mismatch("a list of strings") }
      var texts: [String] = []
      for value in values {
        guard let text = value as? String else { throw mismatch("a list of strings") }
        texts.append(try checked(text))
      }
      return texts
    }
  }

  /// Refuses texts that no command line can contain, or that would be options of their own.
  private func checked(_ text: String) throws(ProtocolError) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    guard !text.isEmpty, isPlain else {
      throw mismatch("text that is not empty and has no control characters")
    }
    return text
  }

  private func mismatch(_ wanted: String) -> ProtocolError {
    .invalidParameters("'\(name)' must be \(wanted)")
  }
}

/// The arguments of a call, checked against the schema of the tool.
struct ToolArguments {
  private let values: [(name: String, texts: [String])]

  init(_ given: [String: Any], of tool: ServerTool) throws(ProtocolError) {
    let parameters = tool.parameters
    let names = parameters.map(\.name)
    for name in given.keys.sorted() where !names.contains(name) {
      let hint = nearestWord(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
      throw .invalidParameters("\(tool.rawValue) has no parameter '\(name)'\(hint)")
    }
    var values: [(name: String, texts: [String])] = []
    for parameter in parameters {
      if let value = given[parameter.name] {
        values.append((parameter.name, try parameter.texts(of: value)))
      } else if parameter.isRequired {
        throw .invalidParameters("\(tool.rawValue) needs '\(parameter.name)': \(parameter.about)")
      }
    }
    self.values = values
  }

  func texts(_ name: String) -> [String] { values.first { $0.name == name }?.texts ?? [] }

  func text(_ name: String) -> String? { texts(name).first }

  /// Returns these arguments as options of a command line. A value is part of the option's word, so
  /// that it cannot be taken for an option.
  func options(_ names: String...) -> [String] {
    names.flatMap { name in texts(name).map { $0.isEmpty ? "--\(name)" : "--\(name)=\($0)" } }
  }
}
