import Vocabulary

/// Flags of the app: plain variables that no queue protects. Any lane may run between a test of a
/// flag and its consequence.
extension World {
  /// Raises or lowers a flag. §set-flag
  mutating func set(_ flag: FlagID, to isRaised: Bool) { flags[flag.index] = isRaised }

  func isRaised(_ flag: FlagID) -> Bool { flags[flag.index] }
}
