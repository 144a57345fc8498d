#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Which settings there are. Immutable values and pure functions, safe from any thread.
namespace clever::config {

enum class Type : std::uint8_t {
  kString,
  kModel,     // "provider/model"
  kInteger,   // whole, signed 64 bit
  kNumber,    // finite
  kBoolean,   // true or false
  kChoice,    // one of `allowed`
  kDuration,  // "250ms", "30s", "5m", "2h"
  kSize,      // "512MiB", "4GiB", "50%" of what there is; "0"
  kList,      // texts; in a file an array, elsewhere separated by commas
  kModels,    // a list of models or aliases
  kRule,      // a rule about tool calls: model::parse_permission()
  kRules,     // a list of them; a comma between parentheses belongs to the rule
  kTools,     // a list of names of tools, in which `*` and `?` stand for anything
  kVariable,  // the name of an environment variable; a wrong value is not shown: it may be a key
  kCommand,   // of tables: a text for `sh -c`, or an array of a program and its arguments
  kObject,    // of tables: a table, or a text that is a JSON object
};

struct KeyInfo {
  /// "output.format"; a segment `*` stands for any one name of letters, digits, `_` and `-`.
  std::string name;
  Type type = Type::kString;
  std::vector<std::string> allowed{};
  /// Empty: not set unless somebody sets it.
  std::string default_value{};
  std::string description{};
  /// False where a cloned repository must not decide: endpoints, keys, confinement, network, and
  /// paths outside the project.
  bool project_may_set = true;
  /// The command-line flag that sets it ("--format"); empty if there is none.
  std::string flag{};
  /// Of a number: the least that is taken.
  std::optional<std::int64_t> least{};
  /// The most.
  std::optional<std::int64_t> most{};

  [[nodiscard]] bool is_pattern() const noexcept { return name.find('*') != std::string::npos; }
};

using Schema = std::vector<KeyInfo>;

/// A kind of table that a file may have any number of: each begins with `[[name]]`.
struct TableInfo {
  std::string name;
  std::string description{};
  std::vector<KeyInfo> keys{};
  /// Keys that each of them must have.
  std::vector<std::string> needed{};
  /// Keys of which each must have exactly one.
  std::vector<std::string> either{};
};
using TableSchema = std::vector<TableInfo>;

/// Every key of this program, in the order in which they are shown.
[[nodiscard]] const Schema& schema();

/// The entry of a key, patterns matched; nullptr if there is none. Points into the schema.
[[nodiscard]] const KeyInfo* find_key(std::string_view name);
[[nodiscard]] const KeyInfo* find_key(const Schema& schema, std::string_view name);

/// Every kind of table of this program.
[[nodiscard]] const TableSchema& table_schema();
/// nullptr if there is none. Points into the schema.
[[nodiscard]] const TableInfo* find_table(std::string_view name);

/// `invalid_argument` that names the key and what would be right, if `text` is no value for it.
[[nodiscard]] base::Result<void> check_value(const KeyInfo& info, std::string_view key,
                                             std::string_view text);

/// "one of rich, plain, json", "a whole number": completes "expected …".
[[nodiscard]] std::string expectation(const KeyInfo& info);

/// What a value of kDuration says. It must have passed check_value().
[[nodiscard]] std::chrono::milliseconds duration_of(std::string_view text);
/// What a value of kSize says, in bytes; `whole` is what a percentage is of. It must have passed
/// check_value().
[[nodiscard]] std::uint64_t size_of(std::string_view text, std::uint64_t whole);
/// Whether a value is several texts: an array in a file, with commas between them elsewhere.
[[nodiscard]] bool is_list(Type type) noexcept;
/// The texts of a value of kList, kModels or kTools, without the blanks around them.
[[nodiscard]] std::vector<std::string> list_of(std::string_view text);
/// The rules of a value of kRules, in the same way.
[[nodiscard]] std::vector<std::string> rules_of(std::string_view text);

/// The sentence for a key that does not exist, with the nearest one that does.
[[nodiscard]] base::Error unknown_key(const Schema& schema, std::string_view key);

/// The sentence for a key that such tables do not have, with the nearest one that they do.
[[nodiscard]] base::Error unknown_key(const TableInfo& table, std::string_view key);

/// The environment variable of a key: "model.default" ↔ "CLEVERAGENTS_MODEL_DEFAULT".
[[nodiscard]] std::string environment_name(std::string_view key);

}  // namespace clever::config
