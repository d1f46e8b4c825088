import Determinism

/// The edits that passes combine. Every edited recording is valid: a replay lowers choices that are
/// out of bounds, and supplies zeros after the end of the recording.
extension Choices.Recording {
  func deleting(_ range: Range<Int>, in stream: Choices.Stream) -> Self {
    var result = self
    result.streams[stream.rawValue].removeSubrange(range)
    return result
  }

  func deleting(_ span: Choices.Span) -> Self { deleting(span.range, in: span.stream) }

  func replacing(
    _ range: Range<Int>, in stream: Choices.Stream, by values: some Collection<UInt32>
  ) -> Self {
    var result = self
    result.streams[stream.rawValue].replaceSubrange(range, with: values)
    return result
  }

  func zeroing(_ range: Range<Int>, in stream: Choices.Stream) -> Self {
    replacing(range, in: stream, by: repeatElement(0, count: range.count))
  }

  func setting(_ value: UInt32, at index: Int, in stream: Choices.Stream) -> Self {
    var result = self
    result.streams[stream.rawValue][index] = value
    return result
  }

  func setting(_ value: UInt32, at indexes: [Int], in stream: Choices.Stream) -> Self {
    var result = self
    for index in indexes { result.streams[stream.rawValue][index] = value }
    return result
  }

  subscript(span: Choices.Span) -> ArraySlice<UInt32> { streams[span.stream.rawValue][span.range] }
}
