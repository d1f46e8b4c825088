import Determinism
import PropertyTesting
import Testing

@Suite struct `The order of simplicity` {
  @Test func `the order puts fewer choices first, however they are spread`() {
    let chain = [
      recording(), recording(workload: [0]), recording(workload: [5]), recording(shape: [0, 1]),
      recording(workload: [3], shape: [9]), recording(workload: [4], shape: [0]),
      recording(workload: [0, 0]), recording(workload: [0, 0], schedule: [0, 2]),
      recording(workload: [0, 0], schedule: [1, 2]),
    ]
    for (index, simpler) in chain.enumerated() {
      for (otherIndex, other) in chain.enumerated() {
        #expect(simpler.isSimpler(than: other) == (index < otherIndex), "\(index) \(otherIndex)")
      }
    }
  }

  @Test func `the order counts drawn zeros of programs, but not of schedules`() {
    #expect(recording(workload: [1, 0, 0], shape: [0]).size == 4)
    #expect(recording(schedule: [0, 1, 0, 0]).size == 2)
  }

  @Test func `choices know their size before they are recorded`() {
    for seed in 0..<50 as Range<UInt64> {
      var choices = Choices(seed: seed)
      for stream in Choices.Stream.allCases {
        for _ in 0..<Int(seed % 7) { _ = choices.draw(below: 2, from: stream) }
      }
      #expect(choices.size == choices.recording.size)
    }
  }

  @Test func `the order does not depend on how much is left to zeros`() {
    let long = recording(workload: [1, 0, 2, 0, 0], schedule: [0, 0])
    #expect(long.trimmed == recording(workload: [1, 0, 2]))
    #expect(long.trimmed.digest == recording(workload: [1, 0, 2]).digest)
    #expect(long.digest != long.trimmed.digest)
  }

  private func recording(
    workload: [UInt32] = [], shape: [UInt32] = [], schedule: [UInt32] = []
  ) -> Choices.Recording {
    Choices.Recording(streams: [shape, workload, schedule])
  }
}
