#include "apply/apply.h"
#include "base/ulid.h"
#include "diff/tree_diff.h"
#include "git/snapshot.h"
#include "sandbox/sandbox_manager.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/sandbox.h"
#include "service/work_folder.h"
#include "tool/change_capture.h"

namespace clever::service {
namespace {

constexpr std::chrono::minutes kSandboxLease{10};

// Runs one command, from the snapshot of the project to the report of its changes.
class SandboxRun {
 public:
  SandboxRun(const Invocation& invocation, Context& context, storage::Engine& engine,
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
    CLEVER_ASSIGN(const std::string recovered,
                  apply::recover(project_, context_.home() / "applies", context_.stop()));
    if (!recovered.empty()) report_.warn(recovered);
    CLEVER_ASSIGN(store_, manager_.store(plan_, project_));
    CLEVER_ASSIGN(git::BaseSnapshot base, snapshot());
    for (const std::string& remark : base.remarks) report_.warn(remark);
    base_ = std::make_shared<const git::BaseSnapshot>(std::move(base));
    CLEVER_ASSIGN(const storage::Lease lease,
                  leases_.acquire(plan_, owner_, kSandboxLease, context_.stop()));
    CLEVER_ASSIGN(
        const auto sandbox,
        manager_.create(
            {.plan = plan_, .lease = lease, .project = project_, .store = store_, .base = base_}));
    CLEVER_ASSIGN(const tool::CommandReport outcome, run_command(*sandbox->workspace()));
    CLEVER_ASSIGN(const git::ObjectId tree, sandbox->commit(context_.stop()));
    show(outcome);
    CLEVER_TRY(show_changes(tree));
    if (invocation_.flag("apply")) CLEVER_TRY(land(tree));
    CLEVER_TRY(sandbox->remove());
    return std::move(report_);
  }

  // Removes everything; `agents cleanup` finds what cannot be removed.
  void clean_up() {
    store_.reset();
    const auto leftovers = manager_.leftovers();
    if (!leftovers.ok()) return;
    for (const sandbox::Leftover& leftover : *leftovers) {
      if (leftover.plan == plan_) (void)manager_.remove(leftover);
    }
  }

 private:
  base::Result<git::BaseSnapshot> snapshot() {
    if (const auto from = invocation_.value("from")) {
      return git::snapshot_reference(project_, *store_, *from, context_.stop());
    }
    return git::snapshot_working_tree(project_, *store_, context_.stop());
  }

  base::Result<tool::CommandReport> run_command(sandbox::Workspace& workspace) {
    CLEVER_ASSIGN(auto options,
                  command_options(invocation_, context_, project_.root,
                                  context_.home() / "sandboxes" / plan_.to_string() / "setup"));
    CLEVER_ASSIGN(const auto world, tool::CommandWorld::make(context_.clock(), std::move(options)));
    const auto timeout = config::duration_of(
        invocation_.value("timeout").value_or(context_.settings()->text("sandbox.timeout")));
    return world->run(workspace,
                      {.argv = invocation_.words(),
                       .working_directory = context_.directory().string(),
                       .timeout = timeout,
                       .chosen_by_person = true},
                      context_.stop(), base::Deadline::never());
  }

  void show(const tool::CommandReport& outcome) {
    int code = 1;
    std::string text;
    if (outcome.output) {
      code = outcome.output->ending.exit_code;
      text = outcome.output->output + outcome.output->error_output;
      if (!outcome.output->ending.remark.empty()) report_.warn(outcome.output->ending.remark);
      if (outcome.output->truncated) report_.warn("a part of its output was cut");
    } else if (outcome.failure) {
      report_.warn(outcome.failure->sentence());
    }
    for (const std::string& skipped : outcome.captured.skipped) report_.warn("left out " + skipped);
    report_.data.set("exit_code", code).set("output", text);
    report_.view.emplace_back(Raw{text});
    if (code != 0) {
      report_.warn("the command ended with " + std::to_string(code));
      report_.exit_code = ExitCode::kError;
    }
  }

  base::Result<void> show_changes(const git::ObjectId& tree) {
    CLEVER_ASSIGN(const auto files,
                  diff::diff_trees(*store_, base_->tree, tree, {}, context_.stop()));
    Document changed = Document::list();
    for (const diff::FileDiff& file : files) changed.push(git::printable(file.path));
    report_.data.set("changed", std::move(changed));
    if (invocation_.flag("diff")) {
      const std::string text = diff::unified(files);
      report_.data.set("diff", text);
      report_.view.emplace_back(Raw{text});
    } else if (!files.empty()) {
      report_.view.emplace_back(Raw{diff::stat(files, context_.width())});
    } else {
      report_.view.emplace_back(Prose{{{{"It changed nothing.", Tone::kDim}}}});
    }
    return {};
  }

  base::Result<void> land(const git::ObjectId& tree) {
    CLEVER_ASSIGN(const auto entries,
                  tool::changes_between(*store_, base_->tree, tree, {"sandbox run"}));
    apply::Request request;
    request.project = project_;
    request.store = store_;
    request.plan = plan_;
    request.changes = model::net_changes(entries);
    if (request.changes.empty()) return {};
    request.digest = model::digest_of(request.changes);
    request.message =
        std::string(invocation_.value("message").value_or("Run " + invocation_.word(0)));
    request.mode = invocation_.flag("no-commit") ? apply::Mode::kWorkingTree : apply::Mode::kCommit;
    if (const auto branch = invocation_.value("branch")) {
      request.mode = apply::Mode::kBranch;
      request.branch = *branch;
    }
    request.expected_branch = base_->head.branch;
    request.uncommitted = base_->uncommitted;
    request.state_folder = context_.home() / "applies";
    request.run_hooks = !invocation_.flag("no-verify");
    CLEVER_ASSIGN(const bool agreed, ask_hooks(request));
    if (!agreed) return {};
    CLEVER_ASSIGN(const apply::Outcome landed, apply::apply(request, context_.stop()));
    return show(landed, request.digest);
  }

  // Runs the project's commit hooks; takes over the message that they wrote.
  base::Result<bool> ask_hooks(apply::Request& request) {
    CLEVER_ASSIGN(const apply::HookResult hooks,
                  apply::run_commit_hooks(request, context_.launcher(), context_.stop(),
                                          base::Deadline::never()));
    if (!hooks.output.empty()) report_.view.emplace_back(Raw{hooks.output});
    if (hooks.passed && !hooks.changed) {
      request.message = hooks.message;
      return true;
    }
    report_.warn(hooks.passed ? "a commit hook changed files after your review"
                              : "a commit hook refuses the commit");
    report_.exit_code = ExitCode::kNeedsPerson;
    report_.data.set("applied", false);
    report_.view.emplace_back(Prose{{{{"Nothing was touched.", Tone::kBad}}}});
    return false;
  }

  base::Result<void> show(const apply::Outcome& landed, const base::Sha256Digest& digest) {
    const bool applied = landed.kind != apply::Outcome::Kind::kConstrained;
    report_.data.set("applied", applied).set("digest", digest.to_hex());
    if (landed.commit) report_.data.set("commit", landed.commit->to_hex());
    if (!landed.reason.empty()) report_.warn(landed.reason);
    for (const apply::MovedOn& file : landed.moved_on) {
      report_.warn(git::printable(file.path) + " " + file.why);
    }
    if (!applied) report_.exit_code = ExitCode::kNeedsPerson;
    const std::string where = landed.commit ? "as commit " + landed.commit->to_hex().substr(0, 12)
                                            : std::string("in the working tree");
    report_.view.emplace_back(Prose{{{{applied ? "Applied " + where + "." : "Nothing was touched.",
                                       applied ? Tone::kGood : Tone::kBad}}}});
    return {};
  }

  const Invocation& invocation_;
  Context& context_;
  const storage::OwnerLock& owner_;
  const model::PlanId plan_;
  storage::Leases leases_;
  std::unique_ptr<sandbox::SandboxRecords> records_;
  sandbox::SandboxManager manager_;
  git::Project project_;
  std::shared_ptr<git::ObjectStore> store_;
  std::shared_ptr<const git::BaseSnapshot> base_;
  Report report_;
};

base::Result<Report> run_in_sandbox(const Invocation& invocation, Context& context) {
  CLEVER_TRY(work_project(invocation, context));
  return with_database(run_as_owner<SandboxRun>, invocation, context);
}

}  // namespace

Command sandbox_run_command() {
  std::vector<Option> options{
      {.name = "from", .value = "REF", .summary = "On this commit, not on the working tree"},
      {.name = "timeout",
       .value = "TIME",
       .summary = "How long it may take (default sandbox.timeout)"},
      {.name = "diff", .summary = "Show the whole difference"},
      {.name = "apply", .summary = "Apply its changes, all or nothing, as one commit"},
      {.name = "no-commit", .summary = "With --apply: in the working tree only"},
      {.name = "no-verify", .summary = "With --apply: without the project's commit hooks"},
      {.name = "branch", .value = "NAME", .summary = "With --apply: as a commit on a new branch"},
      {.name = "message",
       .letter = 'm',
       .value = "TEXT",
       .summary = "With --apply: the commit's message"},
      here_option(),
      database_option()};
  for (Option& flag : command_flags()) options.push_back(std::move(flag));
  return {.name = "run",
          .summary = "Run a command on a copy of the working tree and show what it changed",
          .description =
              "The command sees the project at its usual path, as it is now, with uncommitted and "
              "untracked files and dependency folders. All its writes go to the sandbox. It cannot "
              "change anything else on this machine, cannot see the home folder or the network, "
              "and leaves no process behind.\n\nWith --apply its changes land in the project, all "
              "files or none, unless one of the files has changed there meanwhile.",
          .positionals = {{.name = "COMMAND",
                           .summary = "The command and its arguments, after --",
                           .repeated = true}},
          .options = std::move(options),
          .examples = {{"agents sandbox run -- make test", "See whether the tests pass"},
                       {"agents sandbox run --diff -- sed -i s/old/new/ a.txt",
                        "See what a command would do"},
                       {"agents sandbox run --apply -m 'Format' -- clang-format -i src/a.cc",
                        "Do it, as one commit"}},
          .handler = run_in_sandbox};
}

}  // namespace clever::service
