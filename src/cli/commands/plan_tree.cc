#include <algorithm>
#include <map>

#include "cli/commands/commands.h"
#include "cli/commands/plan.h"
#include "storage/decisions.h"

namespace clever::cli {
namespace {

using storage::DecisionNode;
using storage::PlanSummary;

constexpr std::size_t kTextWidth = 100;

/// A decision or a subplan, and what hangs below it.
struct Node {
  Line line;
  Document data;
  std::vector<Node> below{};
};

/// Builds the tree of a plan: its decisions, and below the one that spawned it each subplan.
class TreeBuilder {
 public:
  TreeBuilder(const PlanDatabase& database, const std::vector<PlanSummary>& plans, bool all,
              Context& context)
      : decisions_(database.engine()), database_(database), all_(all), context_(context) {
    for (const PlanSummary& plan : plans) children_[plan.parent].push_back(&plan);
  }

  base::Result<Node> plan(const PlanSummary& plan) {
    Node node = head(plan);
    CLEVER_ASSIGN(const auto decisions, decisions_.tree(plan.id, context_.stop()));
    CLEVER_ASSIGN(const plan::State state, database_.state(plan.id));
    auto subplans = subplans_of(plan, state, decisions);
    for (std::size_t at = 0; at < decisions.size(); ++at) {
      if (!is_root(decisions, at) || !is_shown(decisions[at])) continue;
      CLEVER_ASSIGN(Node below, decision(decisions, at, subplans));
      node.below.push_back(std::move(below));
    }
    for (const auto& [where, left] : subplans) {
      for (const PlanSummary* child : left) {
        CLEVER_ASSIGN(Node below, this->plan(*child));
        node.below.push_back(std::move(below));
      }
    }
    return node;
  }

 private:
  /// By the place of the decision that spawned them; those nobody knows of are at the end.
  using Subplans = std::map<std::size_t, std::vector<const PlanSummary*>>;

  static bool is_root(const std::vector<DecisionNode>& all, std::size_t at) {
    return std::ranges::none_of(all, [&](const DecisionNode& node) {
      return node.id == all[at].parent && node.sequence < all[at].sequence;
    });
  }
  [[nodiscard]] bool is_shown(const DecisionNode& node) const {
    return all_ || node.superseded == 0;
  }

  Subplans subplans_of(const PlanSummary& plan, const plan::State& state,
                       const std::vector<DecisionNode>& decisions) const {
    Subplans places;
    const auto children = children_.find(plan.id);
    if (children == children_.end()) return places;
    for (const PlanSummary* child : children->second) {
      const auto step = std::ranges::find(state.steps, child->id, &plan::Step::child);
      // An attempt that another one took the place of.
      if (step == state.steps.end() && !all_) continue;
      places[step == state.steps.end() ? decisions.size() : spawner(decisions, *step)].push_back(
          child);
    }
    return places;
  }

  static std::size_t spawner(const std::vector<DecisionNode>& decisions, const plan::Step& step) {
    const auto found = std::ranges::find(decisions, step.decision, &DecisionNode::id);
    return static_cast<std::size_t>(found - decisions.begin());
  }

  base::Result<Node> decision(const std::vector<DecisionNode>& all, std::size_t at,
                              Subplans& subplans) {
    const DecisionNode& node = all[at];
    Node made{line_of(node), data_of(node)};
    for (const std::size_t child : node.children) {
      if (!is_shown(all[child])) continue;
      CLEVER_ASSIGN(Node below, decision(all, child, subplans));
      made.below.push_back(std::move(below));
    }
    const auto spawned = subplans.extract(at);
    if (spawned.empty()) return made;
    for (const PlanSummary* child : spawned.mapped()) {
      CLEVER_ASSIGN(Node below, plan(*child));
      made.below.push_back(std::move(below));
    }
    return made;
  }

  static Node head(const PlanSummary& plan) {
    return {{{"plan " + plan.id.to_string(), Tone::kStrong},
             {" "},
             {plan.phase + "/" + plan.state, tone_of_state(plan.state)},
             {" " + one_line(plan.title, kTextWidth)}},
            Document::map()
                .set("plan_id", plan.id.to_string())
                .set("phase", plan.phase)
                .set("state", plan.state)
                .set("summary", plan.title)};
  }

  static Line line_of(const DecisionNode& node) {
    Line line{{std::to_string(node.sequence) + " ", Tone::kDim}, {node.kind, Tone::kAccent}};
    if (!node.question.empty()) {
      line.push_back({" " + one_line(node.question, kTextWidth), Tone::kDim});
    }
    if (!node.chosen.empty()) line.push_back({" " + one_line(node.chosen, kTextWidth)});
    if (node.confidence) {
      line.push_back({" (" + std::to_string(static_cast<int>(*node.confidence * 100)) + " %)"});
    }
    if (node.superseded != 0) {
      line.push_back({" superseded by " + std::to_string(node.superseded), Tone::kWarn});
    }
    return line;
  }

  static Document data_of(const DecisionNode& node) {
    return Document::map()
        .set("decision_id", node.id.to_string())
        .set("sequence", node.sequence)
        .set("kind", node.kind)
        .set("question", node.question)
        .set("chosen", node.chosen)
        .set("confidence", node.confidence ? Document(*node.confidence) : Document())
        .set("superseded", node.superseded == 0 ? Document() : Document(node.superseded))
        .set("details", document_of_json(node.data));
  }

  storage::Decisions decisions_;
  const PlanDatabase& database_;
  const bool all_;
  Context& context_;
  std::map<model::PlanId, std::vector<const PlanSummary*>> children_;
};

struct Strokes {
  std::string_view branch;
  std::string_view last;
  std::string_view down;
  std::string_view nothing;
};
constexpr Strokes kUnicode{"├─ ", "└─ ", "│  ", "   "};
constexpr Strokes kAscii{"|- ", "`- ", "|  ", "   "};

void draw(const Node& node, const std::string& before, const std::string& under,
          const Strokes& strokes, Prose& prose) {
  Line line{{before, Tone::kDim}};
  line.insert(line.end(), node.line.begin(), node.line.end());
  prose.lines.push_back(std::move(line));
  for (const Node& below : node.below) {
    const bool last = &below == &node.below.back();
    draw(below, under + std::string(last ? strokes.last : strokes.branch),
         under + std::string(last ? strokes.nothing : strokes.down), strokes, prose);
  }
}

Document document(const Node& node) {
  Document data = node.data;
  Document below = Document::list();
  for (const Node& each : node.below) below.push(document(each));
  data.set("children", std::move(below));
  return data;
}

base::Result<Report> tree(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const PlanSummary plan,
                database.find(words.empty() ? std::string() : words.front()));
  CLEVER_ASSIGN(const auto plans, database.tree(plan.id));
  TreeBuilder builder(database, plans, invocation.flag("all"), context);
  CLEVER_ASSIGN(const Node root, builder.plan(plan));
  Report report;
  report.data = document(root);
  Prose prose;
  draw(root, "", "", context.screen().output_look.unicode ? kUnicode : kAscii, prose);
  report.view = {std::move(prose)};
  return report;
}

}  // namespace

Command plan_tree_command() {
  return {.name = "tree",
          .summary = "Show the decisions of a plan and of its subplans",
          .description =
              "The tree begins with the task; below it lie the choices that were made, each with "
              "the number of its event, and the subplans below the decisions that spawned them. "
              "The JSON also has alternatives and rationale.",
          .positionals = {plan_positional()},
          .options = {{.name = "all",
                       .summary = "Also decisions that were superseded, and earlier attempts"},
                      plan_database_option()},
          .examples = {{"agents plan tree", "The newest plan of this folder"},
                       {"agents plan tree 01JD --all", "With what was superseded"}},
          .handler = tree};
}

}  // namespace clever::cli
