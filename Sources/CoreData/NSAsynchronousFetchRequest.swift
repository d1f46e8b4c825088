public import Foundation

/// A fetch that the caller does not wait for.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// What is fetched.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// Called with the result, on the context's queue.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// Of no effect.
  open var estimatedResultCount = 0

  /// A fetch of what `request` finds.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock block: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    (fetchRequest, completionBlock) = (request, block)
  }
}

/// What a request comes to that the caller does not wait for.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// Why it has failed.
  public fileprivate(set) var operationError: (any Error)?
  /// The context that carries it out.
  public let managedObjectContext: NSManagedObjectContext
  /// Nil: it tells nothing of its progress.
  public var progress: Progress? { nil }

  fileprivate init(in context: NSManagedObjectContext) { managedObjectContext = context }
}

/// What an asynchronous fetch has found.
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// Nil until the fetch has ended.
  public private(set) var finalResult: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(in: context)
  }

  fileprivate func finish() {
    do {
      finalResult = try managedObjectContext.fetch(fetchRequest.fetchRequest)
    } catch { operationError = error }
    fetchRequest.completionBlock?(self)
  }
}

/// An asynchronous fetch, whatever it finds.
protocol AsynchronousFetch {
  func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousFetch {
  /// The fetch is a block of its own on the context's queue.
  func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(self, in: context)
    context.perform { result.finish() }
    return result
  }
}
