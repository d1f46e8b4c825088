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

/// What an asynchronous fetch has found.
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreResult {
  /// The request.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// Nil until the fetch has ended.
  public private(set) var finalResult: [ResultType]?
  /// Why it has failed.
  public private(set) var operationError: (any Error)?

  init(_ request: NSAsynchronousFetchRequest<ResultType>) { fetchRequest = request }

  fileprivate func finish(in context: NSManagedObjectContext) {
    do {
      finalResult = try context.fetch(fetchRequest.fetchRequest)
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
    let result = NSAsynchronousFetchResult(self)
    context.perform { result.finish(in: context) }
    return result
  }
}
