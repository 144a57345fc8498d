#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace clever::io {

/// The environment variables as they were at one moment. An immutable value, so that everything
/// that depends on the environment can be given another one in a test; safe to share.
class Environment {
 public:
  using Entries = std::map<std::string, std::string, std::less<>>;

  Environment() = default;
  explicit Environment(Entries entries) : entries_(std::move(entries)) {}
  /// Those of this process. Of a name that occurs twice the first counts, as for getenv(3).
  [[nodiscard]] static Environment of_process();

  [[nodiscard]] std::optional<std::string> value(std::string_view name) const;
  [[nodiscard]] const Entries& entries() const noexcept { return entries_; }

 private:
  Entries entries_;
};

/// The person's own folder: HOME, else what the user database says, else the file-system root.
[[nodiscard]] std::filesystem::path user_home(const Environment& environment);

}  // namespace clever::io
