import Vocabulary

/// Flags of the app: plain variables that no queue protects. Any lane may run between a look at one
/// and what follows from it.
extension World {
  mutating func set(_ flag: FlagID, to isRaised: Bool) { flags[flag.index] = isRaised }

  func isRaised(_ flag: FlagID) -> Bool { flags[flag.index] }
}
