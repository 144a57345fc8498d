#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a text for `sh -c` would run, as far as the text shows it. Pure and total.
namespace clever::confine {

/// One word of a command. A value.
struct ShellWord {
  /// Without its quotes.
  std::string text{};
  /// The shell replaces it by something unknown here (a variable, a command's output, a pattern of
  /// files): any number of any words.
  bool unknown = false;
  friend bool operator==(const ShellWord&, const ShellWord&) = default;
};

/// A command with its arguments, without redirections.
using ShellCommand = std::vector<ShellWord>;

/// Every simple command in the text: between ; & | && || and line ends, in parentheses and braces,
/// in $( ) and back quotes, and in the texts that shells in it get as arguments (sh -c '…', eval).
/// None if the text cannot be parsed (an open quote, a here document, a function, nesting beyond
/// `depth`).
[[nodiscard]] std::optional<std::vector<ShellCommand>> shell_commands(std::string_view text,
                                                                      std::size_t depth = 8);

/// Whether it runs another command later in the line: sudo, env, xargs, …
[[nodiscard]] bool is_wrapper(std::string_view name) noexcept;
/// Whether a command follows directly: then, do, !, …
[[nodiscard]] bool is_keyword(std::string_view name) noexcept;
/// Whether it runs its argument, a file or input: sh, eval, source, …
[[nodiscard]] bool is_shell(std::string_view name) noexcept;
/// The positions of words that may name a program: the first, and those after keywords, assignments
/// and programs that run others.
[[nodiscard]] std::vector<bool> program_places(const ShellCommand& words);
/// "/usr/bin/git" → "git"
[[nodiscard]] std::string_view program_name(std::string_view word) noexcept;

}  // namespace clever::confine
