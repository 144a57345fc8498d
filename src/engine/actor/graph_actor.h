#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/actor/new_plan.h"
#include "engine/actor/tool_actor.h"
#include "model/strategy.h"
#include "plan/command.h"

// Graph actors: from what is written to a strategy, and from a node to its subplan. Pure functions.
namespace clever::engine {

/// What a graph names must exist and fit: its actors and what they need, no graph within itself,
/// none deeper than subplans may be. `invalid_argument` or `not_found` names file and node.
[[nodiscard]] base::Result<void> check_graph(const Actor& graph, const ActorCatalog& actors);

/// Whether some node, at whatever depth, works with a model.
[[nodiscard]] bool needs_model(const Actor& graph, const ActorCatalog& actors);

/// The external agents that work for an actor: itself, or those at its nodes at whatever depth.
[[nodiscard]] std::vector<Actor> agents_in(const Actor& actor, const ActorCatalog& actors);

/// A subplan for each node that works, in an order in which they can be done; conditions (of edges
/// and of conditional nodes) become those of the steps they lead to.
[[nodiscard]] base::Result<model::Strategy> graph_strategy(
    const Actor& graph, const std::map<std::string, std::string>& arguments);

/// Has a subplan of a graph worked on by the actor of its step, with the arguments that it names. A
/// model that the actor names is asked about; else the plan above says which.
[[nodiscard]] base::Result<void> take_actor(plan::Create& child, const model::StrategyStep& step,
                                            const ActorCatalog& actors, const TermsOf& terms_of);

}  // namespace clever::engine
