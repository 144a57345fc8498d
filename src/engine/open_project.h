#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/lazy.h"
#include "base/result.h"
#include "base/secrets.h"
#include "base/stop_token.h"
#include "engine/actor/code_context.h"
#include "engine/actor/tool_actor.h"
#include "engine/effects/project_parts.h"
#include "engine/offer/offer.h"
#include "engine/rule_check.h"
#include "git/project.h"
#include "io/environment.h"
#include "io/http.h"
#include "storage/engine.h"
#include "tool/command_world.h"

namespace clever::engine {

/// How one project is worked on, as its settings and a person's trust say. A value.
struct ProjectOptions {
  git::Project project{};
  /// How commands run in sandboxes; the folders in it are filled in.
  tool::CommandOptions commands{};
  /// Actors of a person, never of a project; built-in ones are always there.
  std::vector<std::filesystem::path> actor_folders{};
  /// How models are shown the project; none: the list of files and those that the task names.
  std::optional<ContextOptions> context{};
  EmbedderSource embedders{};
  /// What models are offered beside the built-in tools: all of it trusted.
  Offer offer{};
  /// For ${NAME} in what MCP servers are given.
  io::Environment environment{};
  /// For MCP servers on the net; none: there are none.
  io::Http* http = nullptr;
};

/// A project while plans of it are worked on: its tools and what else is offered, its context, its
/// hooks, how its commands run. It has no thread of its own but those of its MCP servers.
///
/// Owned by the runtime, shared by the project's plans. Thread-safe; opening and closing block.
class OpenProject {
 public:
  /// What there is once per process; all outlive it.
  struct Process {
    base::Clock& clock;
    storage::Engine& database;
    /// Where state lives.
    std::filesystem::path home{};
    /// May be null.
    const base::Secrets* secrets = nullptr;
    /// Hears values that are secrets from then on: logins of agents. May be empty.
    std::function<void(const std::string& secret)> learn_secret{};
    /// Made when the first project searches.
    base::Lazy<std::shared_ptr<SearchThreads>>& search;
  };
  /// Ends what a killed apply left in the project before anything else.
  [[nodiscard]] static base::Result<std::unique_ptr<OpenProject>> open(
      const ProjectOptions& options, const Process& process, const base::StopToken& stop);
  ~OpenProject();
  OpenProject(const OpenProject&) = delete;
  OpenProject& operator=(const OpenProject&) = delete;

  [[nodiscard]] const ProjectParts& parts() const;
  [[nodiscard]] const ActorCatalog& actors() const { return parts().actors; }
  /// What recovery did when it was opened; empty: nothing.
  [[nodiscard]] const std::string& recovered() const;
  /// What a person should know of what is offered to models: a server that did not start, a tool
  /// whose name is taken. Sentences; the later it is asked, the more it may say.
  [[nodiscard]] std::vector<std::string> remarks() const;
  /// The MCP servers that have answered, and their tools, for rules_without_effect().
  [[nodiscard]] KnownTools answered_servers() const;

 private:
  class Impl;
  explicit OpenProject(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::engine
