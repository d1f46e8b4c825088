import Determinism
import Testing

@Suite struct `A lookup table` {
  @Test func `a lookup table finds what was put in last, until it is taken out`() {
    var table = LookupTable<String, Int>()
    #expect(table.isEmpty && table["a"] == nil)
    table["a"] = 1
    table["b"] = 2
    table["a"] = 3
    #expect(table.count == 2 && table["a"] == 3 && table["b"] == 2)
    table["a"] = nil
    #expect(table.count == 1 && table["a"] == nil)
    table["c"] = 4
    table.removeAll()
    #expect(table.isEmpty && table["b"] == nil && table["c"] == nil)
  }

  @Test func `two lookup tables with the same contents are equal, whatever came first`() {
    var (up, down) = (LookupTable<Int, Int>(), LookupTable<Int, Int>())
    for key in 0..<1_000 { up[key] = key }
    for key in (0..<2_000).reversed() { down[key] = key }
    #expect(up != down)
    for key in 1_000..<2_000 { down[key] = nil }
    #expect(up == down && up.hashValue == down.hashValue)
  }

  @Test func `a lookup table is a value`() {
    var table = LookupTable<Int, Int>()
    table[1] = 1
    let copy = table
    table[1] = 2
    #expect(copy[1] == 1)
  }
}
