#include <algorithm>
#include <set>

#include "engine/actor/graph_actor.h"
#include "engine/actor/internal/graph_shape.h"
#include "engine/actor/internal/variables.h"
#include "plan/expression.h"

namespace clever::engine {
namespace {

using NodeKind = GraphNode::Kind;
using Values = std::map<std::string, std::string>;

constexpr std::size_t kMostWays = 64;

/// A way to a node: it starts at a working node (empty: at the entry), and is open if all its
/// conditions hold.
struct Way {
  std::string from{};
  std::string when{};
  friend auto operator<=>(const Way&, const Way&) = default;
};

std::string both(const std::string& left, const std::string& right) {
  if (left.empty() || right.empty()) return left + right;
  return "(" + left + ") and (" + right + ")";
}

std::string condition_of(const Way& way) {
  if (way.from.empty()) return way.when.empty() ? "true" : way.when;
  return both("steps." + way.from + ".state == \"done\"", way.when);
}

class Compiler {
 public:
  Compiler(const Actor& graph, const Values& arguments)
      : graph_(graph), values_(arguments), shape_(graph), ways_(graph.nodes.size()) {}

  base::Result<model::Strategy> compile() {
    for (const std::string& entry : graph_.entries) ways_[shape_.place(entry)].emplace();
    model::Strategy strategy{.summary = summary()};
    for (const std::size_t place : shape_.order()) {
      const GraphNode& node = graph_.nodes[place];
      if (node.kind != NodeKind::kConditional) {
        CLEVER_ASSIGN(model::StrategyStep step, step_of(node, ways_[place]));
        strategy.steps.push_back(std::move(step));
      }
      CLEVER_TRY(lead_on(node, place));
    }
    return strategy;
  }

 private:
  [[nodiscard]] std::string summary() const {
    return graph_.description.empty() ? "The graph " + graph_.name : graph_.description;
  }

  base::Result<void> lead_on(const GraphNode& node, std::size_t place) {
    if (node.kind == NodeKind::kConditional) {
      for (const Way& way : ways_[place]) {
        for (const std::string& next : node.then) {
          CLEVER_TRY(lead(next, {way.from, both(way.when, node.when)}));
        }
        for (const std::string& next : node.otherwise) {
          CLEVER_TRY(lead(next, {way.from, both(way.when, "not (" + node.when + ")")}));
        }
      }
      return {};
    }
    for (const GraphEdge& edge : graph_.edges) {
      if (edge.from == node.id) CLEVER_TRY(lead(edge.to, {node.id, edge.when}));
    }
    return {};
  }

  base::Result<void> lead(const std::string& to, Way way) {
    std::set<Way>& ways = ways_[shape_.place(to)];
    ways.insert(std::move(way));
    if (ways.size() <= kMostWays) return {};
    return base::invalid_argument(
        name_of(to) + ": more than " + std::to_string(kMostWays) +
        " ways lead to it through conditional nodes: put a node that does work between them");
  }
  [[nodiscard]] std::string name_of(const std::string& node) const {
    return (graph_.place.empty() ? graph_.name : graph_.place) + ": nodes." + node;
  }

  base::Result<model::StrategyStep> step_of(const GraphNode& node,
                                            const std::set<Way>& ways) const {
    const std::string task = internal::expand(node.task, values_);
    model::StrategyStep step{.id = node.id,
                             .title = title_of(node, task),
                             .mode = model::StepMode::kSubplan,
                             .depends_on = std::vector<std::string>()};
    if (task != step.title) step.detail = task;
    for (const Way& way : ways) {
      const bool known = way.from.empty() || std::ranges::count(*step.depends_on, way.from) > 0;
      if (!known) step.depends_on->push_back(way.from);
    }
    step.when = condition_of(ways);
    const auto fits = plan::Expression::parse(step.when.empty() ? "true" : step.when);
    if (!fits.ok()) {
      return base::invalid_argument(
          name_of(node.id) +
          ": the conditions on the ways that lead to it are too many: " + fits.error().message());
    }
    set_actor(node, step);
    return step;
  }

  static std::string condition_of(const std::set<Way>& ways) {
    const bool always = std::ranges::all_of(ways, [&](const Way& way) {
      return way.when.empty() && (!way.from.empty() || ways.size() == 1);
    });
    if (always) return {};
    std::string when;
    for (const Way& way : ways) {
      const std::string one = clever::engine::condition_of(way);
      when += ways.size() == 1 ? one : (when.empty() ? "(" : " or (") + one + ")";
    }
    return when;
  }

  static std::string title_of(const GraphNode& node, const std::string& task) {
    if (!task.empty()) return plan_title(task);
    return node.actor.empty() ? node.id : node.id + " (" + node.actor + ")";
  }

  void set_actor(const GraphNode& node, model::StrategyStep& step) const {
    if (node.kind == NodeKind::kTool) {
      step.actor = graph_.name + "#" + node.id;
      step.arguments = values_;
      return;
    }
    step.actor = node.actor;
    for (const auto& [name, value] : node.arguments) {
      step.arguments[name] = internal::expand(value, values_);
    }
    const auto project = values_.find("project");
    if (project != values_.end()) step.arguments["project"] = project->second;
  }

  const Actor& graph_;
  const Values& values_;
  const internal::GraphShape shape_;
  std::vector<std::set<Way>> ways_;
};

}  // namespace

base::Result<model::Strategy> graph_strategy(const Actor& graph, const Values& arguments) {
  return Compiler(graph, arguments).compile();
}

}  // namespace clever::engine
