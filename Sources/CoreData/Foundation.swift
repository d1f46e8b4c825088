// As Apple's module does: code that imports Core Data need not import Foundation.
@_exported public import Foundation

// Objective-C's names of integers, which Swift code may use, too.
/// An integer.
public typealias NSInteger = Int
/// An integer that is not negative.
public typealias NSUInteger = UInt
