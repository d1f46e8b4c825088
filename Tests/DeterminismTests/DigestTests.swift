import Determinism
import Testing

@Suite struct `A digest` {
  private func digest(_ feed: (inout Digest) -> Void) -> UInt64 {
    var digest = Digest()
    feed(&digest)
    return digest.value
  }

  /// The expected values were computed once by a second implementation, in Python.
  @Test func `a digest is the same in every process, build and machine`() {
    #expect(Digest().value == 0x6A09_E667_F3BC_C908)
    #expect(
      digest {
        for word in 1...3 as ClosedRange<UInt64> { $0.feed(word) }
      } == 0x412C_62FA_0AC0_C70D)
    #expect(digest { $0.feed(-1) } == 0xDE01_965A_6322_A68B)
    #expect(digest { $0.feed("faultline") } == 0x2DEA_FEBA_2F38_6164)
    #expect(digest { $0.feed("Ärger 🚂") } == 0x37BD_D22B_86A9_3D33)
  }

  @Test func `a digest depends on the order`() {
    #expect(
      digest {
        $0.feed(1)
        $0.feed(2)
      }
        != digest {
          $0.feed(2)
          $0.feed(1)
        })
  }

  @Test func `a digest tells texts apart that look alike when joined`() {
    let texts: [[String]] = [
      [], [""], ["", ""], ["a"], ["ab"], ["a", "b"], ["b", "a"], ["\0"], ["\0\0"], ["\0a"],
      ["abcdefgh"], ["abcdefgh", ""], ["abcdefg", "h"], ["abcdefghi"], ["abcdefgh", "i"],
      ["\0\0\0\0\0\0\0\0"], ["\0\0\0\0\0\0\0\0\0"],
    ]
    let values = texts.map { texts in digest { for text in texts { $0.feed(text) } } }
    #expect(Set(values).count == texts.count)
  }

  @Test func `a digest takes a flag as 0 or 1`() {
    #expect(digest { $0.feed(true) } == digest { $0.feed(1) })
    #expect(digest { $0.feed(false) } == digest { $0.feed(0) })
  }

  @Test func `a digest changes half of its bits when one bit of the input changes`() {
    var flipped = 0
    for bit in 0..<64 as Range<UInt64> {
      for word in 0..<64 as Range<UInt64> {
        let mixed = { (word: UInt64) in
          digest {
            $0.feed(word)
            $0.feed(0)
          }
        }
        flipped += (mixed(word) ^ mixed(word ^ 1 << bit)).nonzeroBitCount
      }
    }
    let share = Double(flipped) / (64 * 64 * 64)
    #expect(0.45...0.55 ~= share, "\(share)")
  }

  @Test func `a digest is written with sixteen digits`() {
    #expect(Digest(seed: 0x00AB_0000_0000_0001).description == "00ab000000000001")
    #expect(Digest(seed: 0).description == "0000000000000000")
  }
}
