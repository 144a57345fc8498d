#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace clever::io {

/// The environment variables at one moment. An immutable value, so that tests can pass another one
/// to code that depends on the environment; safe to share.
class Environment {
 public:
  using Entries = std::map<std::string, std::string, std::less<>>;

  Environment() = default;
  explicit Environment(Entries entries) : entries_(std::move(entries)) {}
  /// The variables of this process. As for getenv(3), the first of duplicates counts.
  [[nodiscard]] static Environment of_process();

  [[nodiscard]] std::optional<std::string> value(std::string_view name) const;
  [[nodiscard]] const Entries& entries() const noexcept { return entries_; }

 private:
  Entries entries_;
};

/// The user's home folder: HOME, else the user database's, else the file-system root.
[[nodiscard]] std::filesystem::path user_home(const Environment& environment);

}  // namespace clever::io
