#include "engine/open_project.h"

#include <utility>

#include "apply/apply.h"
#include "engine/actor/context_tools.h"
#include "engine/actor/decision_notes.h"
#include "engine/actor/turn_request.h"
#include "engine/agents/login_copies.h"
#include "engine/offer/offered_tools.h"
#include "git/ignore_rules.h"
#include "tool/builtin_tools.h"

namespace clever::engine {
namespace {

tool::CommandOptions command_options(const ProjectOptions& options,
                                     const OpenProject::Process& process) {
  tool::CommandOptions commands = options.commands;
  commands.project_root = options.project.root;
  commands.members = options.project.members;
  commands.shared_folder = process.home / "sandboxes" / "setup";
  return commands;
}

/// Finds what models are shown of the project.
class Context {
 public:
  Context(git::Project project, storage::Engine& database, std::unique_ptr<CodeContext> code)
      : project_(std::move(project)),
        notes_(database),
        code_(std::move(code)),
        indexed_(code_ != nullptr ? code_->source(files_) : nullptr) {}

  [[nodiscard]] ContextSource& source() {
    return indexed_ != nullptr ? static_cast<ContextSource&>(*indexed_) : files_;
  }

  /// Returns no tools if the project is not searched.
  [[nodiscard]] std::vector<std::shared_ptr<tool::Tool>> tools() {
    if (indexed_ == nullptr) return {};
    return context_tools(
        {.source = *indexed_,
         .project = project_,
         .history = [this](const base::StopToken& stop,
                           base::Deadline deadline) { return history(stop, deadline); },
         .decisions =
             [this](const base::StopToken& stop) {
               return notes_.of_project(project_.root.string(), stop);
             }});
  }

 private:
  base::Result<std::shared_ptr<const context::History>> history(const base::StopToken& stop,
                                                                base::Deadline deadline) {
    CLEVER_ASSIGN(const git::HeadState head, git::head_state(project_));
    const std::string commit = head.commit ? head.commit->to_hex() : std::string();
    return code_->views().history(project_, commit, stop, deadline);
  }

  // Constant after construction, except for members that guard themselves. Later members use
  // earlier ones.
  const git::Project project_;
  FilesContext files_;
  DecisionNotes notes_;
  const std::unique_ptr<CodeContext> code_;
  const std::unique_ptr<IndexedContext> indexed_;
};

base::Result<std::unique_ptr<CodeContext>> code_context(const ProjectOptions& options,
                                                        const OpenProject::Process& process) {
  if (!options.context || !options.context->searches) return std::unique_ptr<CodeContext>();
  const auto& threads = process.search.get([] {
    return std::make_unique<std::shared_ptr<SearchThreads>>(std::make_shared<SearchThreads>());
  });
  return CodeContext::open(*options.context, {.clock = process.clock,
                                              .home = process.home,
                                              .embedders = options.embedders,
                                              .threads = threads});
}

}  // namespace

class OpenProject::Impl {
 public:
  Impl(const ProjectOptions& options, const Process& process, FoundProject found,
       std::string recovered, ActorCatalog actors, std::unique_ptr<CodeContext> code)
      : recovered_(std::move(recovered)),
        actors_(std::move(actors)),
        commands_(
            tool::CommandWorld::when_needed(process.clock, command_options(options, process))),
        context_(options.project, process.database, std::move(code)),
        offered_({.clock = process.clock,
                  .offer = options.offer,
                  .commands = command_options(options, process),
                  .environment = options.environment,
                  .http = options.http},
                 registry_),
        parts_(
            {.found = std::move(found),
             .registry = registry_,
             .context = context_.source(),
             .actors = actors_,
             .commands = commands_,
             .bring_tools = [this](const base::StopToken& stop) { offered_.bring(stop); },
             .skills = offered_.skills(),
             .launcher = options.commands.launcher,
             .hooks = hooks_on(command_options(options, process), process.clock, process.secrets),
             .servers = offered_.servers(),
             .world = options.commands.world}) {}

  base::Result<void> register_tools() {
    CLEVER_TRY(registry_.set(kContextOrigin, context_.tools()));
    CLEVER_TRY(registry_.set(
        tool::kBuiltinOrigin,
        tool::builtin_tools({.project = parts_.found.project, .commands = commands_})));
    offered_.register_tools(commands_);
    return {};
  }

  [[nodiscard]] const ProjectParts& parts() const { return parts_; }
  [[nodiscard]] const std::string& recovered() const { return recovered_; }
  [[nodiscard]] const OfferedTools& offered() const { return offered_; }

 private:
  // Constant after construction, except for members that guard themselves. Later members use
  // earlier ones.
  const std::string recovered_;
  const ActorCatalog actors_;
  const std::shared_ptr<tool::CommandWorld> commands_;
  Context context_;
  tool::ToolRegistry registry_;
  OfferedTools offered_;
  const ProjectParts parts_;
};

base::Result<std::unique_ptr<OpenProject>> OpenProject::open(const ProjectOptions& options,
                                                             const Process& process,
                                                             const base::StopToken& stop) {
  CLEVER_ASSIGN(std::string recovered,
                apply::recover(options.project, process.home / "applies", stop));
  CLEVER_ASSIGN(ActorCatalog actors, ActorCatalog::load(options.actor_folders));
  if (process.learn_secret) {
    for (const Actor& actor : actors.all()) {
      learn_logins(options.commands.world.home, actor.program.logins, process.learn_secret);
    }
  }
  FoundProject found{.project = options.project};
  CLEVER_ASSIGN(found.excludes, git::excludes_of(found.project));
  CLEVER_ASSIGN(auto code, code_context(options, process));
  auto impl = std::make_unique<Impl>(options, process, std::move(found), std::move(recovered),
                                     std::move(actors), std::move(code));
  CLEVER_TRY(impl->register_tools());
  return std::unique_ptr<OpenProject>(new OpenProject(std::move(impl)));
}

OpenProject::OpenProject(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OpenProject::~OpenProject() = default;

const ProjectParts& OpenProject::parts() const { return impl_->parts(); }
const std::string& OpenProject::recovered() const { return impl_->recovered(); }
std::vector<std::string> OpenProject::remarks() const { return impl_->offered().remarks(); }
KnownTools OpenProject::answered_servers() const { return impl_->offered().answered_servers(); }

}  // namespace clever::engine
