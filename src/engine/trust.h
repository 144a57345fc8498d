#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "config/settings.h"

namespace clever::engine {

/// Something that files of a project would have run on a person's machine. A value.
struct NamedCommand {
  /// "validation", "hook", "mcp", "tool", "setup", "actor" or "skill".
  std::string kind{};
  std::string name{};
  /// The program and its arguments; a text for the shell is {"sh", "-c", TEXT}, a server on the net
  /// {URL}, a skill {its folder}. Files of the project that they name count with their content.
  std::vector<std::string> argv{};
  /// Where it is named: ".cleveragents/config.toml:12". Not part of what is trusted.
  std::string place{};
  /// Further files of the project whose content counts, relative to it: a skill's, for one.
  std::vector<std::string> files{};

  friend bool operator==(const NamedCommand&, const NamedCommand&) = default;
};

/// The trust entry of a `[[validation]]` or a `[[hook]]` (`kind`), with its program and arguments;
/// of a validation by a tool, the tool and its arguments. Every lookup of trust uses it.
[[nodiscard]] NamedCommand named_command(std::string_view kind, const config::Table& table);

/// "2 commands of this project are not trusted, so they are not used: `agents trust` shows them".
[[nodiscard]] std::string untrusted_sentence(std::size_t count);

/// What a person has looked at and allowed, by project and command: a command is known by the
/// SHA-256 of its kind, name and arguments and of the files inside the project that they name, so
/// that whatever changes is asked about again.
///
/// A value: trusts() answers from what the file said when it was opened or last changed through
/// this object. Any number of processes may change the file at once: each change is made on the
/// outcome of the one before, under a lock, and lands whole or not at all. Only its owner can read
/// it. Not thread-safe; each command has its own.
class TrustStore {
 public:
  /// `home`/trust.json; one that is not there trusts nothing. `corruption` for one that cannot be
  /// read: says how to get rid of it.
  [[nodiscard]] static base::Result<TrustStore> open(const std::filesystem::path& home);

  /// All of them; true if there are none. False for a command that cannot be known, as
  /// files_of() says.
  [[nodiscard]] bool trusts(const std::filesystem::path& project,
                            const std::vector<NamedCommand>& commands) const;
  /// Those that are not trusted, in their order.
  [[nodiscard]] std::vector<NamedCommand> untrusted(
      const std::filesystem::path& project, const std::vector<NamedCommand>& commands) const;

  /// Trusts these commands as they are now, in place of those of the same kind and name; others
  /// stay trusted. `invalid_argument` as files_of() says: nothing is changed then.
  base::Result<void> trust(const std::filesystem::path& project,
                           const std::vector<NamedCommand>& commands,
                           const base::StopToken& stop = {});
  /// Forgets the project. `not_found` if nothing of it is trusted.
  base::Result<void> revoke(const std::filesystem::path& project, const base::StopToken& stop = {});

  /// The files inside the project that the command names, relative to it, by name.
  /// `invalid_argument` for a command that can never be trusted: it names a file through a link or
  /// `..` that leads out of the project.
  [[nodiscard]] static base::Result<std::vector<std::string>> files_of(
      const std::filesystem::path& project, const NamedCommand& command);

 private:
  /// Real path of a project → kind and name → digests.
  using Digests = std::map<std::string, std::set<std::string>>;
  using Trusted = std::map<std::string, Digests>;

  explicit TrustStore(std::filesystem::path file) : file_(std::move(file)) {}
  base::Result<void> load();
  /// On what the file says at that moment, alone.
  base::Result<void> change(const std::function<base::Result<void>(Trusted&)>& edit,
                            const base::StopToken& stop);

  // Constant after construction.
  std::filesystem::path file_;

  Trusted trusted_;
};

}  // namespace clever::engine
