#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_lock.h"
#include "model/document.h"
#include "service/access/tokens.h"
#include "service/caller.h"

namespace clever::service {

/// A folder that clients name by an id. A value.
struct RegisteredProject {
  std::string id{};
  std::filesystem::path path{};
  /// The namespace, to which tokens can be bound. Projects of older files have the default one.
  std::string space{kUsualNamespace};
  friend bool operator==(const RegisteredProject&, const RegisteredProject&) = default;
};
[[nodiscard]] model::Document document_of(const RegisteredProject& project);

/// The projects registered in a home: a file, replaced in one step. Thread-safe, and safe between
/// processes.
class Projects {
 public:
  explicit Projects(std::filesystem::path home) : home_(std::move(home)) {}

  /// Lists the projects in the caller's namespaces. As in all functions below, other projects do
  /// not exist for the caller.
  [[nodiscard]] base::Result<std::vector<RegisteredProject>> list(const Caller& caller) const;
  /// `not_found` lists the existing ones.
  [[nodiscard]] base::Result<RegisteredProject> find(const Caller& caller,
                                                     const std::string& id) const;
  /// Returns the only project, for a request that names none; `invalid_argument` unless there is
  /// exactly one.
  [[nodiscard]] base::Result<RegisteredProject> only(const Caller& caller) const;
  /// Registers a folder, under its present id if it is known. A new id is made from the folder's
  /// name. An empty namespace means the present one or the default; `conflict` if the folder is in
  /// another.
  [[nodiscard]] base::Result<RegisteredProject> add(const std::filesystem::path& path,
                                                    const std::string& space,
                                                    const base::StopToken& stop) const;

  /// False if it is not registered.
  [[nodiscard]] base::Result<bool> remove(const std::filesystem::path& path,
                                          const base::StopToken& stop) const;

 private:
  [[nodiscard]] base::Result<io::FileLock> locked(const base::StopToken& stop) const;
  [[nodiscard]] base::Result<void> write(const std::vector<RegisteredProject>& projects) const;
  [[nodiscard]] base::Result<std::vector<RegisteredProject>> all() const;
  [[nodiscard]] std::filesystem::path file() const { return home_ / "server" / "projects.json"; }

  const std::filesystem::path home_;
};

/// Writes "project.register" or "project.remove" into the audit log: who may do what in the folder
/// is a matter of its namespace.
base::Result<void> note_project(const AccessDesk& desk, std::string_view action,
                                const RegisteredProject& project);

}  // namespace clever::service
