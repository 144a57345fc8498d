#include <charconv>

#include "base/text.h"
#include "model/context_snapshot.h"
#include "model/decision_events.h"
#include "service/commands/commands.h"
#include "service/commands/context.h"
#include "service/commands/plan.h"
#include "service/plan/shown_context.h"
#include "service/text.h"
#include "storage/bodies.h"
#include "storage/decisions.h"

namespace clever::service {
namespace {

using model::ContextSnapshot;
using model::ShownFragment;
using storage::DecisionNode;

constexpr std::size_t kDecisionWidth = 100;

/// A decision and the context that the model saw.
struct Made {
  DecisionNode node{};
  std::optional<ContextSnapshot> on{};
};

base::Result<std::optional<ContextSnapshot>> snapshot_of(const DecisionNode& node,
                                                         const storage::Bodies& bodies,
                                                         const base::StopToken& stop) {
  const auto recorded = model::DecisionRecorded::parse(node.data);
  if (!recorded.ok() || !recorded->context) return std::optional<ContextSnapshot>();
  CLEVER_ASSIGN(const std::string body, bodies.content(*recorded->context, stop));
  CLEVER_ASSIGN(ContextSnapshot snapshot, ContextSnapshot::parse(body));
  return std::optional<ContextSnapshot>(std::move(snapshot));
}

Document decision_document(const Made& made) {
  Document data = Document::map()
                      .set("decision_id", made.node.id.to_string())
                      .set("number", made.node.sequence)
                      .set("kind", made.node.kind)
                      .set("question", made.node.question)
                      .set("chosen", made.node.chosen);
  if (!made.on) return data;
  data.set("context", snapshot_document(*made.on));
  return data;
}

Line decision_line(const Made& made) {
  return {{std::to_string(made.node.sequence) + " ", Tone::kDim},
          {made.node.kind, Tone::kAccent},
          {" " + one_line(made.node.question, kDecisionWidth), Tone::kDim},
          {" " + one_line(made.node.chosen, kDecisionWidth)}};
}

Table fragments_table(const ContextSnapshot& snapshot) {
  Table table{"", {"shown", "as", "tokens", "score", "by", "why"}, {}};
  for (const ShownFragment& fragment : snapshot.fragments) {
    table.rows.push_back(
        {{fragment.path.empty() ? "-" : printable(fragment.path) + lines_of(fragment),
          Tone::kStrong},
         {fragment.depth},
         {fragment.tokens == 0 ? "" : std::to_string(fragment.tokens)},
         {fragment.score == 0 ? "" : shown_score(fragment.score)},
         {base::joined(fragment.strategies), Tone::kAccent},
         {one_line(fragment.why, kDecisionWidth), Tone::kDim}});
  }
  return table;
}

// Groups decisions that saw the same fragments.
View decisions_view(const std::vector<Made>& all) {
  View view;
  for (std::size_t i = 0; i < all.size();) {
    Prose heads;
    std::size_t next = i;
    for (; next < all.size() && all[next].on == all[i].on; ++next) {
      heads.lines.push_back(decision_line(all[next]));
    }
    if (!all[i].on) heads.lines.push_back({{"  a person's, or made from the task alone"}});
    view.emplace_back(std::move(heads));
    if (all[i].on) view.emplace_back(fragments_table(*all[i].on));
    i = next;
  }
  if (view.empty()) view = {Prose{{{{"There is no such decision.", Tone::kWarn}}}}};
  return view;
}

base::Result<Report> decisions(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::size_t number, count_option(invocation, "number", 0));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const auto plan, database.find(words.empty() ? std::string() : words.front()));
  CLEVER_ASSIGN(const auto nodes,
                storage::Decisions(database.engine()).tree(plan.id, context.stop()));
  const storage::Bodies bodies(database.engine());
  std::vector<Made> all;
  Document list = Document::list();
  for (const DecisionNode& node : nodes) {
    if (number != 0 && static_cast<std::size_t>(node.sequence) != number) continue;
    CLEVER_ASSIGN(auto on, snapshot_of(node, bodies, context.stop()));
    all.push_back({node, std::move(on)});
    list.push(decision_document(all.back()));
  }
  if (number != 0 && all.empty()) {
    return base::not_found("plan " + plan.id.to_string() + " has no decision " +
                           std::to_string(number) + "; `agents plan tree` shows their numbers");
  }
  Report report;
  report.data =
      Document::map().set("plan_id", plan.id.to_string()).set("decisions", std::move(list));
  report.view = decisions_view(all);
  return report;
}

}  // namespace

Command context_decisions_command() {
  return {.name = "decisions",
          .summary = "Show the context behind a plan's decisions",
          .description =
              "Every decision of a model names the fragments that the model saw; the plan's files "
              "still hold them. The numbers are those of `agents plan tree`.",
          .positionals = {plan_positional()},
          .options = {{.name = "number",
                       .letter = 'n',
                       .value = "N",
                       .summary = "Only the decision of this number"},
                      plan_database_option()},
          .examples = {{"agents context decisions", "Of the newest plan of this folder"},
                       {"agents context decisions 01JD --number 18", "One of them"}},
          .handler = decisions};
}

}  // namespace clever::service
