#include "base/number.h"
#include "base/random.h"
#include "base/ulid.h"
#include "config/schema.h"
#include "sandbox/sandbox_manager.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "service/journal_deletion.h"
#include "service/retention.h"

namespace clever::service {
namespace {

using sandbox::Leftover;

std::string_view leftover_kind(const Leftover& leftover) {
  switch (leftover.kind) {
    case Leftover::Kind::kWorkspace:
      return "workspace";
    case Leftover::Kind::kFolder:
      return "folder";
    case Leftover::Kind::kPlanFiles:
      return "plan files";
    case Leftover::Kind::kBase:
      return "checkout";
  }
  return "";
}

constexpr std::size_t kJournalDayLength = std::string_view("2026-01-31").size();

// How the report names what happens to a leftover: when listed and when removed.
struct Outcome {
  std::string_view word;
  Tone tone = Tone::kPlain;
  std::string why;
};

class Cleanup {
 public:
  Cleanup(sandbox::SandboxManager& manager, const Invocation& invocation, Context& context)
      : manager_(manager),
        context_(context),
        dry_run_(invocation.flag("dry-run")),
        discard_(invocation.value("discard").value_or("")) {}

  void add_journals(const std::vector<storage::PlanSummary>& plans) {
    for (const storage::PlanSummary& plan : plans) {
      const std::string why = std::string(plan.state) + ", last changed on " +
                              shown_time(plan.updated).substr(0, kJournalDayLength);
      const Outcome outcome{dry_run_ ? "would go" : "deleted",
                            dry_run_ ? Tone::kAccent : Tone::kGood, why};
      add(plan.id.to_string(), "journal", plan.id, "", outcome);
    }
    journals_ = plans.size();
  }

  [[nodiscard]] Report run(const std::vector<Leftover>& leftovers) {
    for (const Leftover& leftover : leftovers) {
      add(leftover.name, leftover_kind(leftover), leftover.plan, leftover.folder.string(),
          treat(leftover));
    }
    if (!discard_.empty() && !discarded_) {
      report_.warn("there is no leftover " + discard_ +
                   " that holds unsaved work; `agents cleanup --dry-run` lists leftovers");
    }
    report_.data.set("dry_run", dry_run_)
        .set("removed", removed_)
        .set("kept", static_cast<int>(leftovers.size()) - removed_)
        .set("journals", journals_)
        .set("leftovers", std::move(list_));
    if (table_.rows.empty()) {
      report_.view = {Prose{{{{"Nothing is left over."}}}}};
    } else {
      report_.view = {std::move(table_)};
    }
    return std::move(report_);
  }

 private:
  Outcome treat(const Leftover& leftover) {
    const bool named = leftover.name == discard_;
    if (named && leftover.verdict == Leftover::Verdict::kDirty) discarded_ = true;
    if (leftover.verdict == Leftover::Verdict::kLive) return {"in use", Tone::kDim, leftover.why};
    if (leftover.verdict == Leftover::Verdict::kDirty && !named) {
      report_.warn("workspace " + leftover.name + " " + leftover.why + ": look into " +
                   leftover.folder.string() + ", or `agents cleanup --discard " + leftover.name +
                   "`");
      return {"kept", Tone::kWarn, leftover.why};
    }
    ++removed_;
    if (dry_run_) return {"would go", Tone::kAccent, leftover.why};
    const bool is_plan = leftover.kind == Leftover::Kind::kPlanFiles;
    const auto noted = is_plan ? note_removed_files(leftover.plan, context_) : base::Result<void>();
    const auto removed = noted.ok() ? manager_.remove(leftover, named) : noted;
    if (removed.ok()) return {"removed", Tone::kGood, leftover.why};
    --removed_;
    report_.warn(leftover.name + ": " + removed.error().sentence());
    return {"kept", Tone::kWarn, removed.error().sentence()};
  }

  void add(const std::string& name, std::string_view kind, const model::PlanId& plan,
           const std::string& folder, const Outcome& outcome) {
    list_.push(Document::map()
                   .set("name", name)
                   .set("kind", kind)
                   .set("plan", plan.to_string())
                   .set("folder", folder)
                   .set("fate", outcome.word)
                   .set("why", outcome.why));
    table_.rows.push_back({{name, Tone::kStrong},
                           {std::string(kind)},
                           {std::string(outcome.word), outcome.tone},
                           {outcome.why}});
  }

  sandbox::SandboxManager& manager_;
  Context& context_;
  const bool dry_run_;
  const std::string discard_;
  Report report_;
  Document list_ = Document::list();
  Table table_{"", {"name", "kind", "", "why"}, {}};
  int removed_ = 0;
  std::size_t journals_ = 0;
  bool discarded_ = false;
};

// The age in days from which journals are deleted; none: all stay.
base::Result<std::optional<std::int64_t>> wanted_journals(const Invocation& invocation,
                                                          Context& context) {
  if (const auto typed = invocation.value("journals")) {
    const config::KeyInfo days{.name = "journals", .type = config::Type::kInteger, .least = 0};
    CLEVER_TRY(config::check_value(days, "--journals", *typed));
    return std::optional(base::to_number<std::int64_t>(*typed).value_or(0));
  }
  CLEVER_ASSIGN(const std::int64_t days, journal_days(context));
  return days > 0 ? std::optional(days) : std::nullopt;
}

base::Result<Report> clean(const storage::DatabaseUrl& url, const Invocation& invocation,
                           Context& context) {
  CLEVER_ASSIGN(const auto days, wanted_journals(invocation, context));
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  base::SystemRandom random;
  base::UlidGenerator ids(context.clock(), random);
  CLEVER_ASSIGN(const auto owner,
                storage::OwnerLock::acquire(context.home() / "owners", model::OwnerId(ids.next()),
                                            context.stop()));
  CLEVER_ASSIGN(const auto facts, engine->facts());
  const auto records = sandbox::stored_sandbox_records(*engine, context.clock());
  sandbox::SandboxManager manager(
      {.folder = context.home() / "sandboxes", .database = facts.address}, *records, owner, ids);
  const bool dry_run = invocation.flag("dry-run");
  Retained retained;
  if (!dry_run) {
    CLEVER_ASSIGN(retained, expire_payloads(*engine, owner, Extent::kAll, context));
  }
  std::vector<storage::PlanSummary> journals;
  if (days && dry_run) {
    CLEVER_ASSIGN(journals, due_journals(*engine, *days, Extent::kAll, context));
  } else if (days) {
    CLEVER_ASSIGN(journals, delete_journals(*engine, owner, *days, Extent::kAll, context));
  }
  CLEVER_ASSIGN(const auto leftovers,
                manager.leftovers(context.stop(), !invocation.flag("applied")));
  Cleanup cleanup(manager, invocation, context);
  cleanup.add_journals(journals);
  Report report = cleanup.run(leftovers);
  report.data.set("expired_plans", retained.plans).set("expired_payloads", retained.payloads);
  if (retained.plans > 0) {
    report.messages.push_back(
        {Message::Level::kNote, counted(retained.payloads, "payload") + " of " +
                                    counted(retained.plans, "plan") +
                                    " expired (storage.keep_days, storage.keep_mb)"});
  }
  if (!dry_run) {
    CLEVER_TRY(storage::Leases(*engine).remove_leftovers(owner, context.stop()));
  }
  return report;
}

base::Result<Report> cleanup(const Invocation& invocation, Context& context) {
  return with_database(clean, invocation, context);
}

}  // namespace

Command cleanup_command() {
  return {
      .name = "cleanup",
      .summary = "Remove leftovers of crashed runs",
      .description =
          "Removes workspaces of processes that have ended, and files of plans that have ended. "
          "Never touches what a running process uses, or a workspace with work that no checkpoint "
          "holds: it names that workspace and keeps it until you discard it. Keeps what `agents "
          "undo` needs, unless you pass --applied. Payloads and files of plans that ended longer "
          "than storage.keep_days ago, or that exceed storage.keep_mb, expire; journals stay.\n\n"
          "--journals, or the setting storage.journal_days, also deletes the whole journals of "
          "applied and cancelled plans, with their subplans. Each leaves a tombstone with its last "
          "hash, its costs, who allowed what, and its commits: `agents db verify` still checks "
          "them. Keeps plans that failed, wait or are constrained: they have not ended. `agents "
          "plan export` writes a journal to a file first.",
      .options = {{.name = "dry-run", .summary = "Show what it would remove, and stop"},
                  {.name = "discard",
                   .value = "WORKSPACE",
                   .summary = "Also remove this workspace, although it holds unsaved work"},
                  {.name = "journals",
                   .value = "DAYS",
                   .summary = "Also delete journals of plans that ended so many days ago"},
                  {.name = "applied", .summary = "Also remove what undo needs"},
                  database_option()},
      .examples = {{"agents cleanup --dry-run", "See what would go"},
                   {"agents cleanup", "Remove it"},
                   {"agents cleanup --journals 365",
                    "And the journals of plans of the year before"}},
      .handler = cleanup};
}

}  // namespace clever::service
