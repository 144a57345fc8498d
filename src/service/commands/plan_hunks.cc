#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_landing.h"
#include "service/diff/diff_words.h"
#include "service/plan/reviewed_changes.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kChangeWidth = 60;

// Returns the first changed line, which helps a person to find the hunk.
std::string first_change(const Choosable& part) {
  if (part.hunk == nullptr) return {};
  for (const diff::Line& line : part.hunk->lines) {
    if (line.kind == diff::LineKind::kContext) continue;
    const char sign = line.kind == diff::LineKind::kAdded ? '+' : '-';
    return sign + one_line(line.text, kChangeWidth);
  }
  return {};
}

struct Counts {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
};

Counts counts_of(const Choosable& part) {
  Counts counts;
  if (part.hunk == nullptr) return counts;
  for (const diff::Line& line : part.hunk->lines) {
    counts.added += line.kind == diff::LineKind::kAdded ? 1U : 0U;
    counts.removed += line.kind == diff::LineKind::kRemoved ? 1U : 0U;
  }
  return counts;
}

Document part_document(const Choosable& part, std::string_view state) {
  const Counts counts = counts_of(part);
  Document entry = Document::map()
                       .set("id", part.id)
                       .set("state", state)
                       .set("path", part.file->path)
                       .set("what", what_of(part))
                       .set("status", status_of(*part.file))
                       .set("insertions", counts.added)
                       .set("deletions", counts.removed);
  if (part.file->from) entry.set("from", *part.file->from);
  if (part.hunk == nullptr) return entry;
  return std::move(entry)
      .set("old_start", part.hunk->old_start)
      .set("old_lines", part.hunk->old_lines)
      .set("new_start", part.hunk->new_start)
      .set("new_lines", part.hunk->new_lines)
      .set("heading", part.hunk->heading);
}

std::vector<Span> part_row(const Choosable& part, const std::string& state) {
  const Counts counts = counts_of(part);
  const bool lines = part.hunk != nullptr;
  return {{part.id, Tone::kStrong},
          {state, tone_of_state(state == "dropped" ? "skipped" : state)},
          {place_of(part)},
          {lines ? "+" + std::to_string(counts.added) : "", Tone::kGood},
          {lines ? "-" + std::to_string(counts.removed) : "", Tone::kBad},
          {lines ? first_change(part) : what_of(part), Tone::kDim}};
}

// The state of a hunk that no review left out.
std::string state_of(const plan::State& plan) { return is_applied(plan) ? "applied" : "open"; }

base::Result<Report> hunks(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(const auto changes, ReviewedChanges::open(plan, context));
  CLEVER_ASSIGN(const auto dropped, changes->dropped());
  const std::string state = state_of(plan.state);
  Document list = Document::list();
  Table table{"", {"hunk", "state", "place", "+", "-", "what"}, {}};
  for (const Choosable& part : changes->parts()) {
    list.push(part_document(part, state));
    table.rows.push_back(part_row(part, state));
  }
  for (const Choosable& part : dropped) {
    list.push(part_document(part, "dropped"));
    table.rows.push_back(part_row(part, "dropped"));
  }
  const auto& digest = plan.state.changeset.digest;
  Report report;
  report.data.set("plan_id", plan.summary.id.to_string())
      .set("phase", plan.summary.phase)
      .set("state", plan.summary.state)
      .set("digest", digest ? Document(digest->to_hex()) : Document())
      .set("hunks", std::move(list));
  if (table.rows.empty()) {
    report.messages.push_back({Message::Level::kNote, "the plan changed nothing"});
    return report;
  }
  report.view = {std::move(table)};
  return report;
}

}  // namespace

Command plan_hunks_command() {
  return {
      .name = "hunks",
      .summary = "List a plan's changes hunk by hunk",
      .description =
          "Prints one line for each hunk, with the id that `agents plan apply --hunks` takes. A "
          "change that has no lines (a binary file, a mode, a rename, a link) is one hunk. An id "
          "names the change, not its position: it stays the same while other hunks come and "
          "go.\n\nStates: open (would be applied), dropped (left out by a review), applied.",
      .positionals = {plan_positional()},
      .options = {plan_database_option()},
      .examples = {{"agents plan hunks", "Of the newest plan of this folder"},
                   {"agents plan hunks --format json", "For a program"},
                   {"agents plan apply --hunks 3f9a1c02,src/parser.cc",
                    "Apply one of them, and all of a file"}},
      .handler = hunks};
}

}  // namespace clever::service
