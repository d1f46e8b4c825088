/// Returns the largest count up to `limit` for which `holds` is true, or 0 if none exists.
///
/// `holds` must be monotonic: if it holds for a count, it holds for every smaller count. 0 is not
/// tried, but assumed to hold. A pass that succeeds costs little more than a pass that does not.
///
/// - Complexity: One call of `holds` if the result is 0, otherwise about 2 log₂ of the result.
package func largestCount(upTo limit: Int, where holds: (Int) -> Bool) -> Int {
  var known = 0
  var step = 1
  while known < limit {
    let next = min(known + step, limit)
    guard holds(next) else {
      return bisect(from: known, to: next, where: holds)
    }
    known = next
    step *= 2
  }
  return known
}

/// Returns the largest count below `to` for which `holds` is true. `holds` must be true for `from`
/// and false for `to`.
private func bisect(from: Int, to: Int, where holds: (Int) -> Bool) -> Int {
  var (known, failing) = (from, to)
  while failing - known > 1 {
    let middle = known + (failing - known) / 2
    if holds(middle) { known = middle } else { failing = middle }
  }
  return known
}
