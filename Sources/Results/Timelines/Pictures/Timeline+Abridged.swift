extension Timeline {
  /// The timeline with shorter answers. The answer of a failed step lacks the reason, and the
  /// answer of a look-up is omitted if it repeats the name in the step.
  var abridged: Timeline {
    var timeline = self
    for (index, moment) in moments.enumerated() {
      timeline.moments[index].answers =
        moment.hasFailed
        ? moment.answers.map { answer in String(answer.prefix { $0 != " " }) }
        : moment.answers.filter { !moment.text.hasSuffix(".\($0)") }
    }
    return timeline
  }
}
