infix operator ~>! : CastingPrecedence
infix operator ~>? : CastingPrecedence

/// Casts a fetch request to another result type. A prepared source uses this operator for
/// `request as! NSFetchRequest<Note>`.
///
/// Generic classes with different arguments are unrelated on Linux, so the result may be a copy of
/// the request. Traps if the value is not a fetch request.
public func ~>! <Result>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> {
  guard let result = request ~>? type else {
    misuse("\(request.map { "\(Swift.type(of: $0))" } ?? "nil") is not a fetch request")
  }
  return result
}

/// Casts a fetch request to another result type, as `as?` does. Returns `nil` if the value is not a
/// fetch request.
public func ~>? <Result>(
  request: Any?, type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result>? {
  (request as? any CastableRequest)?.cast(to: type)
}

/// Casts a fetch request, as `as?` does, within the arguments of a macro.
///
/// A macro may take an operator apart, as in `#require(request as? NSFetchRequest<Note>)`.
public func simulatedCast<Result>(
  _ request: Any?, to type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result>? { request ~>? type }

/// Casts a fetch request, as `as!` does, within the arguments of a macro.
public func simulatedForcedCast<Result>(
  _ request: Any?, to type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> { request ~>! type }

private protocol CastableRequest {
  func cast<Other>(to type: NSFetchRequest<Other>.Type) -> NSFetchRequest<Other>
}

extension NSFetchRequest: CastableRequest {}
