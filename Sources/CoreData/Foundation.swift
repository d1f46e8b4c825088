// As Apple's module does: code that imports Core Data need not import Foundation.
@_exported public import Foundation
