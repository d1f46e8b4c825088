import ObjectModel
import Vocabulary

/// Copies of settings whose storage belongs to one thread. Every run constantly reads the model and
/// the stack of its campaign. If two threads read the same arrays, they contend for the arrays'
/// reference counts.
extension CampaignSettings {
  /// The same settings in separate storage.
  var unshared: CampaignSettings {
    var settings = self
    settings.models = models.map(\.unshared)
    settings.stack = stack?.unshared
    return settings
  }
}

extension ModelSource {
  fileprivate var unshared: ModelSource {
    switch self {
    case .file(let path, let model, let notes):
      .file(path: path, ObjectModel(entities: model.entities, symbols: model.symbols), notes)
    case .generated: .generated
    }
  }
}

extension Stack {
  fileprivate var unshared: Stack {
    var stack = self
    stack.stores = stores.map(\.self)
    stack.queues = queues.map(\.self)
    stack.flags = flags.map(\.self)
    stack.groups = groups.map(\.self)
    stack.idSets = idSets.map(\.self)
    stack.coordinators = coordinators.map(\.self)
    stack.contexts = contexts.map(\.self)
    stack.observers = observers.map(\.self)
    stack.controllers = controllers.map(\.self)
    stack.entryPoints = entryPoints.map(\.self)
    stack.promises = promises.map(\.self)
    stack.contextPromises = contextPromises.map(\.self)
    return stack
  }
}
