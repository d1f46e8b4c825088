import Determinism
import Testing

@Suite struct `The generator` {
  @Test func `the generator's seeding is the published SplitMix64`() {
    var state: UInt64 = 1_234_567
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in Generator.splitMix(&state) } == expected)
  }

  @Test func `the generator is the published xoshiro256**`() {
    var generator = Generator(state: (1, 2, 3, 4))
    let expected: [UInt64] = [
      11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
      607_988_272_756_665_600, 16_172_922_978_634_559_625, 8_476_171_486_693_032_832,
      10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
    ]
    #expect(expected.map { _ in generator.next() } == expected)
  }

  @Test func `the generator starts from four steps of SplitMix64`() {
    var state: UInt64 = 1_234_567
    let words = (0..<4).map { _ in Generator.splitMix(&state) }
    #expect(
      Generator(seed: 1_234_567) == Generator(state: (words[0], words[1], words[2], words[3])))
  }

  @Test func `the generator repeats itself as a copy`() {
    var generator = Generator(seed: 1)
    _ = generator.next()
    var copy = generator
    #expect((0..<100).map { _ in generator.next() } == (0..<100).map { _ in copy.next() })
  }

  @Test(arguments: [1, 2, 3, 7, 100, Int(UInt32.max)])
  func `the generator stays below any bound`(bound: Int) {
    var generator = Generator(seed: 1)
    #expect((0..<10_000).allSatisfy { _ in 0..<bound ~= generator.next(below: bound) })
  }

  @Test func `the generator takes each number below a bound equally often`() {
    var generator = Generator(seed: 1)
    var counts = Array(repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[generator.next(below: 10)] += 1 }
    // The standard deviation is 95.
    #expect(counts.allSatisfy { abs($0 - 10_000) < 500 }, "\(counts)")
  }

  @Test func `the generator derives seeds that no neighbours share`() {
    var seeds: Set<UInt64> = []
    for seed in 0..<100 as Range<UInt64> {
      for index in 0..<100 as Range<UInt64> { seeds.insert(Generator.derive(seed, index)) }
    }
    #expect(seeds.count == 10_000)
    #expect(Generator.derive(5, 6) == Generator.derive(5, 6))
  }
}
