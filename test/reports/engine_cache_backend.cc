#include "reports/engine_cache_backend.h"

#include <algorithm>

#include "reports/environment.h"

namespace clever::reports::engine_cache {

void Engine::migrate() {
  state_.with([](State& state) { ++state.migrations; });
}

int Engine::migrations() const {
  return state_.with([](const State& state) { return state.migrations; });
}

void Engine::close() {
  state_.with([](State& state) { state.closed = true; });
}

bool Engine::closed() const {
  return state_.with([](const State& state) { return state.closed; });
}

void Engine::create_table(int worker, const std::string& table) {
  state_.with([&](State& state) { state.tables[database_of(worker)].insert(table); });
}

bool Engine::sees(int worker, const std::string& table) const {
  return state_.with([&](const State& state) {
    const auto found = state.tables.find(database_of(worker));
    return found != state.tables.end() && found->second.contains(table);
  });
}

EnginePtr Backend::create(const std::string& url, Memory memory) {
  if (hook_) hook_(url);
  construction_work();
  return made_.with([&](std::vector<EnginePtr>& made) {
    const bool reachable = made.size() >= static_cast<std::size_t>(broken_);
    made.push_back(std::make_shared<Engine>(reachable, memory));
    return made.back();
  });
}

int Backend::open_engines() const {
  const auto made = made_.with([](const std::vector<EnginePtr>& engines) { return engines; });
  return static_cast<int>(std::ranges::count_if(
      made, [](const EnginePtr& engine) { return engine->works() && !engine->closed(); }));
}

std::string normalised(const std::string& url) {
  return url == "sqlite://" ? "sqlite:///:memory:" : url;
}

}  // namespace clever::reports::engine_cache
