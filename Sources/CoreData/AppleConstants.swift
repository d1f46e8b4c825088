public import Foundation

/// How many nanoseconds a second has.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// How many nanoseconds a millisecond has.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// How many nanoseconds a microsecond has.
public let NSEC_PER_USEC: UInt64 = 1_000
/// How many microseconds a second has.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// How many milliseconds a second has.
public let MSEC_PER_SEC: UInt64 = 1_000

/// What goes through the members of Foundation's collections.
public typealias NSFastEnumerationIterator = NSEnumerator.Iterator
