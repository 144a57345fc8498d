#include <algorithm>
#include <map>

#include "service/amounts.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/plan/decision_words.h"
#include "service/plan/family_tree.h"
#include "service/tree_strokes.h"

namespace clever::service {
namespace {

using storage::DecisionNode;

constexpr std::size_t kTreeTextWidth = 100;

/// Walks over a family: a plan's decisions, and each subplan below the decision that spawned it.
/// Calls a visitor: enter(line or document of a node), leave().
class TreeWalk {
 public:
  TreeWalk(const FamilyTree& family, bool all) : family_(family), all_(all) {}

  struct Item {
    const FamilyPlan* plan = nullptr;
    /// Null: the item is the plan itself.
    const DecisionNode* decision = nullptr;
  };

  /// Returns the items below an item, in order.
  [[nodiscard]] std::vector<Item> below(const Item& item) const {
    return item.decision == nullptr ? below_plan(*item.plan)
                                    : below_decision(*item.plan, *item.decision);
  }

 private:
  [[nodiscard]] bool is_shown(const DecisionNode& node) const {
    return all_ || node.superseded == 0;
  }

  [[nodiscard]] std::vector<Item> below_plan(const FamilyPlan& plan) const {
    std::vector<Item> items;
    std::vector<bool> is_child(plan.decisions.size());
    for (const DecisionNode& node : plan.decisions) {
      for (const std::size_t child : node.children) is_child[child] = true;
    }
    for (std::size_t i = 0; i < plan.decisions.size(); ++i) {
      if (!is_child[i] && is_shown(plan.decisions[i])) items.push_back({&plan, &plan.decisions[i]});
    }
    // Subplans without a known decision.
    for (const std::size_t place : plan.subplans) {
      const FamilyPlan& child = family_.plans()[place];
      if (all_ && !plan.spawners.contains(child.summary.id)) items.push_back({&child});
    }
    return items;
  }

  [[nodiscard]] std::vector<Item> below_decision(const FamilyPlan& plan,
                                                 const DecisionNode& node) const {
    std::vector<Item> items;
    for (const std::size_t child : node.children) {
      if (is_shown(plan.decisions[child])) items.push_back({&plan, &plan.decisions[child]});
    }
    const auto spawned = spawned_.find(&plan);
    const auto& places = (spawned == spawned_.end() ? index(plan) : spawned->second);
    const auto found = places.find(node.id);
    if (found == places.end()) return items;
    for (const FamilyPlan* child : found->second) {
      if (all_ || plan.is_current(child->summary.id)) items.push_back({child});
    }
    return items;
  }

  using Spawned = std::map<model::DecisionId, std::vector<const FamilyPlan*>>;
  const Spawned& index(const FamilyPlan& plan) const {
    Spawned& made = spawned_[&plan];
    for (const std::size_t place : plan.subplans) {
      const FamilyPlan& child = family_.plans()[place];
      const auto spawner = plan.spawners.find(child.summary.id);
      if (spawner != plan.spawners.end()) made[spawner->second].push_back(&child);
    }
    return made;
  }

  const FamilyTree& family_;
  const bool all_;
  mutable std::map<const FamilyPlan*, Spawned> spawned_;
};

using Item = TreeWalk::Item;

Line line_of_plan(const FamilyPlan& plan) {
  const std::string state = plan.summary.phase + "/" + plan.summary.state;
  Line line{{"plan " + plan.summary.id.to_string(), Tone::kStrong},
            {" "},
            {state, tone_of_state(plan.summary.state)},
            {" " + one_line(plan.summary.title, kTreeTextWidth)}};
  if (plan.spent > 0) line.push_back({" " + cost_text(plan.spent), Tone::kAccent});
  return line;
}

// Adds marks for confidence, state and cost after a decision's text.
void add_marks(const FamilyPlan& plan, const DecisionNode& node, Line& line) {
  if (node.confidence) {
    line.push_back({" " + percent(*node.confidence), tone_of_confidence(*node.confidence)});
  }
  if (const FamilyStep* step = plan.step_of(node.id)) {
    line.push_back({" " + std::string(to_string(step->state)), tone_of_step(step->state)});
    if (step->attempt > 1) {
      line.push_back({", attempt " + std::to_string(step->attempt), Tone::kDim});
    }
    if (!step->waits.empty()) {
      line.push_back({", waits: " + one_line(step->waits, kTreeTextWidth), Tone::kWarn});
    }
  }
  if (node.superseded != 0) {
    line.push_back({" superseded by " + std::to_string(node.superseded), Tone::kWarn});
  }
}

Line line_of_decision(const FamilyPlan& plan, const DecisionNode& node, bool unicode) {
  const bool gone = node.superseded != 0;
  const FamilyStep* step = gone ? nullptr : plan.step_of(node.id);
  Line line;
  if (unicode) line.push_back(glyph_of(node, step));
  line.push_back({std::to_string(node.sequence) + " ", Tone::kDim});
  line.push_back({std::string(name_of_kind(node.kind)), gone ? Tone::kDim : Tone::kAccent});
  line.push_back(
      {" " + one_line(words_of(node, step), kTreeTextWidth), gone ? Tone::kDim : Tone::kPlain});
  add_marks(plan, node, line);
  return line;
}

/// Draws without recursion, because a long tree may also be deep.
Prose drawn(const FamilyTree& family, const TreeWalk& walk, bool unicode) {
  struct Pending {
    Item item;
    std::string under;
    bool last = true;
    bool top = false;
  };
  const TreeStrokes strokes = tree_strokes(unicode);
  Prose prose;
  std::vector<Pending> pending{{{&family.top()}, "", true, true}};
  while (!pending.empty()) {
    const Pending here = std::move(pending.back());
    pending.pop_back();
    const std::string stroke(here.top ? "" : here.last ? strokes.last : strokes.branch);
    Line line{{here.under + stroke, Tone::kDim}};
    Line words = here.item.decision == nullptr
                     ? line_of_plan(*here.item.plan)
                     : line_of_decision(*here.item.plan, *here.item.decision, unicode);
    std::ranges::move(words, std::back_inserter(line));
    prose.lines.push_back(std::move(line));
    const std::string under =
        here.top ? "" : here.under + std::string(here.last ? strokes.nothing : strokes.down);
    const std::vector<Item> items = walk.below(here.item);
    for (std::size_t i = items.size(); i > 0; --i) {
      pending.push_back({items[i - 1], under, i == items.size(), false});
    }
  }
  return prose;
}

Document document_of_plan(const FamilyPlan& plan) {
  return Document::map()
      .set("plan_id", plan.summary.id.to_string())
      .set("phase", plan.summary.phase)
      .set("state", plan.summary.state)
      .set("summary", plan.summary.title)
      .set("cost_usd", static_cast<double>(plan.spent) / 1e6);
}

Document document_of_step(const FamilyStep& step) {
  return Document::map()
      .set("id", step.id)
      .set("title", step.title)
      .set("mode", step.is_subplan ? "subplan" : "inline")
      .set("state", to_string(step.state))
      .set("attempt", step.attempt)
      .set("waits", step.waits.empty() ? Document() : Document(step.waits));
}

Document document_of_decision(const FamilyPlan& plan, const DecisionNode& node) {
  const FamilyStep* step = plan.step_of(node.id);
  return Document::map()
      .set("decision_id", node.id.to_string())
      .set("sequence", node.sequence)
      .set("kind", node.kind)
      .set("question", node.question)
      .set("chosen", node.chosen)
      .set("confidence", node.confidence ? Document(*node.confidence) : Document())
      .set("superseded", node.superseded == 0 ? Document() : Document(node.superseded))
      .set("step", step == nullptr ? Document() : document_of_step(*step))
      .set("details", document_of_json(node.data));
}

// FamilyTree limits the length of chains.
Document tree_document(const TreeWalk& walk, const Item& item) {
  Document data = item.decision == nullptr ? document_of_plan(*item.plan)
                                           : document_of_decision(*item.plan, *item.decision);
  Document below = Document::list();
  for (const Item& each : walk.below(item)) below.push(tree_document(walk, each));
  data.set("children", std::move(below));
  return data;
}

base::Result<Report> tree(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const storage::PlanSummary plan,
                database.find(words.empty() ? std::string() : words.front()));
  CLEVER_ASSIGN(const FamilyTree family,
                FamilyTree::read(database.engine(), plan.id, context.stop()));
  const TreeWalk walk(family, invocation.flag("all"));
  const Screen screen = context.screen();
  Report report;
  if (is_for_programs(screen.format)) {
    report.data = tree_document(walk, {&family.top()});
  } else {
    report.view = {drawn(family, walk, screen.output_look.unicode)};
  }
  return report;
}

}  // namespace

Command plan_tree_command() {
  return {
      .name = "tree",
      .summary = "Show the decisions of a plan and of its subplans",
      .description =
          "The tree starts at the task. Below it are the decisions, each with its event number, "
          "its confidence and the status of its step. Subplans are below the decisions that "
          "spawned them, with the cost of their whole subtree. The JSON also has alternatives and "
          "rationale.\n\n`agents plan explain NUMBER` explains a decision, `agents plan correct "
          "NUMBER` changes it.",
      .positionals = {plan_positional()},
      .options = {{.name = "all", .summary = "Include superseded decisions and earlier attempts"},
                  plan_database_option()},
      .examples = {{"agents plan tree", "The newest plan of this folder"},
                   {"agents plan tree 01JD --all", "With what was superseded"}},
      .handler = tree};
}

}  // namespace clever::service
