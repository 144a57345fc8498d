#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a text for `sh -c` would run, as far as that can be known from the text alone. Pure and
// total.
namespace clever::confine {

/// One word of a command. A value.
struct ShellWord {
  /// Without its quotes.
  std::string text{};
  /// The shell puts something in its place that is not known here (a variable, the output of a
  /// command, a pattern of files): any number of any words.
  bool unknown = false;
  friend bool operator==(const ShellWord&, const ShellWord&) = default;
};

/// A command with its arguments, without redirections.
using ShellCommand = std::vector<ShellWord>;

/// Every simple command in the text, wherever it stands: between ; & | && || and ends of lines, in
/// parentheses and braces, in $( ) and back quotes, and in the texts that shells inside it are
/// given (sh -c '…', eval). None at all: the text cannot be understood (an open quote, a here
/// document, a function, more than `depth` of one inside another).
[[nodiscard]] std::optional<std::vector<ShellCommand>> shell_commands(std::string_view text,
                                                                      std::size_t depth = 8);

/// Whether it runs another command that stands somewhere behind it: sudo, env, xargs, …
[[nodiscard]] bool is_wrapper(std::string_view name) noexcept;
/// Whether a command stands right behind it: then, do, !, …
[[nodiscard]] bool is_keyword(std::string_view name) noexcept;
/// Whether it runs what it is given as text, a file or input: sh, eval, source, …
[[nodiscard]] bool is_shell(std::string_view name) noexcept;
/// At which of the words a program may be named: the first, and those behind keywords, assignments
/// and programs that run others.
[[nodiscard]] std::vector<bool> program_places(const ShellCommand& words);
/// "/usr/bin/git" → "git"
[[nodiscard]] std::string_view program_name(std::string_view word) noexcept;

}  // namespace clever::confine
