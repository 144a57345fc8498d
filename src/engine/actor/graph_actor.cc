#include "engine/actor/graph_actor.h"

#include <algorithm>
#include <set>

#include "engine/actor/internal/variables.h"

namespace clever::engine {
namespace {

using NodeKind = GraphNode::Kind;

constexpr std::size_t kDeepestGraph = 5;

bool names_an_actor(const GraphNode& node) {
  return node.kind == NodeKind::kAgent || node.kind == NodeKind::kSubgraph;
}

// Visits a graph and its nested graphs, the outermost first.
class GraphCheck {
 public:
  explicit GraphCheck(const ActorCatalog& actors) : actors_(actors) {}

  base::Result<void> check(const Actor& graph) {
    way_.push_back(graph.name);
    for (const GraphNode& node : graph.nodes) {
      if (names_an_actor(node)) CLEVER_TRY(check_node(graph, node));
    }
    way_.pop_back();
    return {};
  }

 private:
  static std::string place_of(const Actor& graph, const GraphNode& node) {
    return (graph.place.empty() ? graph.name : graph.place) + ": nodes." + node.id;
  }
  static base::Error wrong(const Actor& graph, const GraphNode& node, const std::string& what) {
    return base::invalid_argument(place_of(graph, node) + ": " + what);
  }

  base::Result<void> check_node(const Actor& graph, const GraphNode& node) {
    CLEVER_ASSIGN(const Actor actor, actors_.find(node.actor).context(place_of(graph, node)));
    CLEVER_TRY(check_type(graph, node, actor));
    const auto given = actor_arguments(actor, node.arguments);
    if (!given.ok()) return wrong(graph, node, given.error().message());
    return actor.type == ActorType::kGraph ? check_within(graph, node, actor)
                                           : base::Result<void>();
  }

  static base::Result<void> check_type(const Actor& graph, const GraphNode& node,
                                       const Actor& actor) {
    const bool is_graph = actor.type == ActorType::kGraph;
    if (is_graph != (node.kind == NodeKind::kSubgraph)) {
      return wrong(graph, node,
                   "the actor " + actor.name + " is of type " + std::string(to_string(actor.type)) +
                       "; write " +
                       (is_graph ? "subgraph instead of agent" : "agent instead of subgraph"));
    }
    const bool needs_words = actor.type == ActorType::kLlm || actor.type == ActorType::kAgent;
    if (needs_words && node.task.empty()) {
      return wrong(graph, node,
                   "the key \"task\" is missing: the actor " + actor.name + " needs a task");
    }
    return {};
  }

  base::Result<void> check_within(const Actor& graph, const GraphNode& node, const Actor& actor) {
    if (std::ranges::find(way_, actor.name) != way_.end()) {
      std::string way;
      for (const std::string& name : way_) way += name + " → ";
      return wrong(graph, node, "the graph is within itself: " + way + actor.name);
    }
    if (way_.size() >= kDeepestGraph) {
      return wrong(graph, node,
                   "graphs within graphs go at most " + std::to_string(kDeepestGraph) +
                       " deep; join some of them");
    }
    return check(actor);
  }

  const ActorCatalog& actors_;
  std::vector<std::string> way_;
};

bool graph_asks_model(const Actor& graph, const ActorCatalog& actors, std::set<std::string>& seen) {
  return std::ranges::any_of(graph.nodes, [&](const GraphNode& node) {
    if (!names_an_actor(node) || !seen.insert(node.actor).second) return false;
    const auto actor = actors.find(node.actor);
    if (!actor.ok()) return false;
    return actor->type == ActorType::kLlm || graph_asks_model(*actor, actors, seen);
  });
}

void add_agents(const Actor& actor, const ActorCatalog& actors, std::set<std::string>& seen,
                std::vector<Actor>& agents) {
  if (!seen.insert(actor.name).second) return;
  if (actor.type == ActorType::kAgent) agents.push_back(actor);
  for (const GraphNode& node : actor.nodes) {
    if (!names_an_actor(node)) continue;
    const auto found = actors.find(node.actor);
    if (found.ok()) add_agents(*found, actors, seen, agents);
  }
}

void forget_strategist(model::PlanSettings& settings) {
  settings.direct = true;
  settings.strategy_actor.clear();
  settings.strategy_uses_model = true;
  settings.strategy_uses_agent = false;
  settings.strategy_terms = {};
}

std::string given_list(const std::map<std::string, std::string>& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    const bool shown = !value.empty() && name != "project";
    if (shown) text.append("\n- ").append(name).append(": ").append(value);
  }
  return text.empty() ? text : "Given:" + text;
}

}  // namespace

base::Result<void> check_graph(const Actor& graph, const ActorCatalog& actors) {
  return GraphCheck(actors).check(graph);
}

bool needs_model(const Actor& graph, const ActorCatalog& actors) {
  std::set<std::string> seen;
  return graph_asks_model(graph, actors, seen);
}

std::vector<Actor> agents_in(const Actor& actor, const ActorCatalog& actors) {
  std::set<std::string> seen;
  std::vector<Actor> agents;
  add_agents(actor, actors, seen, agents);
  return agents;
}

base::Result<void> take_actor(plan::Create& child, const model::StrategyStep& step,
                              const ActorCatalog& actors, const TermsOf& terms_of) {
  // A strategist without a model would make the same strategy for every part.
  if (!child.settings.strategy_uses_model) forget_strategist(child.settings);
  if (step.actor.empty()) return {};
  CLEVER_ASSIGN(const Actor actor, actors.find(step.actor));
  CLEVER_ASSIGN(auto arguments, actor_arguments(actor, step.arguments));
  model::PlanSettings& settings = child.settings;
  const bool by_model = actor.type == ActorType::kLlm;
  settings.actor = actor.name;
  settings.uses_model = by_model;
  settings.uses_agent = actor.type == ActorType::kAgent;
  if (settings.uses_agent) settings.terms = {};
  forget_strategist(settings);
  const bool splits = actor.type == ActorType::kTool && actor.split_into > 0;
  const bool thinks = by_model && settings.subplans.strategize;
  settings.direct = !splits && !thinks && actor.type != ActorType::kGraph;
  if (by_model && !actor.model.empty()) {
    CLEVER_ASSIGN(settings.terms, terms_of(actor.model));
  }
  const bool needs_words = by_model || actor.type == ActorType::kAgent;
  if (std::string given = given_list(arguments); needs_words && !given.empty()) {
    child.prompt.parts.emplace_back(model::Text{std::move(given)});
  }
  settings.arguments = std::move(arguments);
  return {};
}

}  // namespace clever::engine
