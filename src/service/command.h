#pragma once
// The command tree: the single source of what can be typed. Parsing, --help, the manual pages and
// shell completion are all read from it, so they cannot disagree. Plain data.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/report.h"

namespace clever::service {

class Context;
class Invocation;

/// What a shell offers for a value that has no fixed choices.
enum class Completes : std::uint8_t {
  kNothing,
  kDirectory,
  kConfigKey,
  kConfigValue,
  kCommand,
  kProvider,
  // What is looked up: complete_values().
  kPlan,
  kModel,
  kProfile,
  kActor,
  kAgent,
  /// Agents separated by commas.
  kAgents,
};

struct Option {
  /// Typed as --name.
  std::string_view name;
  /// Typed as -x; 0 if there is none.
  char letter = 0;
  /// What stands for the value in help, "FORMAT"; empty for a flag.
  std::string_view value = {};
  std::string_view summary;
  /// If not empty, no other value is taken.
  std::vector<std::string_view> choices = {};
  Completes completes = Completes::kNothing;
  /// May be given several times, and all values count; else the last does.
  bool repeated = false;
  /// Of the root: taken where no command is named, and nowhere else.
  bool alone = false;
  /// A second one is an error that names both values.
  bool once = false;
};

struct Positional {
  /// "KEY"
  std::string_view name;
  std::string_view summary;
  bool required = true;
  /// Takes all words that are left; only the last one may.
  bool repeated = false;
  std::vector<std::string_view> choices = {};
  Completes completes = Completes::kNothing;
};

struct Example {
  std::string_view command;
  std::string_view what;
};

using Handler = base::Result<Report> (*)(const Invocation&, Context&);

struct Command {
  std::string_view name;
  std::vector<std::string_view> aliases = {};
  std::string_view summary;
  /// Paragraphs separated by an empty line.
  std::string_view description = {};
  std::vector<Positional> positionals = {};
  /// Those of the root are taken everywhere.
  std::vector<Option> options = {};
  std::vector<Example> examples = {};
  std::vector<Command> subcommands = {};
  /// None: the command only groups its subcommands.
  Handler handler = nullptr;
  /// Works, but is not shown: for the build and for shells.
  bool hidden = false;
  /// The answer is text for another program: only --format can turn it into something else, never
  /// a setting.
  bool raw = false;
};

/// The subcommand of that name or alias, or nullptr.
[[nodiscard]] const Command* find_subcommand(const Command& command,
                                             std::string_view name) noexcept;

/// From the root to a command: "agents config set".
using CommandPath = std::vector<const Command*>;
[[nodiscard]] std::string joined(const CommandPath& path, std::string_view separator = " ");

/// The options that can be given there: those of the command, then those of the root.
[[nodiscard]] std::vector<const Option*> options_at(const CommandPath& path);

/// "agents config set KEY VALUE [--project]"
[[nodiscard]] std::string usage_line(const CommandPath& path);

/// "-C, --directory DIR"
[[nodiscard]] std::string spelled(const Option& option);
/// "KEY", "[KEY]", "[COMMAND…]"
[[nodiscard]] std::string spelled(const Positional& positional);

}  // namespace clever::service
