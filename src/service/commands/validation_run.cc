#include <algorithm>
#include <utility>

#include "base/thread_pool.h"
#include "base/ulid.h"
#include "engine/offer/offered_tools.h"
#include "engine/trust.h"
#include "engine/validation_check.h"
#include "engine/validation_pipeline.h"
#include "git/snapshot.h"
#include "sandbox/sandbox_manager.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/sandbox.h"
#include "service/commands/validation.h"
#include "service/plan/trusted_commands.h"
#include "service/plan/validation_view.h"
#include "service/text.h"
#include "service/work_folder.h"
#include "storage/owner_lock.h"
#include "tool/builtin_tools.h"

namespace clever::service {
namespace {

constexpr std::chrono::hours kValidationLease{24};
constexpr unsigned kParallel = 4;

// A workspace; the destructor removes its sandbox.
struct Copied {
  explicit Copied(std::unique_ptr<sandbox::Sandbox> made) : sandbox(std::move(made)) {}
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  ~Copied() { (void)sandbox->remove(); }

  const std::unique_ptr<sandbox::Sandbox> sandbox;
};

/// Runs the project's validations on its present files, without a plan.
class ValidationRun {
 public:
  ValidationRun(const Invocation& invocation, Context& context, storage::Engine& engine,
                const storage::OwnerLock& owner, base::UlidGenerator& ids)
      : invocation_(invocation),
        context_(context),
        owner_(owner),
        plan_(ids.next()),
        leases_(engine),
        records_(sandbox::stored_sandbox_records(engine, context.clock())),
        manager_({.folder = context.home() / "sandboxes",
                  .database = engine.facts().value_or(storage::EngineFacts{}).address},
                 *records_, owner, ids) {}

  base::Result<Report> run() {
    CLEVER_ASSIGN(project_, context_.project());
    CLEVER_ASSIGN(const auto wanted, wanted_validations());
    if (wanted.empty() && not_run_.empty()) return nothing_to_run();
    CLEVER_TRY(take_snapshot());
    CLEVER_ASSIGN(auto results, run_all(wanted));
    std::ranges::move(not_run_, std::back_inserter(results));
    return report_of(results);
  }

  // `agents cleanup` finds what cannot be removed.
  void clean_up() {
    store_.reset();
    const auto leftovers = manager_.leftovers();
    if (!leftovers.ok()) return;
    for (const sandbox::Leftover& leftover : *leftovers) {
      if (leftover.plan == plan_) (void)manager_.remove(leftover);
    }
  }

 private:
  base::Result<std::vector<model::Validation>> wanted_validations() {
    CLEVER_ASSIGN(const auto all, listed_validations(project_, context_));
    std::vector<ListedValidation> chosen;
    for (const std::string& name : invocation_.words()) {
      CLEVER_ASSIGN(ListedValidation one, find_validation(all, name));
      chosen.push_back(std::move(one));
    }
    if (invocation_.words().empty()) chosen = all;
    std::vector<model::Validation> wanted;
    std::size_t untrusted = 0;
    for (ListedValidation& one : chosen) {
      if (one.trusted) {
        wanted.push_back(std::move(one.validation));
        continue;
      }
      ++untrusted;
      if (one.validation.required) not_run_.push_back(engine::not_trusted(one.validation));
    }
    // With tools, the remarks of the offer say it for all commands.
    calls_tools_ =
        std::ranges::any_of(wanted, [](const model::Validation& one) { return !one.tool.empty(); });
    if (untrusted > 0 && !calls_tools_) report_.warn(engine::untrusted_sentence(untrusted));
    return wanted;
  }

  // The tools that a plan's models would get here; none if no validation calls a tool.
  base::Result<engine::OfferedTools::Options> offered(const tool::CommandOptions& commands) {
    engine::OfferedTools::Options options{.clock = context_.clock(), .commands = commands};
    if (!calls_tools_) return options;
    CLEVER_ASSIGN(options.offer, trusted_offer(context_, *context_.settings(), project_.root));
    options.environment = context_.environment();
    const bool on_the_net = std::ranges::any_of(
        options.offer.servers, [](const engine::McpServer& server) { return !server.url.empty(); });
    if (on_the_net) options.http = &context_.models().http();
    return options;
  }

  base::Result<Report> nothing_to_run() {
    report_.data.set("passed", true).set("results", Document::list());
    report_.view = {Prose{{{{"No validation to run. "},
                            {"agents validation add NAME -- COMMAND", Tone::kStrong},
                            {" adds a validation."}}}}};
    return std::move(report_);
  }

  base::Result<void> take_snapshot() {
    CLEVER_ASSIGN(store_, manager_.store(plan_, project_));
    CLEVER_ASSIGN(git::BaseSnapshot base,
                  git::snapshot_working_tree(project_, *store_, context_.stop()));
    for (const std::string& remark : base.remarks) report_.warn(remark);
    base_ = std::make_shared<const git::BaseSnapshot>(std::move(base));
    CLEVER_ASSIGN(lease_, leases_.acquire(plan_, owner_, kValidationLease, context_.stop()));
    return {};
  }

  base::Result<std::shared_ptr<sandbox::Workspace>> copy() {
    CLEVER_ASSIGN(
        auto sandbox,
        manager_.create(
            {.plan = plan_, .lease = lease_, .project = project_, .store = store_, .base = base_}));
    const auto copied = std::make_shared<const Copied>(std::move(sandbox));
    return std::shared_ptr<sandbox::Workspace>(copied, copied->sandbox->workspace().get());
  }

  base::Result<std::vector<model::ValidationResult>> run_all(
      const std::vector<model::Validation>& validations) {
    CLEVER_ASSIGN(auto options,
                  command_options(invocation_, context_, project_.root,
                                  context_.home() / "sandboxes" / plan_.to_string() / "setup"));
    CLEVER_ASSIGN(const auto offer, offered(options));
    const auto commands = tool::CommandWorld::when_needed(context_.clock(), std::move(options));
    tool::ToolRegistry registry;
    CLEVER_TRY(registry.set(tool::kBuiltinOrigin,
                            tool::builtin_tools({.project = project_, .commands = commands})));
    engine::OfferedTools tools(offer, registry);
    tools.register_tools(commands);
    tools.bring(context_.stop());
    for (const std::string& remark : tools.remarks()) report_.warn(remark);
    tool::ToolRunner runner(context_.clock(),
                            {.threads = kParallel, .secrets = &context_.redactor().secrets()});
    const Screen screen = context_.screen();
    base::ThreadPool pool({.name = "validations", .threads = kParallel});
    engine::ValidationPipeline pipeline(pool, {.parallel = kParallel});
    return pipeline.run(
        {.validations = validations,
         .check =
             [&](const model::Validation& validation, const base::StopToken& stop) {
               return engine::check_work({.clock = context_.clock(),
                                          .copy = [this] { return copy(); },
                                          .commands = commands,
                                          .runner = &runner,
                                          .tools = registry.snapshot(),
                                          .secrets = &context_.redactor().secrets()},
                                         validation, stop);
             },
         .on_result = [&](const model::ValidationResult& result) { show(screen, result); },
         .stop = context_.stop()});
  }

  // Goes to standard error: the report is the answer.
  static void show(const Screen& screen, const model::ValidationResult& result) {
    if (screen.quiet) return;
    (void)screen.error_output(result.name + " " + result_text(result) + "\n");
  }

  base::Result<Report> report_of(const std::vector<model::ValidationResult>& results) {
    const bool passed = all_passed(results);
    report_.data.set("passed", passed)
        .set("tree", base_->tree.to_hex())
        .set("results", results_document(results));
    const Screen screen = context_.screen();
    // A person at the terminal has already seen the results.
    const bool seen = screen.output_is_terminal && screen.error_is_terminal && !screen.quiet;
    report_.view = {seen ? Block(summary(results)) : Block(results_view(results))};
    std::ranges::move(failed_outputs(results), std::back_inserter(report_.view));
    if (!passed) {
      report_.status = Status::kError;
      report_.exit_code = ExitCode::kError;
    }
    return std::move(report_);
  }

  static Prose summary(const std::vector<model::ValidationResult>& results) {
    const auto failed = std::ranges::count_if(
        results, [](const model::ValidationResult& result) { return !result.passed; });
    return {{{{counted(results.size(), "validation") + ", "},
              {failed == 0 ? "all passed" : std::to_string(failed) + " failed",
               failed == 0 ? Tone::kGood : Tone::kBad}}}};
  }

  const Invocation& invocation_;
  Context& context_;
  const storage::OwnerLock& owner_;
  const model::PlanId plan_;
  storage::Leases leases_;
  const std::unique_ptr<sandbox::SandboxRecords> records_;
  sandbox::SandboxManager manager_;
  git::Project project_;
  std::shared_ptr<git::ObjectStore> store_;
  std::shared_ptr<const git::BaseSnapshot> base_;
  storage::Lease lease_{};
  bool calls_tools_ = false;
  std::vector<model::ValidationResult> not_run_;
  Report report_;
};

base::Result<Report> run_validation(const Invocation& invocation, Context& context) {
  CLEVER_TRY(work_project(invocation, context));
  return with_database(run_as_owner<ValidationRun>, invocation, context);
}

}  // namespace

Command validation_run_command() {
  std::vector<Option> options = command_flags();
  options.push_back(here_option());
  options.push_back(database_option());
  return {.name = "run",
          .summary = "Run validations on the working tree, now",
          .description =
              "Each runs in its own copy of the project as it is now, with uncommitted and "
              "untracked files; its writes are dropped. A validation can call the same tools as a "
              "plan: built-in ones, yours, and those that you trust of the project, MCP servers "
              "included. Prints results as they arrive. Exits with 1 if a required one failed, or "
              "did not run because you have not trusted it.",
          .positionals =
              {{.name = "NAME", .summary = "Only these", .required = false, .repeated = true}},
          .options = std::move(options),
          .examples = {{"agents validation run", "All of them"},
                       {"agents validation run tests --format json", "One, for a program"}},
          .handler = run_validation};
}

}  // namespace clever::service
