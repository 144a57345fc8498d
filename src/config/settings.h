#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/schema.h"
#include "io/environment.h"

namespace clever::config {

/// Where a value comes from; a later one wins over an earlier one.
enum class Layer : std::uint8_t { kDefault, kUser, kProject, kEnvironment, kFlag };
/// "default", "user", "project", "environment", "flag".
[[nodiscard]] std::string_view to_string(Layer layer) noexcept;

struct Value {
  std::string text;
  Layer layer = Layer::kDefault;
  /// "/home/me/.cleveragents/config.toml:12", "CLEVERAGENTS_MODEL_DEFAULT", "--model", "default".
  std::string origin;

  friend bool operator==(const Value&, const Value&) = default;
};

/// One of the tables of a kind (`[[validation]]`), checked.
struct Table {
  /// "/home/me/project/.cleveragents/config.toml:12"
  std::string place{};
  /// From the project's file, which whoever made the repository wrote.
  bool of_project = false;
  /// By key: one text, of a list several; a command is a program and its arguments ("sh", "-c" and
  /// the text, if it was one). Keys with a default are always there.
  std::map<std::string, std::vector<std::string>> values{};

  /// The first text of a key; empty if there is none.
  [[nodiscard]] std::string text(const std::string& key) const;
  friend bool operator==(const Table&, const Table&) = default;
};

/// What the settings are read from.
struct Sources {
  /// The program's own folder (home_directory()); its config.toml is the user's layer.
  std::filesystem::path home;
  /// Where the search for the project's file begins, upwards: the working directory. Absent: no
  /// project layer.
  std::optional<std::filesystem::path> project_directory{};
  io::Environment environment{};
  /// Key and value of each flag given, the last of equals counting.
  std::vector<std::pair<std::string, std::string>> flags{};
};

/// The settings in force, merged from all layers and checked. An immutable value; safe to share.
class Settings {
 public:
  /// The value of a key: its default's at least. Nothing for a key that does not exist, and for a
  /// name under a pattern (`model.alias.fast`) that nobody set.
  [[nodiscard]] std::optional<Value> find(std::string_view key) const;
  /// The same as text; empty where find() gives nothing.
  [[nodiscard]] std::string text(std::string_view key) const;
  /// Every key of the schema in its order, and under a pattern those that are set, by name.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> list() const;
  /// Those whose keys begin so, by name.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> list(std::string_view beginning) const;
  /// All tables of a kind (TableInfo::name), those of the home first, in the order of the files.
  [[nodiscard]] std::vector<Table> tables(std::string_view name) const;
  /// Sentences about what was probably meant as a setting but is none.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  friend class SettingsLoader;

  // Constant after construction.
  Schema schema_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, std::vector<Table>, std::less<>> tables_;
  std::vector<std::string> warnings_;
};

/// Reads all layers. The first thing wrong is the error: it names the file and line (or the
/// variable or the flag), the key, and what would be right. A missing file is an empty one.
[[nodiscard]] base::Result<Settings> load_settings(const Sources& sources);
[[nodiscard]] base::Result<Settings> load_settings(const Sources& sources, const Schema& schema);

/// CLEVERAGENTS_HOME, else `.cleveragents` in the user's home. Absolute.
[[nodiscard]] std::filesystem::path home_directory(const io::Environment& environment);

/// `home`/config.toml: what the user's layer is read from and written to.
[[nodiscard]] std::filesystem::path user_file(const std::filesystem::path& home);

/// The nearest `.cleveragents/config.toml` in `sources.project_directory` or above it, leaving out
/// the home's own folder (and `~/.cleveragents`, also when CLEVERAGENTS_HOME names another).
[[nodiscard]] std::optional<std::filesystem::path> project_file(const Sources& sources);

}  // namespace clever::config
