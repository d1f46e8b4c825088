/// Returns `text` as lines of at most `width` characters. The first line begins with `start`, and
/// the others are indented.
///
/// Lines are broken only at `separator`. A part in single quotation marks is not broken if it fits
/// on a line, and keeps its spaces.
///
/// - Parameter separator: A separator such as " " or ", ".
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

/// Returns the parts between separators. A quotation of at most `limit` characters is one part.
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
  /// A Boolean value that indicates whether the part begins with a quotation mark. An apostrophe
  /// can only occur within a word or at its end.
  fileprivate var opensQuotation: Bool { drop { $0 == "(" }.first == "'" }

  fileprivate var closesQuotation: Bool {
    let end = String(self.reversed().drop { ",.:;)".contains($0) }.reversed())
    return end.count > 1 && end.last == "'"
  }
}
