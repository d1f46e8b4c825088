package import Vocabulary

/// An event, with the action that caused it and the number of steps performed before or with it.
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
