#include "engine/actor/internal/builtin_actors.h"
#include "engine/actor/internal/catalog.h"
#include "engine/actor/tool_actor.h"

namespace clever::engine {

base::Result<ActorCatalog> ActorCatalog::load(const std::vector<std::filesystem::path>& folders) {
  ActorCatalog catalog;
  CLEVER_ASSIGN(catalog.actors_, internal::load_catalog(internal::builtin_actors(), folders,
                                                        "actor", actor_from_yaml));
  return catalog;
}

base::Result<Actor> ActorCatalog::find(std::string_view name) const {
  return internal::find_in_catalog(actors_, "actor", name);
}

}  // namespace clever::engine
