import Vocabulary

extension InvariantDefinition {
  static let loadsShowTheNewest = InvariantDefinition(
    "a load returns the newest value of the parent contexts and the store",
    anomalies: [
      Anomaly(
        "stale read through a cached ancestor", mainSuspect: .quirk(.ancestorCacheHidesUpdates)
      ) { shape, _ in shape.hasChildren ? nil : "no context has a parent" },
      // A row cache is stale because a write bypassed it, whatever else is needed to show that.
      Anomaly(
        "stale read through the row cache", at: .store, mainSuspect: .bypass(.batchRequests)
      ) { shape, _ in
        if shape.isInMemory { return "in-memory rows change only through one row cache" }
        return shape.everyRootAsksAgain ? "every root context reads from the store again" : nil
      },
    ],
    severity: .isStale,
    advice: { failure in
      if failure.cause == .severalCoordinators {
        return
          "merge the save with mergeChanges(fromRemoteContextSave:into:), which updates the row "
          + "cache, or give the root context a stalenessInterval of 0 (FL-05, NT-30)"
      }
      return
        (failure.priorEvents.contains(.batchRequest)
        ? "merge the result of the batch request with mergeChanges(fromRemoteContextSave:)"
        : "merge the save")
        + " into every context above the reading context, or give the root context a stalenessInterval of 0 "
        + "(FL-05)"
    },
    wording: {
      "\($0.context) loaded \($0.last) as \($0.subject); the newest value is \($0.first)"
    })
}
