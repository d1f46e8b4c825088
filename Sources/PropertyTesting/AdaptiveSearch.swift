/// The largest count up to `limit` for which `holds`, if it holds for all smaller ones; 0 is taken
/// to hold. Asks about twice the logarithm of the answer, and once if the answer is 0, so a pass
/// that succeeds costs little more than one that does not.
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

/// `from` holds, `to` does not: the last one before which it stops holding.
private func bisect(from: Int, to: Int, where holds: (Int) -> Bool) -> Int {
  var (known, failing) = (from, to)
  while failing - known > 1 {
    let middle = known + (failing - known) / 2
    if holds(middle) { known = middle } else { failing = middle }
  }
  return known
}
