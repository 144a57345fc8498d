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
  /// Its input; absent: the terminal.
  std::optional<std::string> input{};
};

/// Hands the terminal to a program (an editor, a pager) until it ends; returns its exit code, as a
/// shell reports it. Keys such as Ctrl-C go to the program, and do not reach this process, as with
/// a shell. Restores the terminal's settings however the program ends.
///
/// A program that does not read all of its input is no error. `not_found`, `permission_denied`,
/// `invalid_argument` as run_process(). Blocks its thread; one at a time.
[[nodiscard]] base::Result<int> run_in_foreground(const ForegroundProgram& program);

}  // namespace clever::io
