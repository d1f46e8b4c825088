import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Saves and merges between contexts and stores, with the values that they carry.
extension TimelineBuilder {
  func arrows(
    _ action: Action, hasFailed: Bool, _ changes: [Timeline.Change]
  ) -> [Timeline.Arrow] {
    switch action {
    case .step(let step, .commit) where !hasFailed:
      if let parent = world.stack.parent(of: step.context) {
        let carries = carried(to: parent.index, changes)
        return columns[world.queue(of: parent).index].map {
          [.init(kind: .save, to: $0, place: parent.index, carries: carries)]
        } ?? []
      }
      let contextCount = world.stack.contexts.count
      return world.stack.stores.indices
        .filter { store in changes.contains { $0.place == contextCount + store } }
        .map { store in
          .init(
            kind: .save, to: timeline.queueCount + store, place: contextCount + store,
            carries: carried(to: contextCount + store, changes))
        }
    case .merge(let context, let number), .mergeRemote(let context, let number):
      let source = number < posted.count ? posted[number] : nil
      return source.map { source in
        var arrow = Timeline.Arrow(kind: .merge, from: source)
        var carries: [Timeline.Carried] = []
        for item in timeline.moments[source].arrows.filter({ $0.kind == .save }).flatMap(\.carries)
        where !carries.contains(item) { carries.append(item) }
        arrow.carries = carries
        arrow.kept = kept(carries, in: context)
        return [arrow]
      } ?? []
    default: return []
    }
  }

  /// Returns the changes that a save makes at its destination.
  private func carried(to place: Int, _ changes: [Timeline.Change]) -> [Timeline.Carried] {
    changes.filter { $0.place == place }.flatMap { change -> [Timeline.Carried] in
      guard let look = change.look else { return [.init(object: change.object, news: .deletion)] }
      if look.state == "deleted", change.before?.state != "deleted" {
        return [.init(object: change.object, news: .deletion)]
      }
      guard let before = change.before, before.state != "fault" else {
        return [.init(object: change.object, news: .insertion, value: look.values)]
      }
      return look.attributes.filter { before.value(of: $0.name) != $0.value }.map {
        .init(object: change.object, attribute: $0.name, value: $0.value)
      }
    }
  }

  /// Returns the first value that the context keeps instead of the merged value.
  private func kept(_ carries: [Timeline.Carried], in context: ContextID) -> Timeline.Carried? {
    for item in carries where item.news == .value {
      let look = looks[context.index].first { $0.object == item.object }?.look
      guard let look, let value = look.value(of: item.attribute), value != item.value else {
        continue
      }
      return .init(object: item.object, attribute: item.attribute, value: value)
    }
    return nil
  }
}
