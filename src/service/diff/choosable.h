#pragma once
// The parts of a difference that can be taken or left, and how they are named on a command line.
// Pure functions. Private to the module.
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "diff/tree_diff.h"

namespace clever::service {

/// One part. Refers into the difference.
struct Choosable {
  std::string id;
  const diff::FileDiff* file = nullptr;
  /// Null: what changed beside the lines, or all of a file that has none to choose from.
  const diff::Hunk* hunk = nullptr;
};

/// The id of what changed beside the lines; none: only lines did.
[[nodiscard]] std::optional<std::string> whole_choice(const diff::FileDiff& file);

/// In the order of the files.
[[nodiscard]] std::vector<Choosable> choosables(const std::vector<diff::FileDiff>& files);

/// "src/a.cc:12", or the path alone of what has no line.
[[nodiscard]] std::string place_of(const Choosable& part);
/// "lines", or what remarks_on() says.
[[nodiscard]] std::string what_of(const Choosable& part);

/// The ids that words mean: an id, a beginning of one (4 digits at least) that no other has, or the
/// path of a file or folder for all that is in it. `conflict` names the word that means nothing
/// here, and what is there.
[[nodiscard]] base::Result<std::vector<std::string>> chosen_ids(
    const std::vector<std::string>& words, const std::vector<Choosable>& parts);

/// "a,b", or @FILE with one a line, blank lines and those that begin with '#' left out; `read`
/// reads it.
template <class Read>
[[nodiscard]] base::Result<std::vector<std::string>> chosen_words(const std::string& typed,
                                                                  Read read);
[[nodiscard]] std::vector<std::string> words_between_commas(const std::string& typed);
[[nodiscard]] std::vector<std::string> words_in_lines(const std::string& text);

template <class Read>
base::Result<std::vector<std::string>> chosen_words(const std::string& typed, Read read) {
  if (!typed.starts_with('@')) return words_between_commas(typed);
  CLEVER_ASSIGN(const std::string text, read(typed.substr(1)));
  return words_in_lines(text);
}

}  // namespace clever::service
