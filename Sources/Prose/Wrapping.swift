/// `text` as lines of at most `width` characters, broken at `separator`, such as " " or ", ": the
/// first begins with `start`, the others are indented. What has no separator is not broken, nor is
/// what stands in single quotation marks, if it fits a line: it stays as it is, spaces included.
package func wrapped(
  _ text: String, after start: String = "", indentation: Int, at separator: String = " ",
  width: Int = 100
) -> [String] {
  let comma = separator.dropLast()
  var lines: [String] = []
  var line = start
  var isEmpty = true
  for part in parts(of: text, at: separator, limit: width - indentation) {
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

/// What stands between separators. What is quoted is one part, if it has at most `limit`
/// characters.
private func parts(of text: String, at separator: String, limit: Int) -> [String] {
  let pieces = text.split(separator: separator, omittingEmptySubsequences: false)
  var parts: [String] = []
  var next = pieces.startIndex
  while next < pieces.endIndex {
    let first = next
    next += 1
    if pieces[first].opensQuotation,
      let last = pieces[first...].firstIndex(where: \.closesQuotation)
    {
      let quoted = pieces[first...last].joined(separator: separator)
      if quoted.count <= limit {
        parts.append(quoted)
        next = last + 1
        continue
      }
    }
    if !pieces[first].isEmpty { parts.append(String(pieces[first])) }
  }
  return parts
}

extension Substring {
  /// An apostrophe stands within a word, or at its end.
  fileprivate var opensQuotation: Bool { drop { $0 == "(" }.first == "'" }

  fileprivate var closesQuotation: Bool {
    let end = String(self.reversed().drop { ",.:;)".contains($0) }.reversed())
    return end.count > 1 && end.last == "'"
  }
}
