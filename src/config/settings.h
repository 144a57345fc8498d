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

/// The origin of a value; later layers override earlier ones.
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

/// A validated table of a kind (`[[validation]]`).
struct Table {
  /// "/home/me/project/.cleveragents/config.toml:12"
  std::string place{};
  /// From the project's file, which the repository's author wrote.
  bool of_project = false;
  /// By key: one text, or several for a list; a command is a program and its arguments ("sh", "-c"
  /// and the text, if it was one). Includes keys with a default.
  std::map<std::string, std::vector<std::string>> values{};

  /// The first text of a key; empty if there is none.
  [[nodiscard]] std::string text(const std::string& key) const;
  friend bool operator==(const Table&, const Table&) = default;
};

/// Where the settings are read from.
struct Sources {
  /// The program's own folder (home_directory()); its config.toml is the user's layer.
  std::filesystem::path home;
  /// Where the upward search for the project's file begins: the working directory. Absent: no
  /// project layer.
  std::optional<std::filesystem::path> project_directory{};
  io::Environment environment{};
  /// Key and value of each given flag; the last of duplicates counts.
  std::vector<std::pair<std::string, std::string>> flags{};
};

/// The settings in force, merged from all layers and validated. An immutable value; safe to share.
class Settings {
 public:
  /// The value of a key, at least its default. Nothing for an unknown key, and for an unset name
  /// under a pattern (`model.alias.fast`).
  [[nodiscard]] std::optional<Value> find(std::string_view key) const;
  /// The same as text; empty where find() returns nothing.
  [[nodiscard]] std::string text(std::string_view key) const;
  /// Every key of the schema in its order; under a pattern the set ones, by name.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> list() const;
  /// The settings whose keys have this prefix, by name.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> list(std::string_view beginning) const;
  /// All tables of a kind (TableInfo::name), those of the home first, in file order.
  [[nodiscard]] std::vector<Table> tables(std::string_view name) const;
  /// Sentences about unknown names that probably were meant as settings.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  friend class SettingsLoader;

  // Constant after construction.
  Schema schema_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, std::vector<Table>, std::less<>> tables_;
  std::vector<std::string> warnings_;
};

/// Reads all layers. The error is the first problem: it names the file and line (or the variable or
/// the flag), the key, and what would be right. A missing file counts as empty.
[[nodiscard]] base::Result<Settings> load_settings(const Sources& sources);
[[nodiscard]] base::Result<Settings> load_settings(const Sources& sources, const Schema& schema);

/// CLEVERAGENTS_HOME, else `.cleveragents` in the user's home. Absolute.
[[nodiscard]] std::filesystem::path home_directory(const io::Environment& environment);

/// `home`/config.toml, the file of the user's layer.
[[nodiscard]] std::filesystem::path user_file(const std::filesystem::path& home);

/// The nearest `.cleveragents/config.toml` in `sources.project_directory` or above it, except the
/// home's own folder (and `~/.cleveragents`, even if CLEVERAGENTS_HOME names another).
[[nodiscard]] std::optional<std::filesystem::path> project_file(const Sources& sources);

}  // namespace clever::config
