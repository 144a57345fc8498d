#include <algorithm>
#include <iterator>

#include "engine/actor/internal/builtin_actors.h"
#include "engine/actor/internal/catalog.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

base::Result<Actor> node_of(const Actor& graph, std::string_view id) {
  const auto node = std::ranges::find(graph.nodes, id, &GraphNode::id);
  const bool is_tool = node != graph.nodes.end() && node->kind == GraphNode::Kind::kTool;
  if (!is_tool) {
    return base::not_found("the actor " + graph.name + " has no tool node " +
                           base::to_valid_utf8(id) + " (any more)");
  }
  return Actor{.name = graph.name + "#" + node->id,
               .type = ActorType::kTool,
               .description = graph.description,
               .arguments = graph.arguments,
               .steps = node->steps,
               .place = graph.place};
}

}  // namespace

base::Result<ActorCatalog> ActorCatalog::load(const std::vector<std::filesystem::path>& folders) {
  ActorCatalog catalog;
  const std::vector<Actor> builtin = internal::builtin_actors();
  CLEVER_ASSIGN(catalog.actors_,
                internal::load_catalog(builtin, folders, "actor", actor_from_yaml));
  std::vector<Actor> presets;
  std::ranges::copy_if(internal::agent_presets(), std::back_inserter(presets),
                       [&](const Actor& preset) {
                         return std::ranges::find(catalog.actors_, preset.name, &Actor::name) ==
                                catalog.actors_.end();
                       });
  catalog.actors_.insert(catalog.actors_.begin() + static_cast<std::ptrdiff_t>(builtin.size()),
                         presets.begin(), presets.end());
  return catalog;
}

base::Result<Actor> ActorCatalog::find(std::string_view name) const {
  const std::size_t mark = name.find('#');
  if (mark == std::string_view::npos) return internal::find_in_catalog(actors_, "actor", name);
  CLEVER_ASSIGN(const Actor graph,
                internal::find_in_catalog(actors_, "actor", name.substr(0, mark)));
  return node_of(graph, name.substr(mark + 1));
}

}  // namespace clever::engine
