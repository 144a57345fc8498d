#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace clever::io {

struct ForegroundProgram {
  /// The program, looked up in PATH unless it has a slash, and its arguments.
  std::vector<std::string> argv;
  /// "NAME=value" each; absent: this process's own.
  std::optional<std::vector<std::string>> environment{};
  /// What it reads; absent: the terminal.
  std::optional<std::string> input{};
};

/// Hands the terminal to a program (an editor, a pager) until that ends; its exit code, as a shell
/// reports it. Keys such as Ctrl-C are the program's meanwhile, and reach this process no more than
/// they reach a shell. However the program ends, the terminal's settings are put back as they were.
///
/// A program that reads less than it was given is no error. `not_found`, `permission_denied`,
/// `invalid_argument` as run_process(). Blocks its thread; one at a time.
[[nodiscard]] base::Result<int> run_in_foreground(const ForegroundProgram& program);

}  // namespace clever::io
