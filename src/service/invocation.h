#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/command.h"

namespace clever::service {

/// A call that makes sense: which command, with which options and words. Refers to the command
/// tree, which must outlive it. A value otherwise.
class Invocation {
 public:
  Invocation() = default;
  explicit Invocation(const Command& root) : path_{&root} {}

  [[nodiscard]] const CommandPath& path() const noexcept { return path_; }
  [[nodiscard]] const Command& command() const noexcept { return *path_.back(); }
  [[nodiscard]] const Command& root() const noexcept { return *path_.front(); }

  [[nodiscard]] bool flag(std::string_view option) const { return options_.contains(option); }
  /// The last one given.
  [[nodiscard]] std::optional<std::string_view> value(std::string_view option) const;
  /// Of an option that may be repeated, in the order given.
  [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }
  /// The word for a positional that is required; a missing one is a bug and aborts.
  [[nodiscard]] const std::string& word(std::size_t index) const;

  /// Goes on to a subcommand of command().
  void enter(const Command& subcommand) { path_.push_back(&subcommand); }
  void add_word(std::string word) { words_.push_back(std::move(word)); }
  /// All values of an option so far; naming it gives it.
  [[nodiscard]] std::vector<std::string>& values_of(std::string_view option) {
    return options_[std::string(option)];
  }

 private:
  CommandPath path_;
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> words_;
};

}  // namespace clever::service
