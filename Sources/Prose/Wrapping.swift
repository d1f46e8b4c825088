/// `text` as lines of at most `width` characters, broken at `separator`, such as " " or ", ": the
/// first begins with `start`, the others are indented. What has no separator is not broken.
package func wrapped(
  _ text: String, after start: String = "", indentation: Int, at separator: String = " ",
  width: Int = 100
) -> [String] {
  let comma = separator.dropLast()
  var lines: [String] = []
  var line = start
  var isEmpty = true
  for part in text.split(separator: separator) {
    if isEmpty {
      line += part
    } else if line.count + part.count + separator.count + comma.count <= width {
      line += separator + part
    } else {
      lines.append(line + comma)
      line = String(repeating: " ", count: indentation) + part
    }
    isEmpty = false
  }
  return lines + [line]
}
