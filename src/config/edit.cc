#include "config/edit.h"

#include <functional>

#include "config/internal/config_file.h"
#include "config/internal/edit_tables.h"
#include "config/internal/edit_text.h"
#include "io/file.h"
#include "io/file_lock.h"

namespace clever::config {
namespace {

using Change =
    std::function<base::Result<std::string>(std::string_view text, std::string_view name)>;

// A file beyond the limit could not be read again.
base::Result<void> check_size(const std::string& text, const std::filesystem::path& file) {
  if (text.size() <= internal::kLargestFile) return {};
  return base::resource_exhausted(file.string() + " would become larger than " +
                                  std::to_string(internal::kLargestFile) + " bytes");
}

base::Result<void> change_locked(const std::filesystem::path& file, const Change& change) {
  CLEVER_ASSIGN(const std::string before, internal::read_text(file));
  CLEVER_ASSIGN(const std::string after, change(before, file.string()));
  CLEVER_TRY(check_size(after, file));
  if (after == before && !before.empty()) return {};
  return io::write_file_atomically(file, after);
}

base::Result<void> change_file(const std::filesystem::path& file, const EditOptions& options,
                               const Change& change) {
  // Locked beside the real file, so that all links to it use the same lock.
  CLEVER_ASSIGN(const std::filesystem::path target, io::follow_links(io::absolute_path(file)));
  CLEVER_TRY(io::make_directories(target.parent_path()));
  base::SystemClock clock;
  CLEVER_ASSIGN(const io::FileLock lock,
                io::FileLock::acquire(target.string() + ".lock", options.stop,
                                      base::Deadline::after(clock, options.patience)));
  return change_locked(target, change);
}

base::Result<const KeyInfo*> known_key(const EditOptions& options, std::string_view key) {
  const KeyInfo* info = find_key(*options.schema, key);
  if (info == nullptr) return unknown_key(*options.schema, key);
  return info;
}

base::Result<const TableInfo*> known_table(std::string_view kind) {
  const TableInfo* info = find_table(kind);
  if (info == nullptr)
    return base::invalid_argument("there are no tables [[" + std::string(kind) + "]]");
  return info;
}

base::Result<std::string> with_change(const std::string& text, const ValueChange& change,
                                      const EditOptions& options, std::string_view name) {
  CLEVER_ASSIGN(const KeyInfo* info, known_key(options, change.key));
  const internal::Path path = internal::split(change.key);
  if (change.value) {
    CLEVER_TRY(check_value(*info, change.key, *change.value));
    return internal::with_value(text, path, internal::literal(*info, *change.value), name);
  }
  auto without = internal::without_value(text, path, name);
  const bool was_unset = !without.ok() && without.error().code() == base::ErrorCode::kNotFound;
  return was_unset ? base::Result<std::string>(text) : without;
}

}  // namespace

base::Result<void> change_values(
    const std::filesystem::path& file, const std::vector<ValueChange>& changes,
    const std::function<base::Result<void>(const std::string& text)>& check,
    const EditOptions& options) {
  return change_file(
      file, options,
      [&](std::string_view text, std::string_view name) -> base::Result<std::string> {
        std::string after(text);
        for (const ValueChange& change : changes) {
          CLEVER_ASSIGN(after, with_change(after, change, options, name));
        }
        if (check) CLEVER_TRY(check(after));
        return after;
      });
}

base::Result<void> add_table(const std::filesystem::path& file, std::string_view kind,
                             const std::map<std::string, std::vector<std::string>>& values,
                             const EditOptions& options) {
  CLEVER_ASSIGN(const TableInfo* info, known_table(kind));
  return change_file(file, options, [&](std::string_view text, std::string_view name) {
    return internal::with_table(text, *info, values, name);
  });
}

base::Result<void> remove_table(const std::filesystem::path& file, std::string_view kind,
                                std::string_view name, const EditOptions& options) {
  CLEVER_ASSIGN(const TableInfo* info, known_table(kind));
  return change_file(file, options, [&](std::string_view text, std::string_view file_name) {
    return internal::without_table(text, *info, name, file_name);
  });
}

base::Result<void> set_value(const std::filesystem::path& file, std::string_view key,
                             std::string_view value, const EditOptions& options) {
  CLEVER_ASSIGN(const KeyInfo* info, known_key(options, key));
  CLEVER_TRY(check_value(*info, key, value));
  return change_file(file, options, [&](std::string_view text, std::string_view name) {
    return internal::with_value(text, internal::split(key), internal::literal(*info, value), name);
  });
}

base::Result<void> unset_value(const std::filesystem::path& file, std::string_view key,
                               const EditOptions& options) {
  CLEVER_ASSIGN(const KeyInfo* info, known_key(options, key));
  static_cast<void>(info);
  return change_file(file, options, [&](std::string_view text, std::string_view name) {
    return internal::without_value(text, internal::split(key), name);
  });
}

}  // namespace clever::config
