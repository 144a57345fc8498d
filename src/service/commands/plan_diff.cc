#include <optional>

#include "diff/tree_diff.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/diff/diff_report.h"
#include "service/plan/correction.h"
#include "service/plan/edit_conflicts.h"
#include "service/plan/reviewed_changes.h"
#include "service/plan/sensitive_words.h"
#include "service/plan/void_approval.h"
#include "service/retention.h"

namespace clever::service {
namespace {

using diff::FileDiff;

/// The plan and the paths of a command line. The first word is a plan, or else a path.
struct Meant {
  MeantPlan plan;
  std::vector<std::string> paths;
  /// Why the first word is not a plan.
  std::optional<base::Error> no_plan{};
};

base::Result<Meant> meant(const Invocation& invocation, Context& context) {
  const auto& words = invocation.words();
  auto first = meant_plan(invocation, context);
  if (first.ok()) {
    std::vector<std::string> paths(words.begin() + (words.empty() ? 0 : 1), words.end());
    return Meant{std::move(first).value(), std::move(paths)};
  }
  if (words.empty()) return first.error();
  auto newest = meant_plan(invocation, context, words.size());
  if (!newest.ok()) return first.error();
  return Meant{std::move(newest).value(), words, first.error()};
}

/// The two trees to compare.
struct Trees {
  git::ObjectId before;
  git::ObjectId after;
};

base::Result<Trees> trees_of(const Invocation& invocation, const MeantPlan& plan,
                             const engine::PlanFiles& files, Context& context) {
  if (const auto correction = invocation.value("correction")) {
    if (invocation.flag("dropped")) {
      return base::invalid_argument("--correction and --dropped exclude each other");
    }
    CLEVER_ASSIGN(const std::string before,
                  tree_before(plan.database, plan.state, std::string(*correction), context));
    CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(before));
    return Trees{tree, files.tree};
  }
  if (!invocation.flag("dropped")) return Trees{files.base, files.tree};
  CLEVER_ASSIGN(const LeftOut choice, left_out(plan.state));
  return Trees{choice.kept, choice.whole};
}

Document diff_head(const MeantPlan& plan) {
  const auto& digest = plan.state.changeset.digest;
  return Document::map()
      .set("plan_id", plan.summary.id.to_string())
      .set("phase", plan.summary.phase)
      .set("state", plan.summary.state)
      .set("digest", digest ? Document(digest->to_hex()) : Document());
}

void note_place(const MeantPlan& plan, const std::vector<FileDiff>& diffs, Report& report) {
  if (diffs.empty()) {
    report.messages.push_back({Message::Level::kNote, "the plan changed nothing"});
  } else if (!plan.state.changeset.digest && !plan.state.parent) {
    report.messages.push_back(
        {Message::Level::kNote, "the plan is in " + place_of(plan.state) + ": this may change"});
  }
}

void note_if_void(const MeantPlan& plan, const engine::PlanFiles& files, Context& context,
                  Report& report) {
  const auto moved = moved_on_since(files, plan.state, context.stop());
  Document list = Document::list();
  for (const std::string& sentence : moved) list.push(sentence);
  report.data.set("void", std::move(list));
  if (moved.empty()) return;
  report.warn(void_sentence(plan.state, moved));
  report.messages.push_back({Message::Level::kHint, void_cure(plan.state)});
}

base::Result<Report> diff_of(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const DiffShape shape, diff_shape(invocation, context));
  CLEVER_ASSIGN(const Meant meant_here, meant(invocation, context));
  const MeantPlan& plan = meant_here.plan;
  if (invocation.flag("edit")) return edit_conflicts(plan, context);
  CLEVER_TRY(check_files_kept(plan.database.engine(), plan.state, context));
  CLEVER_ASSIGN(const auto look, PlanLook::open(plan.database, context));
  CLEVER_ASSIGN(const engine::PlanFiles files, look->files(plan.state));
  CLEVER_ASSIGN(const Trees trees, trees_of(invocation, plan, files, context));
  CLEVER_ASSIGN(auto all,
                diff::diff_trees(*files.store, trees.before, trees.after, {}, context.stop()));
  auto diffs = files_at(std::move(all), meant_here.paths, files.project.root.string(), context);
  // A word that could be the beginning of an id was meant as one.
  const bool is_id =
      meant_here.no_plan && meant_here.no_plan->code() != base::ErrorCode::kInvalidArgument;
  if (!diffs.ok()) return is_id ? *meant_here.no_plan : diffs.error();
  Report report = diff_report(diff_head(plan), *diffs, shape, invocation);
  const auto sensitive = engine::sensitive_changes(files, *diffs);
  report.data.set("sensitive", sensitive_document(sensitive));
  warn_of_sensitive(sensitive, report);
  note_place(plan, *diffs, report);
  note_if_void(plan, files, context, report);
  return report;
}

std::vector<Option> plan_diff_options() {
  std::vector<Option> all = diff_options();
  all.push_back(
      {.name = "edit", .summary = "Resolve its conflicts: open each file in your editor"});
  all.push_back({.name = "dropped", .summary = "Show what a review left out instead"});
  all.push_back({.name = "correction",
                 .value = "ID",
                 .summary = "Show what a correction changed instead: its number, or its id"});
  all.push_back(plan_database_option());
  return all;
}

}  // namespace

Command plan_diff_command() {
  return {.name = "diff",
          .aliases = {"artifacts"},
          .summary = "Show what a plan would change",
          .description =
              "The plan's changes so far, in the form that `git apply` accepts. At a terminal, "
              "changed words are coloured and a long diff opens in $PAGER. Also works for "
              "subplans. The JSON has the files with their hunks, the unified diff and the digest "
              "for `agents plan apply --digest`.\n\nWith --edit it opens each file that has a "
              "conflict in $VISUAL or $EDITOR. A file that you save without markers is resolved; "
              "the plan validates and seals the result, and then it can be applied.",
          .positionals = {plan_positional(),
                          {.name = "PATH",
                           .summary = "Only these files and folders",
                           .required = false,
                           .repeated = true}},
          .options = plan_diff_options(),
          .examples = {{"agents plan diff", "All of it"},
                       {"agents plan diff --stat", "Only how much, by file"},
                       {"agents plan diff src/ README.md", "Only there"},
                       {"agents plan diff --side-by-side", "Old and new beside each other"},
                       {"agents plan diff --edit", "Resolve conflicts by hand"},
                       {"agents plan diff 01JD --format json", "A given plan, for a program"}},
          .handler = diff_of};
}

Command diff_command() {
  Command command = plan_diff_command();
  command.aliases = {};
  command.description = "Short for `agents plan diff`.";
  command.examples = {{"agents diff", "All of it"},
                      {"agents diff --stat", "Only how much, by file"}};
  return command;
}

}  // namespace clever::service
