#include <utility>

#include "base/monitor.h"
#include "tool/command_world.h"

namespace clever::tool {
namespace {

// The first caller probes the machine, without a lock; the others wait. After a failure the next
// command tries again.
class WorldWhenNeeded final : public CommandWorld {
 public:
  WorldWhenNeeded(base::Clock& clock, CommandOptions options)
      : clock_(clock), options_(std::move(options)) {}

  base::Result<CommandReport> run(sandbox::Workspace& workspace, const WorkspaceCommand& command,
                                  const base::StopToken& stop, base::Deadline deadline) override {
    CLEVER_ASSIGN(const std::shared_ptr<CommandWorld> world, found(stop, deadline));
    return world->run(workspace, command, stop, deadline);
  }

 private:
  struct State {
    bool is_looking = false;
    std::shared_ptr<CommandWorld> world{};
  };

  base::Result<std::shared_ptr<CommandWorld>> found(const base::StopToken& stop,
                                                    base::Deadline deadline) {
    CLEVER_ASSIGN(auto world,
                  state_.update_when(
                      stop, deadline, [](const State& state) { return !state.is_looking; },
                      [](State& state) {
                        state.is_looking = state.world == nullptr;
                        return state.world;
                      }));
    if (world) return world;
    auto made = make(clock_, options_);
    state_.update([&](State& state) {
      state.is_looking = false;
      if (made.ok()) state.world = *made;
    });
    return made;
  }

  // Constant after construction.
  base::Clock& clock_;
  const CommandOptions options_;
  // Guarded.
  base::Monitor<State> state_;
};

}  // namespace

std::shared_ptr<CommandWorld> CommandWorld::when_needed(base::Clock& clock,
                                                        CommandOptions options) {
  return std::make_shared<WorldWhenNeeded>(clock, std::move(options));
}

}  // namespace clever::tool
