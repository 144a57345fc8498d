#include "cli/parse.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/check.h"
#include "cli/words.h"
#include "service/suggest.h"
#include "service/text.h"

namespace clever::cli {

namespace {

/// Verbs of other tools that mean several things here, under `plan`.
struct OtherVerb {
  std::string_view name;
  std::string_view hint;
};
constexpr std::array kOtherVerbs{
    OtherVerb{"use", "`agents run --action NAME` makes a plan from an action"},
    OtherVerb{"create", "`agents run \"TASK\"` makes a plan"},
    OtherVerb{"revert",
              "`agents undo` undoes an apply, `agents plan correct NUMBER --mode revert` changes a "
              "decision, `agents plan rollback` restores a checkpoint"}};

}  // namespace

/// Reads the words once and stops at the first error.
class Parser {
 public:
  Parser(const Command& root, const std::vector<std::string>& arguments) : arguments_(arguments) {
    invocation_ = Invocation(root);
  }

  Parsed run() {
    while (!error_ && at_ < arguments_.size()) take(arguments_[at_++]);
    if (!error_ && !asks_for_help()) check_complete();
    return {std::move(invocation_), std::move(error_)};
  }

 private:
  void take(const std::string& word) {
    if (is_print_and_exit(word)) return print_and_exit();
    if (only_words_ || !looks_like_option(word)) {
      take_word(word);
    } else if (word == "--") {
      only_words_ = true;
    } else if (word.starts_with("--")) {
      take_long(std::string_view(word).substr(2));
    } else {
      take_letters(std::string_view(word).substr(1));
    }
  }

  bool at_root() const { return invocation_.path().size() == 1; }

  // `agents -p TASK` prints the answer to one task, as other agents do.
  bool is_print_and_exit(const std::string& word) const {
    return at_root() && !only_words_ && (word == "-p" || word == "--print");
  }

  void print_and_exit() {
    const Command* run = find_subcommand(invocation_.command(), "run");
    if (run == nullptr) return unknown_option("-p");
    invocation_.enter(*run);
    for (const std::string_view flag : {"print", "direct"}) invocation_.values_of(flag) = {""};
  }

  // By convention "-" is standard input; "-5" is a number.
  static bool looks_like_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-' &&
           std::isdigit(static_cast<unsigned char>(word[1])) == 0;
  }

  void take_word(const std::string& word) {
    const Command& command = invocation_.command();
    // A subcommand's name wins over the word of a command that has both.
    const bool takes_words = command.handler != nullptr && !command.positionals.empty();
    const bool is_subcommand =
        invocation_.words().empty() && find_subcommand(command, word) != nullptr;
    if (!command.subcommands.empty() && (!takes_words || is_subcommand)) {
      take_subcommand(command, word);
    } else if (accepts_another_word(command)) {
      take_positional(command, word);
    } else {
      fail("unexpected argument " + in_quotes(word), too_many_hint(command));
    }
  }

  void take_subcommand(const Command& command, const std::string& word) {
    if (const Command* subcommand = find_subcommand(command, word)) {
      invocation_.enter(*subcommand);
      return;
    }
    // A word with a blank is not a mistyped command: it starts a conversation.
    const Command* session = find_subcommand(command, "session");
    if (at_root() && session != nullptr && word.find_first_of(" \n") != std::string::npos) {
      invocation_.enter(*session);
      return take_word(word);
    }
    std::vector<std::string_view> names;
    for (const Command& subcommand : command.subcommands) {
      if (subcommand.hidden) continue;
      names.push_back(subcommand.name);
      names.insert(names.end(), subcommand.aliases.begin(), subcommand.aliases.end());
    }
    const auto verb = std::ranges::find(kOtherVerbs, word, &OtherVerb::name);
    if (verb != kOtherVerbs.end() && command.name == "plan") {
      return fail("unknown command " + in_quotes(word), std::string(verb->hint));
    }
    const bool more = at_ < arguments_.size() && !looks_like_option(arguments_[at_]);
    const std::string advice =
        at_root() && session != nullptr && more ? "a task goes in quotes: `agents \"TASK\"`; " : "";
    fail("unknown command " + in_quotes(word),
         did_you_mean(word, names,
                      advice + "`" + joined(invocation_.path()) + " --help` lists the commands"));
  }

  bool accepts_another_word(const Command& command) const {
    if (command.positionals.empty()) return false;
    return command.positionals.back().repeated ||
           invocation_.words().size() < command.positionals.size();
  }

  void take_positional(const Command& command, const std::string& word) {
    const std::size_t index = std::min(invocation_.words().size(), command.positionals.size() - 1);
    const Positional& positional = command.positionals[index];
    if (!check_choice(word, positional.choices, positional.name)) return;
    invocation_.add_word(word);
  }

  void take_long(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const Option* option = find_long(name);
    if (option == nullptr) {
      unknown_option("--" + std::string(name));
    } else if (option->value.empty() && equals != std::string_view::npos) {
      fail("option --" + std::string(name) + " takes no value", "");
    } else if (option->value.empty()) {
      set(*option, "");
    } else if (equals != std::string_view::npos) {
      set(*option, word.substr(equals + 1));
    } else {
      take_value(*option);
    }
  }

  void take_letters(std::string_view letters) {
    while (!error_ && !letters.empty()) {
      const Option* option = find_letter(letters[0]);
      if (option == nullptr) return unknown_option("-" + std::string(letters));
      letters.remove_prefix(1);
      if (option->value.empty()) {
        set(*option, "");
      } else if (letters.empty()) {
        take_value(*option);
      } else {
        set(*option, letters);
        letters = {};
      }
    }
  }

  void take_value(const Option& option) {
    if (at_ == arguments_.size()) {
      fail("option --" + std::string(option.name) + " needs a value: " + std::string(option.value),
           option.choices.empty() ? "" : "one of " + alternatives(option.choices));
      return;
    }
    set(option, arguments_[at_++]);
  }

  void set(const Option& option, std::string_view value) {
    if (!check_choice(value, option.choices, "--" + std::string(option.name))) return;
    std::vector<std::string>& values = invocation_.values_of(option.name);
    if (option.once && !values.empty()) return given_twice(option, values.back(), value);
    if (!option.repeated) values.clear();
    values.emplace_back(value);
  }

  void given_twice(const Option& option, std::string_view first, std::string_view second) {
    fail("option --" + std::string(option.name) + " is given twice: " + in_quotes(first) + " and " +
             in_quotes(second),
         "it takes one value: leave out the other");
  }

  bool check_choice(std::string_view value, const std::vector<std::string_view>& choices,
                    std::string_view what) {
    if (choices.empty() || std::ranges::count(choices, value) > 0) return true;
    fail("invalid value " + in_quotes(value) + " for " + std::string(what) + ": expected " +
             alternatives(choices),
         did_you_mean(value, choices));
    return false;
  }

  const Option* find_long(std::string_view name) const {
    const auto options = options_at(invocation_.path());
    const auto it = std::ranges::find(options, name, &Option::name);
    return it == options.end() ? nullptr : *it;
  }

  const Option* find_letter(char letter) const {
    const auto options = options_at(invocation_.path());
    const auto it = std::ranges::find(options, letter, &Option::letter);
    return it == options.end() ? nullptr : *it;
  }

  void unknown_option(const std::string& word) {
    std::vector<std::string> spellings;
    for (const Option* option : options_at(invocation_.path())) {
      spellings.push_back("--" + std::string(option->name));
    }
    fail("unknown option " + in_quotes(word),
         did_you_mean(word, {spellings.begin(), spellings.end()},
                      "`" + joined(invocation_.path()) + " --help` lists the options"));
  }

  bool asks_for_help() const { return invocation_.flag("help") || invocation_.flag("version"); }

  void check_complete() {
    const Command& command = invocation_.command();
    if (command.handler == nullptr && invocation_.path().size() > 1) {
      fail("`" + joined(invocation_.path()) + "` needs a command", subcommand_hint(command));
    }
    if (invocation_.words().size() >= command.positionals.size()) return;
    const Positional& missing = command.positionals[invocation_.words().size()];
    if (!missing.required) return;
    fail("missing argument " + std::string(missing.name) + ": " + std::string(missing.summary),
         missing.choices.empty() ? "" : "one of " + alternatives(missing.choices));
  }

  static std::string subcommand_hint(const Command& command) {
    std::vector<std::string_view> names;
    for (const Command& subcommand : command.subcommands) {
      if (!subcommand.hidden) names.push_back(subcommand.name);
    }
    return "one of " + alternatives(names);
  }

  std::string too_many_hint(const Command& command) const {
    const std::size_t count = command.positionals.size();
    const std::string name = "`" + joined(invocation_.path()) + "`";
    if (count == 0) return name + " takes no arguments";
    return name + " takes " + std::to_string(count) + (count == 1 ? " argument" : " arguments") +
           "; put quotes around a value with spaces";
  }

  void fail(std::string message, std::string hint) {
    error_ = UsageError{std::move(message), std::move(hint)};
  }

  const std::vector<std::string>& arguments_;
  std::size_t at_ = 0;
  bool only_words_ = false;
  Invocation invocation_;
  std::optional<UsageError> error_;
};

Parsed parse(const Command& root, const std::vector<std::string>& arguments) {
  return Parser(root, arguments).run();
}

std::optional<std::string_view> requested_value(std::string_view option,
                                                const std::vector<std::string>& arguments) {
  const std::string flag = "--" + std::string(option);
  std::optional<std::string_view> value;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string_view word = arguments[i];
    if (word == flag && i + 1 < arguments.size()) {
      value = arguments[i + 1];
    } else if (word.starts_with(flag + "=")) {
      value = word.substr(flag.size() + 1);
    }
  }
  return value;
}

}  // namespace clever::cli
