import ObjectModel
import Vocabulary

/// Contexts that hold an instance of what code knows by its ID alone: a program has no IDs.
struct ObjectKeepers {
  /// By coordinator.
  private let contexts: [ContextID]
  private var holders: [ObjectName: [ContextID]] = [:]
  /// The last item in which code gets hold of an instance of the object.
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

  /// The step by which a context gets hold of an object that another one has.
  mutating func hold(_ instance: HeldInstance) -> AddressedStep? {
    let known = holders[instance.name] ?? []
    guard !known.contains(instance.context), let holder = known.first else { return nil }
    holders[instance.name] = known + [instance.context]
    return AddressedStep(
      instance.context,
      .object(with: HeldInstance(holder, instance.name), as: instance.name))
  }

  /// The context has fetched these objects: nothing else brings them there.
  mutating func hold(_ names: [ObjectName], in context: ContextID) {
    for name in names where holders[name]?.contains(context) != true {
      holders[name, default: []].append(context)
    }
  }

  /// Follows what a step does to names; what has to come before it.
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
