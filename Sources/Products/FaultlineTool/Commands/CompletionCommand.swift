import Execution
import Generation
import Prose
import Reporting
import SimulatedCoreData
import Vocabulary

/// The command `faultline completion`.
enum CompletionCommand {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  private static let help = """
    faultline completion SHELL: prints a script that makes bash, zsh or fish complete commands, options
    and their values.

      source <(faultline completion bash)                 in ~/.bashrc
      source <(faultline completion zsh)                  in ~/.zshrc, after compinit
      faultline completion fish > ~/.config/fish/completions/faultline.fish
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: [])
    if arguments.has("help") {
      print(help)
      return 0
    }
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    guard arguments.positional.count == 1 else {
      throw UsageError(message: "completion takes one shell: \(names)")
    }
    guard let shell = Shell(rawValue: arguments.positional[0]) else {
      throw UsageError(
        message: "unknown shell '\(arguments.positional[0])'; choose one of \(names)")
    }
    switch shell {
    case .bash: print(bash)
    case .zsh: print(zsh)
    case .fish: print(fish)
    }
    return 0
  }

  /// The options whose value is chosen from a list of words. Options that take a file or a number
  /// are not included.
  private static var choices: [(option: String, words: [String])] {
    let quirks = Quirk.allCases.map(\.name)
    let bugs = PlantedBug.allCases.map(\.name)
    let kinds = StepGenerator.Kind.names
    return [
      ("canary", bugs), ("format", CampaignOutput.formats), ("guidance", ["on", "off"]),
      ("known", ["none"]), ("only-steps", kinds), ("plant", bugs),
      ("policy", MergePolicy.allCases.map(\.rawValue)),
      ("profile", Profile.allCases.map(\.rawValue)),
      ("stack", (try? StackOption.allNames()) ?? []),
      ("strategy", SearchStrategy.all.map(\.name)), ("with", quirks), ("without", quirks),
      ("with-steps", StepFilter.onRequest.map(\.name)), ("without-steps", kinds),
      ("workload", Workload.allCases.map(\.rawValue)),
    ].filter { !$0.1.isEmpty }
  }

  /// Returns whether the option also takes a file.
  private static func takesFiles(_ option: String) -> Bool { ["known", "stack"].contains(option) }

  private static func hyphenated(_ options: [String]) -> String {
    (options + ["help"]).map { "--\($0)" }.joined(separator: " ")
  }

  private static let commands = Command.allCases.map(\.rawValue).joined(separator: " ")

  // MARK: Shells

  private static var bash: String {
    let values = choices.map {
      "    --\($0.option)) COMPREPLY=($(compgen -W '\($0.words.joined(separator: " "))' -- \"$word\")); "
        + "\(takesFiles($0.option) ? "_faultline_files; " : "")return ;;"
    }
    let options = Command.allCases.map {
      "    \($0.rawValue)) options='\(hyphenated($0.options))'; verbs='\($0.verbs.joined(separator: " "))' ;;"
    }
    return """
      # A file name with spaces is one word.
      _faultline_files() {
        local IFS=$'\\n'
        COMPREPLY+=($(compgen -f -- "$word"))
      }
      _faultline() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= verbs=
        if [ "$COMP_CWORD" = 1 ]; then
          COMPREPLY=($(compgen -W '\(commands) help --help --version' -- "$word"))
          return
        fi
        case $before in
      \(values.joined(separator: "\n"))
        esac
        case ${COMP_WORDS[1]} in
          help) verbs='\(commands)' ;;
      \(options.joined(separator: "\n"))
        esac
        COMPREPLY=()
        case $word in
          -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
          *) _faultline_files ;;
        esac
        if [ "$COMP_CWORD" = 2 ] && [ -n "$verbs" ]; then
          COMPREPLY+=($(compgen -W "$verbs" -- "$word"))
        fi
      }
      complete -o filenames -F _faultline faultline
      """
  }

  private static var zsh: String {
    let summaries = Command.allCases.map {
      HumanReport.quoted("\($0.rawValue):\($0.summary)")
    }
    let values = choices.map {
      "    --\($0.option)) compadd -- \($0.words.joined(separator: " "))"
        + "\(takesFiles($0.option) ? "; _files" : ""); return ;;"
    }
    let options = Command.allCases.map {
      "      \($0.rawValue)) compadd -- \(hyphenated($0.options)) ;;"
    }
    let verbs = Command.allCases.filter { !$0.verbs.isEmpty }.map {
      "      \($0.rawValue)) compadd -- \($0.verbs.joined(separator: " ")) ;;"
    }
    return """
      #compdef faultline
      _faultline() {
        local -a commands
        commands=(\(summaries.joined(separator: " ")))
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        case ${words[CURRENT-1]} in
      \(values.joined(separator: "\n"))
        esac
        if [[ ${words[CURRENT]} == -* ]]; then
          case ${words[2]} in
      \(options.joined(separator: "\n"))
          esac
          return
        fi
        if (( CURRENT == 3 )); then
          case ${words[2]} in
            help) compadd -- \(commands) ;;
      \(verbs.joined(separator: "\n"))
          esac
        fi
        _files
      }
      compdef _faultline faultline
      """
  }

  private static var fish: String {
    var lines = Command.allCases.map {
      "complete -c faultline -n __fish_use_subcommand -fa \($0.rawValue) -d "
        + HumanReport.quoted($0.summary)
    }
    lines.append(
      "complete -c faultline -n __fish_use_subcommand -l version -d 'prints the version'")
    lines.append("complete -c faultline -n '__fish_seen_subcommand_from help' -fa '\(commands)'")
    for command in Command.allCases {
      let seen = "complete -c faultline -n '__fish_seen_subcommand_from \(command.rawValue)'"
      if !command.verbs.isEmpty {
        lines.append("\(seen) -a '\(command.verbs.joined(separator: " "))'")
      }
      for option in command.options + ["help"] {
        let words = choices.first { $0.option == option }?.words
        let value =
          words.map { " -ra '\($0.joined(separator: " "))'" }
          ?? (Arguments.isFlag(option) ? "" : " -r")
        lines.append("\(seen) -l \(option)\(value)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
