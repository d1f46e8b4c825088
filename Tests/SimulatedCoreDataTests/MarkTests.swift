import SimulatedCoreData
import Testing

@Suite struct `Marks` {
  @Test func `marks are listed in order, without those of an earlier set`() {
    for step in [1, 2, 3, 7] {
      var (earlier, later) = (MarkSet(), MarkSet())
      for mark in Mark.allCases where mark.rawValue % step == 0 { later.insert(mark) }
      for mark in Mark.allCases where mark.rawValue % 4 == 0 { earlier.insert(mark) }
      #expect(later.marks == Mark.allCases.filter(later.contains))
      let new = Mark.allCases.filter { later.contains($0) && !earlier.contains($0) }
      #expect(later.marks(since: earlier) == new)
      #expect(later.hasSameMarks(as: later) && !later.hasSameMarks(as: earlier))
    }
    #expect(MarkSet().marks.isEmpty)
  }
}
