#include "cli/completion.h"

#include <algorithm>

#include "cli/words.h"
#include "config/schema.h"
#include "service/commands/provider.h"
#include "service/text.h"

namespace clever::cli {
namespace {

/// Walks the words like the parser, but skips what makes no sense.
class Completer {
 public:
  Completer(const Command& root, const std::vector<std::string>& words) : words_(words) {
    path_ = {&root};
  }

  Candidates run() {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) pass(words_[i]);
    if (!words_.empty()) typed_ = words_.back();
    offer();
    return std::move(candidates_);
  }

 private:
  void pass(const std::string& word) {
    if (pending_ != nullptr) {
      pending_ = nullptr;
    } else if (!only_words_ && word == "--") {
      only_words_ = true;
    } else if (!only_words_ && word.starts_with("-")) {
      pending_ = option_awaiting_value(word);
    } else {
      pass_word(word);
    }
  }

  void pass_word(const std::string& word) {
    const Command* subcommand = only_words_ ? nullptr : find_subcommand(*path_.back(), word);
    if (subcommand != nullptr) {
      path_.push_back(subcommand);
    } else {
      given_.push_back(word);
    }
  }

  // The words of a list that are complete: "claude," of "claude,co".
  static std::string_view before_last(std::string_view list) {
    return list.substr(0, list.rfind(',') + 1);
  }

  const Option* option_awaiting_value(std::string_view word) const {
    for (const Option* option : options_at(path_)) {
      const bool letter = option->letter != 0 && word == std::string{'-', option->letter};
      if (letter || word == "--" + std::string(option->name)) {
        return option->value.empty() ? nullptr : option;
      }
    }
    return nullptr;
  }

  void offer() {
    const std::size_t equals = typed_.find('=');
    if (pending_ != nullptr) {
      offer_values(*pending_, "");
    } else if (only_words_ || !typed_.starts_with("-")) {
      offer_words();
    } else if (equals != std::string_view::npos) {
      const Option* option = option_awaiting_value(typed_.substr(0, equals));
      if (option != nullptr) offer_values(*option, typed_.substr(0, equals + 1));
    } else {
      offer_options();
    }
  }

  void offer_words() {
    const Command& command = *path_.back();
    for (const Command& subcommand : command.subcommands) {
      if (!subcommand.hidden) add(std::string(subcommand.name), subcommand.summary);
    }
    if (command.positionals.empty()) return;
    const std::size_t index = given_.size();
    const bool room = index < command.positionals.size() || command.positionals.back().repeated;
    if (room)
      offer_values(command.positionals[std::min(index, command.positionals.size() - 1)], "");
  }

  void offer_options() {
    for (const Option* option : options_at(path_)) {
      add("--" + std::string(option->name), option->summary);
    }
  }

  template <class Part>
  void offer_values(const Part& part, std::string_view prefix) {
    for (const std::string_view choice : part.choices) add(std::string(prefix).append(choice), "");
    switch (part.completes) {
      case Completes::kDirectory:
        candidates_.directories = true;
        break;
      case Completes::kConfigKey:
        offer_config_keys();
        break;
      case Completes::kConfigValue:
        offer_config_values();
        break;
      case Completes::kCommand:
        offer_commands();
        break;
      case Completes::kProvider:
        offer_providers();
        break;
      case Completes::kPlan:
      case Completes::kModel:
      case Completes::kProfile:
      case Completes::kActor:
      case Completes::kAgent:
      case Completes::kAgents:
        candidates_.looked_up = part.completes;
        candidates_.prefix = prefix;
        if (part.completes == Completes::kAgents)
          candidates_.prefix += before_last(typed_.substr(prefix.size()));
        candidates_.typed = typed_;
        break;
      case Completes::kNothing:
        break;
    }
  }

  void offer_config_keys() {
    for (const config::KeyInfo& key : config::schema()) {
      // The user chooses the name under a pattern; many patterns may begin alike.
      const std::string begin = key.name.substr(0, key.name.find('*'));
      const bool offered = !candidates_.list.empty() && candidates_.list.back().text == begin;
      if (!offered) add(begin, key.description);
    }
  }

  void offer_config_values() {
    const config::KeyInfo* key = given_.empty() ? nullptr : config::find_key(given_.front());
    if (key == nullptr) return;
    for (const std::string& choice : key->allowed) add(choice, "");
    if (key->type == config::Type::kBoolean) {
      add("true", "");
      add("false", "");
    }
  }

  // Offers the aliases that everyone has; the configured ones would need the settings.
  void offer_providers() {
    for (const service::KnownProvider& known : service::known_providers()) {
      add(std::string(known.name), known.base_url);
    }
  }

  void offer_commands() {
    const Command* command = path_.front();
    for (const std::string& word : given_) {
      command = find_subcommand(*command, word);
      if (command == nullptr) return;
    }
    for (const Command& subcommand : command->subcommands) {
      if (!subcommand.hidden) add(std::string(subcommand.name), subcommand.summary);
    }
  }

  void add(std::string text, std::string_view summary) {
    if (text.starts_with(typed_))
      candidates_.list.push_back({std::move(text), std::string(summary)});
  }

  const std::vector<std::string>& words_;
  std::string_view typed_;
  CommandPath path_;
  std::vector<std::string> given_;
  const Option* pending_ = nullptr;
  bool only_words_ = false;
  Candidates candidates_;
};

}  // namespace

Candidates complete(const Command& root, const std::vector<std::string>& words) {
  return Completer(root, words).run();
}

std::string to_lines(const Candidates& candidates) {
  std::string text;
  for (const Candidate& candidate : candidates.list) {
    text.append(printable(candidate.text));
    if (!candidate.summary.empty()) text.append("\t").append(printable(candidate.summary));
    text.push_back('\n');
  }
  if (candidates.directories) text.append(":directories\n");
  return text;
}

}  // namespace clever::cli
