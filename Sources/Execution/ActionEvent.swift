package import Vocabulary

/// An event, the action that it belongs to, and how many steps had been performed by then.
package struct ActionEvent {
  package let action: Action
  package let event: Event
  package let stepNumber: Int

  package init(action: Action, event: Event, stepNumber: Int) {
    self.action = action
    self.event = event
    self.stepNumber = stepNumber
  }
}
