import LiveCode

/// Records the source location for the block that the next call of `perform` passes. Preparing a
/// source inserts this call where the method may belong to an app's protocol, which lacks
/// parameters for the location.
public func simulatedPlace(file: String = #fileID, line: Int = #line) {
  guard let state = RunState.ifRunning else { return }
  state.placeOfBlock = PlaceOfBlock(job: state.run.running.number, place: "\(file):\(line)")
}

/// The source location of a block that a job is about to pass.
struct PlaceOfBlock {
  let job: Int
  let place: String
}

extension RunState {
  /// Removes and returns the location that the running job has recorded, if any.
  func takePlaceOfBlock() -> String? {
    guard let noted = placeOfBlock, noted.job == run.running.number else { return nil }
    placeOfBlock = nil
    return noted.place
  }
}
