#include "service/demo/demo_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/monitor.h"
#include "model/work_events.h"
#include "service/commands/db.h"
#include "storage/database_url.h"
#include "storage/plans.h"

namespace clever::service {
namespace {

// The pause between two checks whether a worker has made its plan.
constexpr std::chrono::milliseconds kBetweenLooks{10};
constexpr std::size_t kMostWatchedPlans = 1000;

base::Result<model::PlanId> root_plan(storage::Engine& engine, const base::StopToken& stop) {
  storage::Plans plans(engine);
  CLEVER_ASSIGN(const auto found, plans.list({}, kMostWatchedPlans, {}, stop));
  const auto root = std::ranges::find(found, model::PlanId(), &storage::PlanSummary::parent);
  return root == found.end() ? model::PlanId() : root->id;
}

void pause(Context& context) {
  base::Monitor<bool> over;
  static_cast<void>(over.wait(context.stop(), base::Deadline::after(context.clock(), kBetweenLooks),
                              [](const bool& yes) { return yes; }));
}

}  // namespace

base::Result<std::unique_ptr<DemoWatch>> DemoWatch::find(const std::filesystem::path& home,
                                                         const DemoWorker& worker,
                                                         Context& context) {
  CLEVER_ASSIGN(const auto url, storage::DatabaseUrl::parse("", {.home = home}));
  CLEVER_ASSIGN(auto engine,
                context.databases().open(url, engine_options(context), context.stop()));
  while (true) {
    const bool last_look = worker.has_ended();
    CLEVER_ASSIGN(const model::PlanId plan, root_plan(*engine, context.stop()));
    if (plan) return std::make_unique<DemoWatch>(std::move(engine), plan, context);
    if (last_look)
      return base::unavailable("the worker ended before it made a plan: run `agents demo` again");
    if (context.stop().stop_requested())
      return base::cancelled("the demo was stopped: run `agents demo` again");
    pause(context);
  }
}

DemoWatch::DemoWatch(std::shared_ptr<storage::Engine> engine, const model::PlanId& plan,
                     Context& context)
    : engine_(std::move(engine)), follower_(*engine_, context.clock(), plan), plan_(plan) {}

base::Result<void> DemoWatch::watch(engine::Observer& observer, const DemoWorker& worker,
                                    const base::StopToken& stop, const Enough& enough) {
  base::StopSource over;
  const base::StopCallback on_end(worker.ended(), [&over] { over.request_stop(); });
  const base::StopCallback on_stop(stop, [&over] { over.request_stop(); });
  while (true) {
    const bool last_look = worker.has_ended();
    CLEVER_TRY(look(&observer, stop));
    if (last_look || enough(follower_.state())) return {};
    if (stop.stop_requested())
      return base::cancelled("the demo was stopped: run `agents demo` again");
    static_cast<void>(follower_.wait(over.token()));
  }
}

base::Result<void> DemoWatch::look(engine::Observer* observer, const base::StopToken& stop) {
  return follower_.advance(
      [&](const plan::State& state, const std::vector<model::StoredEvent>& events) {
        answers_ +=
            std::ranges::count(events, model::ModelAnswered::kKind, &model::StoredEvent::kind);
        if (observer != nullptr) observer->on_events(state, events);
        return base::Result<void>();
      },
      stop);
}

}  // namespace clever::service
