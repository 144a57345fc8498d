#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace clever::git {

/// What a path reveals about a secret in the file.
enum class Secrecy : std::uint8_t {
  kNone,
  kLikely,  // server.pem, credentials.json: no reason to hide a tracked file, but one not to add it
  kByContent,  // .npmrc: a secret if it holds a token
  kSecret,     // .ssh/, .env, id_rsa
};

struct SecretRules {
  /// sandbox.include: a secret listed by its exact name is shown. A pattern with *, ? or [ has no
  /// effect.
  std::vector<std::string> include{};
  /// CLEVERAGENTS_HOME, absolute: always hidden if it lies in the project.
  std::filesystem::path own_home{};
};

/// Decides which files of a project models and commands never see. The only table of such names:
/// snapshots, indexes, workspaces and dependency folders all use this class. An immutable value;
/// thread-safe.
class SecretPaths {
 public:
  SecretPaths() = default;
  SecretPaths(SecretRules rules, const std::filesystem::path& root);
  /// Of several projects, each in a folder of that name.
  explicit SecretPaths(std::vector<std::pair<std::string, SecretPaths>> members)
      : members_(std::move(members)) {}

  /// `path` is relative to the root. A folder decides for everything below it.
  [[nodiscard]] Secrecy secrecy(std::string_view path) const;
  /// Whether the path is hidden. Calls `content` only if that decides; a file that cannot be read
  /// is hidden.
  using Content = std::function<base::Result<std::string>()>;
  [[nodiscard]] bool hides(std::string_view path, const Content& content) const;

 private:
  [[nodiscard]] bool is_listed(std::string_view path, std::string_view name) const;

  std::vector<std::string> listed_names_;
  std::vector<std::string> listed_paths_;
  std::string own_home_;
  std::vector<std::pair<std::string, SecretPaths>> members_;
};

/// Whether the content of a .npmrc, .pypirc … holds a token or a password itself, instead of the
/// name of a variable.
[[nodiscard]] bool holds_token(std::string_view content);

}  // namespace clever::git
