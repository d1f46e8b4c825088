extension Array where Element: Sendable {
  /// Returns the results of `transform`, in the order of the elements.
  func concurrently<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      for (index, element) in enumerated() {
        group.addTask { (index, try transform(element)) }
      }
      var results = [Result?](repeating: nil, count: count)
      for try await (index, result) in group { results[index] = result }
      return results.compactMap { $0 }
    }
  }
}
