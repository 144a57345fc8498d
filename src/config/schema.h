#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The known settings. Immutable values and pure functions, safe from any thread.
namespace clever::config {

enum class Type : std::uint8_t {
  kString,
  kModel,     // "provider/model"
  kInteger,   // whole, signed 64 bit
  kNumber,    // finite
  kBoolean,   // true or false
  kChoice,    // one of `allowed`
  kDuration,  // "250ms", "30s", "5m", "2h"
  kSize,      // "512MiB", "4GiB", "50%" of what exists; "0"
  kList,      // texts; in a file an array, elsewhere separated by commas
  kModels,    // a list of models or aliases
  kRule,      // a rule about tool calls: model::parse_permission()
  kRules,     // a list of rules; a comma in parentheses belongs to its rule
  kTools,     // a list of tool names, with the wildcards `*` and `?`
  kVariable,  // the name of an environment variable; an invalid value is not shown: it may be a key
  kCommand,   // for tables: a text for `sh -c`, or an array of a program and its arguments
  kObject,    // for tables: a table, or a text with a JSON object
};

struct KeyInfo {
  /// "output.format"; a segment `*` stands for any name of letters, digits, `_` and `-`.
  std::string name;
  Type type = Type::kString;
  std::vector<std::string> allowed{};
  /// Empty: unset by default.
  std::string default_value{};
  std::string description{};
  /// False if a cloned repository must not decide: endpoints, keys, confinement, network, and paths
  /// outside the project.
  bool project_may_set = true;
  /// The command-line flag that sets it ("--format"); empty if there is none.
  std::string flag{};
  /// The smallest valid number.
  std::optional<std::int64_t> least{};
  /// The largest.
  std::optional<std::int64_t> most{};

  [[nodiscard]] bool is_pattern() const noexcept { return name.find('*') != std::string::npos; }
};

using Schema = std::vector<KeyInfo>;

/// A kind of table that a file may have any number of: each begins with `[[name]]`.
struct TableInfo {
  std::string name;
  std::string description{};
  std::vector<KeyInfo> keys{};
  /// Required keys.
  std::vector<std::string> needed{};
  /// Keys of which each table must have exactly one.
  std::vector<std::string> either{};
};
using TableSchema = std::vector<TableInfo>;

/// Every key of this program, in display order.
[[nodiscard]] const Schema& schema();

/// The entry of a key, including patterns; nullptr for an unknown key. Points into the schema.
[[nodiscard]] const KeyInfo* find_key(std::string_view name);
[[nodiscard]] const KeyInfo* find_key(const Schema& schema, std::string_view name);

/// Every kind of table of this program.
[[nodiscard]] const TableSchema& table_schema();
/// nullptr for an unknown kind. Points into the schema.
[[nodiscard]] const TableInfo* find_table(std::string_view name);

/// `invalid_argument` names the key and what would be right, if `text` is not a valid value.
[[nodiscard]] base::Result<void> check_value(const KeyInfo& info, std::string_view key,
                                             std::string_view text);

/// "one of rich, plain, json", "a whole number": completes "expected …".
[[nodiscard]] std::string expectation(const KeyInfo& info);

/// The value of a kDuration. It must have passed check_value().
[[nodiscard]] std::chrono::milliseconds duration_of(std::string_view text);
/// The value of a kSize in bytes; a percentage is of `whole`. It must have passed check_value().
[[nodiscard]] std::uint64_t size_of(std::string_view text, std::uint64_t whole);
/// Whether a value is a list: an array in a file, separated by commas elsewhere.
[[nodiscard]] bool is_list(Type type) noexcept;
/// The texts of a kList, kModels or kTools, trimmed.
[[nodiscard]] std::vector<std::string> list_of(std::string_view text);
/// The rules of a kRules, likewise.
[[nodiscard]] std::vector<std::string> rules_of(std::string_view text);

/// The error for an unknown key, with the nearest known one.
[[nodiscard]] base::Error unknown_key(const Schema& schema, std::string_view key);

/// The error for an unknown key of such tables, with the nearest known one.
[[nodiscard]] base::Error unknown_key(const TableInfo& table, std::string_view key);

/// The environment variable of a key: "model.default" ↔ "CLEVERAGENTS_MODEL_DEFAULT".
[[nodiscard]] std::string environment_name(std::string_view key);

}  // namespace clever::config
