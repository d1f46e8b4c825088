import Testing

/// The lines inside `<model>`, from line 3 on, and the error about them.
struct MalformedModel: CustomTestStringConvertible {
  let body: String
  let complaint: String

  init(_ body: String, _ complaint: String) {
    self.body = body
    self.complaint = complaint
  }

  var testDescription: String { complaint }
}
