#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "config/schema.h"

// Changes one setting in a file and keeps the rest: comments, order and spacing. Safe from any
// number of threads and processes at once: each change builds on the one before, under a lock
// (FILE.lock), and is atomic.
namespace clever::config {

struct EditOptions {
  const Schema* schema = &config::schema();
  base::StopToken stop{};
  /// How long to wait for other writers, by the system's clock.
  base::Duration patience = std::chrono::seconds{30};
};

/// Sets `key`, creating the file and its folder if needed. `invalid_argument` for an unknown key,
/// an invalid value, or a file that is not valid TOML or has something else in the key's place;
/// then the file is unchanged.
[[nodiscard]] base::Result<void> set_value(const std::filesystem::path& file, std::string_view key,
                                           std::string_view value, const EditOptions& options = {});

/// Removes `key` with its line. `not_found` if the file does not set it.
[[nodiscard]] base::Result<void> unset_value(const std::filesystem::path& file,
                                             std::string_view key, const EditOptions& options = {});

/// A key, and its value; none: the file does not set it any more.
struct ValueChange {
  std::string key;
  std::optional<std::string> value{};
};
/// All of them in one step, or none. `check` gets the text as it would be, under the lock: its
/// error refuses the change. May be empty.
[[nodiscard]] base::Result<void> change_values(
    const std::filesystem::path& file, const std::vector<ValueChange>& changes,
    const std::function<base::Result<void>(const std::string& text)>& check,
    const EditOptions& options = {});

/// Adds a table of a kind at the end of the file. `values` as in Table::values. `invalid_argument`
/// for an unknown kind or key or an invalid value, `already_exists` if the name is taken; then the
/// file is unchanged.
[[nodiscard]] base::Result<void> add_table(
    const std::filesystem::path& file, std::string_view kind,
    const std::map<std::string, std::vector<std::string>>& values, const EditOptions& options = {});

/// Removes the table with that name. `not_found` if there is none.
[[nodiscard]] base::Result<void> remove_table(const std::filesystem::path& file,
                                              std::string_view kind, std::string_view name,
                                              const EditOptions& options = {});

}  // namespace clever::config
