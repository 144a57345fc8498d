#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/document.h"
#include "service/access/tokens.h"
#include "service/caller.h"

namespace clever::server {

/// A folder that clients name by an id. A value.
struct RegisteredProject {
  std::string id{};
  std::filesystem::path path{};
  /// Tokens can be bound to it. Projects of before have the usual one.
  std::string space{service::kUsualNamespace};
  friend bool operator==(const RegisteredProject&, const RegisteredProject&) = default;
};
[[nodiscard]] model::Document document_of(const RegisteredProject& project);

/// The projects that are registered in a home: a file, replaced in one step. Thread-safe, and safe
/// between processes.
class Projects {
 public:
  explicit Projects(std::filesystem::path home) : home_(std::move(home)) {}

  /// Those of the caller's namespaces, as all below: others do not exist for them.
  [[nodiscard]] base::Result<std::vector<RegisteredProject>> list(
      const service::Caller& caller) const;
  /// `not_found` lists those there are.
  [[nodiscard]] base::Result<RegisteredProject> find(const service::Caller& caller,
                                                     const std::string& id) const;
  /// The one that is meant where none is named; `invalid_argument` unless there is exactly one.
  [[nodiscard]] base::Result<RegisteredProject> only(const service::Caller& caller) const;
  /// Registers a folder, under the id that it has already if it is known. The id is made of the
  /// folder's name. An empty namespace is the one it has, or the usual one; `conflict` for another
  /// than it has.
  [[nodiscard]] base::Result<RegisteredProject> add(const std::filesystem::path& path,
                                                    const std::string& space,
                                                    const base::StopToken& stop) const;

 private:
  [[nodiscard]] base::Result<std::vector<RegisteredProject>> all() const;
  [[nodiscard]] std::filesystem::path file() const { return home_ / "server" / "projects.json"; }

  const std::filesystem::path home_;
};

}  // namespace clever::server
