import LiveCode

/// Notes the place of a block that the next call of `perform` hands over. Preparing a source adds
/// it where the method may be one of an app's protocol, which has no parameter for the place.
public func simulatedPlace(file: String = #fileID, line: Int = #line) {
  guard let state = RunState.ifRunning else { return }
  state.placeOfBlock = PlaceOfBlock(piece: state.run.running.number, place: "\(file):\(line)")
}

/// The place of a block that a piece of code is about to hand over.
struct PlaceOfBlock {
  let piece: Int
  let place: String
}

extension RunState {
  /// Removes the place that the running piece of code has noted; nil if it has noted none.
  func takePlaceOfBlock() -> String? {
    guard let noted = placeOfBlock, noted.piece == run.running.number else { return nil }
    placeOfBlock = nil
    return noted.place
  }
}
