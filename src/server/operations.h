#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
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
#include "service/local_answers.h"
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
    /// service::work_key() of what this process does with plans now.
    std::function<base::Result<std::string>()> work{};
    /// Withheld from models, journals and messages.
    std::string token;
    base::StopToken stop;
    /// Records the plans of requests; none: each opens an engine of its own.
    const service::PlanRecorder* recorder = nullptr;
  };
  explicit Operations(Parts parts);

  [[nodiscard]] const service::Command& root() const noexcept { return parts_.root; }
  /// Whether this process does the same with plans as one with this service::work_key().
  [[nodiscard]] bool works_like(const std::string& work_key) const;
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

  /// The call of a command line somewhere else.
  struct Client {
    std::filesystem::path folder{};
    /// By key, above those of the server's own sources.
    std::vector<std::pair<std::string, std::string>> settings{};
    std::size_t text_width = 80;
    std::function<service::Screen()> screen{};
    std::function<base::Result<std::string>()> input{};
    base::StopToken stop{};
    base::StopToken insistence{};
  };
  /// The same with a person at the other end. Blocks as long as the command works.
  [[nodiscard]] base::Result<service::Report> run_for(const Client& client,
                                                      service::Invocation invocation,
                                                      const service::Caller& caller) const;
  /// Where operations work that are about no project: an empty folder of the home.
  [[nodiscard]] std::filesystem::path neutral_folder() const;

  /// The folder in which a plan works; `not_found` for an id that is none.
  [[nodiscard]] base::Result<std::filesystem::path> project_of(const std::string& plan) const;
  /// The same check as before `agents run` in this folder, and its root.
  [[nodiscard]] base::Result<std::filesystem::path> check_project(const std::string& folder) const;

 private:
  using Flags = std::vector<std::pair<std::string, std::string>>;
  [[nodiscard]] Flags flags() const;
  void conceal(base::Redactor& redactor) const;
  [[nodiscard]] base::Result<service::Report> call(service::Invocation invocation,
                                                   const service::Caller& caller,
                                                   service::Context& context) const;

  const Parts parts_;
  service::FoundProjects found_;
  service::LocalAnswers local_answers_;
  const service::Surroundings surroundings_;
};

}  // namespace clever::server
