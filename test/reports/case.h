#pragma once
// Given/When/Then cases: text files whose lines are steps, matched against patterns that C++
// registers.
//
//   # a comment
//   Case: ten workers ask for the registry
//     Given the reported provider registry
//     When two workers ask for the registry at the same time
//     Then the explorer finds within 100 schedules: two callers hold two registries
//
// In a pattern {number} stands for digits, {word} for anything without a space, and {text} for the
// rest of the line.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::reports {

/// What the placeholders of a pattern stood for, in order.
using Captures = std::vector<std::string>;
/// The captures if `text` matches `pattern`.
[[nodiscard]] std::optional<Captures> match(std::string_view pattern, std::string_view text);

struct Step {
  int line = 0;
  std::string keyword;  // Given, When, Then; And and But become the keyword before them
  std::string text;
};

struct Case {
  std::string name;
  std::vector<Step> steps;
};

/// Reads the cases of a file. An error names the file and the line.
[[nodiscard]] base::Result<std::vector<Case>> parse_cases(const std::string& file,
                                                          std::string_view text);

/// The steps that a runner knows, each for one keyword.
class Steps {
 public:
  using Action = std::function<base::Result<void>(const Captures&)>;
  void add(std::string keyword, std::string pattern, Action action);
  /// Runs the steps in order and stops at the first error, which names the file and the line. A
  /// step that nobody registered is an error.
  [[nodiscard]] base::Result<void> run(const std::string& file, const Case& one) const;

 private:
  struct Known {
    std::string keyword;
    std::string pattern;
    Action action;
  };
  [[nodiscard]] base::Result<void> run_step(const Step& step) const;

  std::vector<Known> known_;
};

}  // namespace clever::reports
