import ObjectModel
import Vocabulary

/// The contexts that hold an instance of each object. A program has no object IDs. So an additional
/// context for each coordinator holds objects that code knows only by ID.
struct ObjectKeepers {
  /// The additional contexts, indexed by coordinator.
  private let contexts: [ContextID]
  private var holders: [ObjectName: [ContextID]] = [:]
  /// The index of the last item that obtains an instance of each object.
  var lastHolds: [ObjectName: Int] = [:]

  init(_ stack: inout Stack) {
    contexts = stack.coordinators.indices.map { index in
      let coordinator = stack.coordinators[index].name
      stack.contexts.append(
        Stack.Context(
          name: "idsOf" + coordinator.prefix(1).uppercased() + coordinator.dropFirst(),
          concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(index))))
      return ContextID(stack.contexts.count - 1)
    }
  }

  /// Returns the step by which a context obtains an object from another context that holds it.
  /// Returns nil if no step is needed, or if no context holds the object.
  mutating func hold(_ instance: HeldInstance) -> AddressedStep? {
    let known = holders[instance.name] ?? []
    guard !known.contains(instance.context), let holder = known.first else { return nil }
    holders[instance.name] = known + [instance.context]
    return AddressedStep(
      instance.context,
      .object(with: HeldInstance(holder, instance.name), as: instance.name))
  }

  /// Records that the context has fetched these objects, so that it needs no other step to obtain
  /// them.
  mutating func hold(_ names: [ObjectName], in context: ContextID) {
    for name in names where holders[name]?.contains(context) != true {
      holders[name, default: []].append(context)
    }
  }

  /// Records the effect of a step on held objects, and returns the steps that must precede it.
  mutating func follow(_ step: AddressedStep, at item: Int, in stack: Stack) -> [AddressedStep] {
    switch step.step {
    case .insert(_, as: let name):
      holders[name, default: []].append(step.context)
      return []
    case .release(let name): return forget([name], in: step.context, at: item, stack)
    case .discard, .reset:
      return forget(holders.keys.sorted(), in: step.context, at: item, stack)
    default: return []
    }
  }

  private mutating func forget(
    _ names: [ObjectName], in context: ContextID, at item: Int, _ stack: Stack
  ) -> [AddressedStep] {
    names.compactMap { name in
      guard holders[name]?.contains(context) == true else { return nil }
      defer { holders[name]?.removeAll { $0 == context } }
      guard holders[name] == [context], lastHolds[name, default: -1] > item else { return nil }
      return hold(HeldInstance(contexts[stack.coordinator(of: context).index], name))
    }
  }
}
