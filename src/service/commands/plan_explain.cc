#include <algorithm>
#include <memory>
#include <optional>

#include "model/context_snapshot.h"
#include "model/decision_events.h"
#include "model/work_events.h"
#include "plan/impact.h"
#include "service/commands/commands.h"
#include "service/commands/context.h"
#include "service/commands/plan.h"
#include "service/plan/decision_words.h"
#include "service/plan/kept_message.h"
#include "service/plan/meant_decision.h"
#include "service/plan/shown_context.h"
#include "service/text.h"
#include "storage/bodies.h"
#include "storage/journal.h"

namespace clever::service {
namespace {

using model::ContextSnapshot;
using model::ShownFragment;
using storage::DecisionNode;

constexpr std::size_t kExplanationWidth = 100;

/// A decision and everything known about it.
struct Explained {
  // Owns what the pointers below point into.
  std::unique_ptr<const FamilyTree> family{};
  const FamilyPlan* plan = nullptr;
  const DecisionNode* node = nullptr;
  model::DecisionRecorded recorded{};
  std::optional<ContextSnapshot> shown{};
  /// Why the context that the model saw cannot be read; empty if it can.
  std::string lost{};
  /// The person's whole text, if a person made the decision.
  std::string said{};
  /// Decisions below it in the tree.
  std::vector<const DecisionNode*> below{};
  /// Other decisions that depend on it, and their steps.
  std::vector<const DecisionNode*> influenced{};
};

const DecisionNode* find_decision(const FamilyPlan& plan, const model::DecisionId& id) {
  const auto found = std::ranges::find(plan.decisions, id, &DecisionNode::id);
  return found == plan.decisions.end() ? nullptr : &*found;
}

void collect_below(const FamilyPlan& plan, const DecisionNode& node,
                   std::vector<const DecisionNode*>& all) {
  for (const std::size_t child : node.children) {
    all.push_back(&plan.decisions[child]);
    collect_below(plan, plan.decisions[child], all);
  }
}

void collect_influenced(const plan::State& state, Explained& explained) {
  for (const model::DecisionId& id : plan::reach_of(state, explained.node->id).superseded) {
    const DecisionNode* other = find_decision(*explained.plan, id);
    const bool known = other == nullptr || other == explained.node ||
                       std::ranges::find(explained.below, other) != explained.below.end();
    if (!known) explained.influenced.push_back(other);
  }
}

// A cleanup may have removed the fragments: says so, and reports the rest.
void read_shown(storage::Engine& engine, Context& context, Explained& explained) {
  if (!explained.recorded.context) return;
  const auto body = storage::Bodies(engine).content(*explained.recorded.context, context.stop());
  const auto snapshot =
      body.ok() ? ContextSnapshot::parse(*body) : base::Result<ContextSnapshot>(body.error());
  if (snapshot.ok()) {
    explained.shown = *snapshot;
  } else {
    explained.lost = snapshot.error().sentence();
  }
}

// The event before a person's decision holds the person's text.
base::Result<void> read_said(storage::Engine& engine, Context& context, Explained& explained) {
  storage::Journal journal(engine, context.clock());
  CLEVER_ASSIGN(const auto events, journal.read(explained.plan->summary.id,
                                                explained.node->sequence - 1, 1, context.stop()));
  if (events.empty() || events.front().kind != model::PlanPrompted::kKind) return {};
  CLEVER_ASSIGN(const auto prompted, model::PlanPrompted::parse(events.front().data));
  const auto message = kept_message(engine, prompted.body, context.stop());
  if (message.ok()) explained.said = text_of(*message);
  return {};
}

base::Result<Explained> explained(const PlanAndDecision& meant, Context& context) {
  const PlanDatabase& database = meant.plan.database;
  Explained all;
  CLEVER_ASSIGN(FamilyTree family,
                FamilyTree::read(database.engine(), meant.decision.plan, context.stop()));
  all.family = std::make_unique<const FamilyTree>(std::move(family));
  all.plan = &all.family->top();
  all.node = find_decision(*all.plan, meant.decision.node.id);
  if (all.node == nullptr)
    return base::not_found(
        "the decision is no longer in the plan; `agents plan tree` shows the present ones");
  CLEVER_ASSIGN(all.recorded, model::DecisionRecorded::parse(all.node->data));
  read_shown(database.engine(), context, all);
  CLEVER_TRY(read_said(database.engine(), context, all));
  collect_below(*all.plan, *all.node, all.below);
  CLEVER_ASSIGN(const plan::State state, database.state(meant.decision.plan));
  collect_influenced(state, all);
  return all;
}

Document explanation_document(const Explained& all, const std::vector<const DecisionNode*>& nodes) {
  Document list = Document::list();
  for (const DecisionNode* node : nodes) {
    const FamilyStep* step = all.plan->step_of(node->id);
    list.push(Document::map()
                  .set("decision_id", node->id.to_string())
                  .set("sequence", node->sequence)
                  .set("kind", node->kind)
                  .set("chosen", node->chosen)
                  .set("step", step == nullptr ? Document() : Document(step->id))
                  .set("superseded", node->superseded != 0));
  }
  return list;
}

Document explanation_document(const Explained& all) {
  const DecisionNode& node = *all.node;
  Document alternatives = Document::list();
  for (const std::string& one : all.recorded.alternatives) alternatives.push(one);
  Document data =
      Document::map()
          .set("plan_id", all.plan->summary.id.to_string())
          .set("decision_id", node.id.to_string())
          .set("sequence", node.sequence)
          .set("kind", node.kind)
          .set("question", node.question)
          .set("chosen", node.chosen)
          .set("alternatives", std::move(alternatives))
          .set("confidence", node.confidence ? Document(*node.confidence) : Document())
          .set("rationale", all.recorded.rationale)
          .set("said", all.said.empty() ? Document() : Document(all.said))
          .set("superseded", node.superseded == 0 ? Document() : Document(node.superseded))
          .set("below", explanation_document(all, all.below))
          .set("influenced", explanation_document(all, all.influenced));
  if (!all.shown) return data;
  data.set("context", snapshot_document(*all.shown));
  return data;
}

std::string in_force(const DecisionNode& node) {
  if (node.superseded == 0) return "in force";
  return "superseded by event " + std::to_string(node.superseded);
}

Fields facts(const Explained& all) {
  const DecisionNode& node = *all.node;
  Fields fields{"", {}};
  const auto add = [&](std::string name, std::string value, Tone tone = Tone::kPlain) {
    if (!value.empty()) fields.fields.push_back({std::move(name), {std::move(value), tone}});
  };
  add("decision", node.id.to_string(), Tone::kStrong);
  add("plan", all.plan->summary.id.to_string() + " " + all.plan->summary.title);
  add("kind", node.kind, Tone::kAccent);
  add("question", printable(node.question));
  add("chosen", printable(node.chosen), Tone::kStrong);
  for (const std::string& one : all.recorded.alternatives) add("instead of", printable(one));
  if (node.confidence) {
    add("confidence", percent(*node.confidence), tone_of_confidence(*node.confidence));
  }
  add("rationale", printable(all.recorded.rationale));
  if (const FamilyStep* step = all.plan->step_of(node.id)) {
    add("step", step->id + ": " + std::string(to_string(step->state)), tone_of_step(step->state));
  }
  add("holds", in_force(node), node.superseded == 0 ? Tone::kGood : Tone::kWarn);
  return fields;
}

Prose said_prose(std::string_view said) {
  Prose prose{{{{"What was said", Tone::kStrong}}}};
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    prose.lines.push_back({{"  " + printable(said.substr(0, end))}});
    said.remove_prefix(std::min(end + 1, said.size()));
  }
  return prose;
}

Table shown_table(const ContextSnapshot& shown) {
  Table table{"What the model saw", {"shown", "as", "tokens", "score", "why"}, {}};
  for (const ShownFragment& fragment : shown.fragments) {
    table.rows.push_back(
        {{fragment.path.empty() ? "-" : printable(fragment.path) + lines_of(fragment),
          Tone::kStrong},
         {fragment.depth},
         {fragment.tokens == 0 ? "" : std::to_string(fragment.tokens)},
         {fragment.score == 0 ? "" : shown_score(fragment.score)},
         {one_line(fragment.why, kExplanationWidth), Tone::kDim}});
  }
  return table;
}

void add_dependents(const Explained& all, const std::vector<const DecisionNode*>& nodes,
                    std::string_view how, Table& table) {
  for (const DecisionNode* node : nodes) {
    const bool gone = node->superseded != 0;
    table.rows.push_back(
        {{std::to_string(node->sequence), Tone::kDim},
         {std::string(name_of_kind(node->kind)), Tone::kAccent},
         {std::string(how), Tone::kDim},
         {one_line(words_of(*node, all.plan->step_of(node->id)), kExplanationWidth)},
         {gone ? "superseded" : "", Tone::kWarn}});
  }
}

View explanation_view(const Explained& all) {
  View view{facts(all)};
  if (!all.said.empty()) view.emplace_back(said_prose(all.said));
  if (all.shown && !all.shown->fragments.empty()) view.emplace_back(shown_table(*all.shown));
  if (!all.recorded.context) {
    view.emplace_back(Prose{{{{"A person made it, or the model saw only the task.", Tone::kDim}}}});
  }
  Table table{"What depends on it", {"decision", "kind", "how", "what", ""}, {}};
  add_dependents(all, all.below, "below it", table);
  add_dependents(all, all.influenced, "influenced", table);
  if (table.rows.empty()) {
    view.emplace_back(Prose{{{{"Nothing depends on it.", Tone::kDim}}}});
  } else {
    view.emplace_back(std::move(table));
  }
  return view;
}

base::Result<Report> explain(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanAndDecision meant, meant_plan_and_decision(invocation, context));
  CLEVER_ASSIGN(const Explained all, explained(meant, context));
  Report report;
  report.data = explanation_document(all);
  report.view = explanation_view(all);
  if (!all.lost.empty()) report.warn("the context that the model saw cannot be read: " + all.lost);
  return report;
}

}  // namespace

Command plan_explain_command() {
  return {
      .name = "explain",
      .summary = "Explain a decision: why, based on what, and what depends on it",
      .description =
          "Question, choice, alternatives, confidence and rationale; the project files that the "
          "model saw; the decisions below it, and those it influenced: steps that depend on its "
          "step, or that worked on files with its changes.\n\nWith one argument, the command takes "
          "the newest plan of this folder, or the plan whose decision has that id.",
      .positionals = {{.name = "PLAN", .summary = "Its id or a prefix of it", .required = false},
                      decision_positional()},
      .options = {plan_database_option()},
      .examples = {{"agents plan explain 18", "Decision 18 of `agents plan tree`"},
                   {"agents plan explain 01JD 18", "The same for a given plan"},
                   {"agents plan explain 18 --format json", "For a program"}},
      .handler = explain};
}

}  // namespace clever::service
