public import Foundation

/// A fetch request that is carried out asynchronously.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The underlying fetch request.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// A closure that is called with the result on the context's queue.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// The estimated number of results. Has no effect.
  open var estimatedResultCount = 0

  /// Creates an asynchronous request that carries out `request`.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock block: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    (fetchRequest, completionBlock) = (request, block)
  }
}

/// The result of an asynchronous request.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The error that the request failed with.
  public fileprivate(set) var operationError: (any Error)?
  /// The context that carries out the request.
  public let managedObjectContext: NSManagedObjectContext
  /// Always `nil`, because the simulation reports no progress.
  public var progress: Progress? { nil }

  fileprivate init(in context: NSManagedObjectContext) { managedObjectContext = context }
}

/// The result of an asynchronous fetch request.
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request that produced this result.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The fetched objects, or `nil` until the fetch has ended.
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

/// An asynchronous fetch request of any result type.
protocol AsynchronousFetch {
  func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AsynchronousFetch {
  /// Carries out the request in a block that is enqueued on the context's queue.
  func begin(in context: NSManagedObjectContext) -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(self, in: context)
    context.perform { result.finish() }
    return result
  }
}
