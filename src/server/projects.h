#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/document.h"

namespace clever::server {

/// A folder that clients name by an id. A value.
struct RegisteredProject {
  std::string id{};
  std::filesystem::path path{};
  friend bool operator==(const RegisteredProject&, const RegisteredProject&) = default;
};
[[nodiscard]] model::Document document_of(const RegisteredProject& project);

/// The projects that are registered in a home: a file, replaced in one step. Thread-safe, and safe
/// between processes.
class Projects {
 public:
  explicit Projects(std::filesystem::path home) : home_(std::move(home)) {}

  [[nodiscard]] base::Result<std::vector<RegisteredProject>> list() const;
  /// `not_found` lists those there are.
  [[nodiscard]] base::Result<RegisteredProject> find(const std::string& id) const;
  /// The one that is meant where none is named; `invalid_argument` unless there is exactly one.
  [[nodiscard]] base::Result<RegisteredProject> only() const;
  /// Registers a folder, under the id that it has already if it is known. The id is made of the
  /// folder's name.
  [[nodiscard]] base::Result<RegisteredProject> add(const std::filesystem::path& path,
                                                    const base::StopToken& stop) const;

 private:
  [[nodiscard]] std::filesystem::path file() const { return home_ / "server" / "projects.json"; }

  const std::filesystem::path home_;
};

}  // namespace clever::server
