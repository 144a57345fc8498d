#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "config/edit.h"
#include "model/id.h"
#include "service/caller.h"
#include "service/context.h"
#include "service/found_projects.h"
#include "storage/engine.h"

namespace clever::server {

/// The error for a plan that does not exist, or that the caller may not see.
[[nodiscard]] base::Error no_plan(const std::string& plan);

/// Runs operations for clients, each call with its own context. There is no terminal: nothing asks,
/// and only the report comes back.
///
/// Thread-safe. What it was made from must outlive it.
class Operations {
 public:
  struct Parts {
    const service::Command& root;
    /// The call that runs the server: environment, store, models and what starts processes.
    const service::Context& host;
    std::shared_ptr<storage::Engine> store;
    /// Given to every operation as --database; empty: as the settings say.
    std::string database;
    /// Withheld from models, journals and messages.
    std::string token;
    base::StopToken stop;
  };
  explicit Operations(Parts parts);

  [[nodiscard]] const service::Command& root() const noexcept { return parts_.root; }
  [[nodiscard]] storage::Engine& store() const noexcept { return *parts_.store; }
  [[nodiscard]] const std::shared_ptr<storage::Engine>& shared_store() const noexcept {
    return parts_.store;
  }

  /// Works in `directory`. Messages of the report are redacted.
  [[nodiscard]] base::Result<service::Report> run(service::Invocation invocation,
                                                  const service::Caller& caller,
                                                  const std::filesystem::path& directory) const;

  /// Changes settings of the home, all or none; `invalid_argument` says what is wrong with them.
  [[nodiscard]] base::Result<void> change_settings(
      const std::vector<config::ValueChange>& changes) const;

  /// Whether the plans of this project exist for the caller.
  [[nodiscard]] bool sees_project(const service::Caller& caller,
                                  const std::filesystem::path& folder) const {
    return !caller.namespaces || service::sees_project(caller, folder, parts_.host.home());
  }
  /// The folder in which a plan works; `not_found` for an id that is none.
  [[nodiscard]] base::Result<std::filesystem::path> project_of(const std::string& plan) const;
  /// The same check as before `agents run` in this folder, and its root.
  [[nodiscard]] base::Result<std::filesystem::path> check_project(const std::string& folder) const;

 private:
  using Flags = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] Flags flags() const;
  void conceal(base::Redactor& redactor) const;

  const Parts parts_;
  service::FoundProjects found_;
  const service::Surroundings surroundings_;
};

}  // namespace clever::server
