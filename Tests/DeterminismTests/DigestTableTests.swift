import Determinism
import Testing

@Suite struct `A table of digests` {
  @Test func `a table finds what a dictionary finds, also where digests end alike`() {
    var generator = Generator(seed: 1)
    // There are few different last bits, and few digests. So places are taken, and numbers are
    // replaced.
    let digests = (0..<300).map { _ in generator.next(below: 40) << 32 | generator.next(below: 3) }
      .map { UInt64($0) }
    var table = DigestTable()
    var expected: [UInt64: Int] = [:]
    for (number, digest) in digests.enumerated() {
      #expect(table.number(of: digest) == expected[digest])
      table.put(number, for: digest)
      expected[digest] = number
      #expect(table.count == expected.count)
    }
    for digest in digests { #expect(table.number(of: digest) == expected[digest]) }
    #expect(table.number(of: .max) == nil)
  }

  @Test func `a table of digests grows`() {
    var table = DigestTable()
    for number in 0..<10_000 { table.put(number, for: UInt64(number) &* 0x9E37_79B9_7F4A_7C15) }
    #expect(table.count == 10_000)
    #expect(
      (0..<10_000).allSatisfy { table.number(of: UInt64($0) &* 0x9E37_79B9_7F4A_7C15) == $0 })
  }

  @Test func `a table has a number for the digest 0 only if one was put there`() {
    var table = DigestTable()
    #expect(table.number(of: 0) == nil)
    table.put(7, for: 1)
    #expect(table.number(of: 0) == nil)
    table.put(0, for: 0)
    #expect(table.number(of: 0) == 0 && table.number(of: 1) == 7)
  }
}

@Suite struct `Prepared texts` {
  @Test func `prepared texts are fed as they are`() {
    let texts = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "Ärger 🚂", "\0", "abcdefghabcdefgh"]
    let prepared = PreparedTexts(texts)
    for (number, text) in texts.enumerated() {
      var (digest, expected) = (Digest(seed: 5), Digest(seed: 5))
      prepared.feed(number, into: &digest)
      expected.feed(text)
      #expect(digest == expected, "\(text)")
    }
  }
}
