infix operator ~>! : CastingPrecedence
infix operator ~>? : CastingPrecedence

/// What `request as! NSFetchRequest<Note>` becomes when a source is prepared: on Linux generic
/// classes differ by their arguments, so the result is a request of its own. Traps if there is no
/// request.
public func ~>! <Result>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> {
  guard let result = request ~>? type else {
    misuse("\(request.map { "\(Swift.type(of: $0))" } ?? "nil") is no fetch request")
  }
  return result
}

/// Likewise, for `as?`: nil if there is no request.
public func ~>? <Result>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result>? {
  (request as? any CastableRequest)?.cast(to: type)
}

/// Casts like `request as? NSFetchRequest<Note>` within the arguments of a macro, which may take an
/// operator apart: `#require(request as? NSFetchRequest<Note>)`.
public func simulatedCast<Result>(
  _ request: Any?, to type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result>? { request ~>? type }

/// Casts like `as!` within the arguments of a macro.
public func simulatedForcedCast<Result>(
  _ request: Any?, to type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> { request ~>! type }

private protocol CastableRequest {
  func cast<Other>(to type: NSFetchRequest<Other>.Type) -> NSFetchRequest<Other>
}

extension NSFetchRequest: CastableRequest {}
