#include "reports/shipped.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "app/databases.h"
#include "app/models.h"
#include "base/atomic.h"
#include "engine/validation_check.h"
#include "engine/validation_pipeline.h"
#include "sim/engine/engine_kit.h"
#include "support/effects_world.h"
#include "support/together.h"

namespace clever::reports::shipped {
namespace {

using test::EffectsWorld;

// What is written to the standard output of this process while it lives.
class OwnOutput {
 public:
  OwnOutput() : kept_(::dup(STDOUT_FILENO)), file_(::memfd_create("output", MFD_CLOEXEC)) {
    ::dup2(file_, STDOUT_FILENO);
  }
  ~OwnOutput() {
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
    ::close(file_);
  }
  OwnOutput(const OwnOutput&) = delete;
  OwnOutput& operator=(const OwnOutput&) = delete;
  [[nodiscard]] bool is_untouched() const { return ::lseek(file_, 0, SEEK_END) == 0; }

 private:
  const int kept_;
  const int file_;
};

std::shared_ptr<tool::CommandWorld> commands_in(EffectsWorld& world) {
  return tool::CommandWorld::make(world.clock,
                                  {.launcher = test::confine_launcher(),
                                   .world = {.home = world.repository.beside("home"),
                                             .own_home = world.repository.beside("own"),
                                             .environment = {"PATH=/usr/local/bin:/usr/bin:/bin"}},
                                   .project_root = world.repository.path(),
                                   .shared_folder = world.repository.beside("setup")})
      .value();
}

// A call that answers with its own arguments.
class Echo final : public tool::Tool {
 public:
  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }
  base::Result<tool::ToolAnswer> call(const tool::CallContext& /*context*/,
                                      std::string_view input) override {
    return tool::ToolAnswer{.text = std::string(input)};
  }

 private:
  const tool::ToolSpec spec_{.name = "echo", .capabilities = {.read_only = true}};
};

}  // namespace

Tally roots_made(int workers) {
  const test::TemporaryDirectory folder;
  base::SystemClock clock;
  app::ProcessModels models(clock, {}, folder.path());
  app::ProcessDatabases databases(clock);
  const auto url = storage::DatabaseUrl::parse("sqlite::memory:", folder.path()).value();
  base::Guarded<std::set<const void*>> made;
  base::Guarded<std::vector<std::shared_ptr<storage::Engine>>> held;
  test::together(workers, [&](int /*worker*/) {
    const void* const client = &models.http();
    auto engine = databases.open(url, {}, {}).value();
    made.with([&](auto& all) {
      all.insert(client);
      all.insert(engine.get());
    });
    held.with([&](auto& all) { all.push_back(std::move(engine)); });
  });
  const auto count = made.with([](const auto& all) { return all.size(); });
  return {.expected = 2, .counted = static_cast<std::int64_t>(count)};
}

Tally outputs_in_place(int workers) {
  // Each is a process in namespaces of its own.
  const int count = std::min(workers, 16);
  EffectsWorld world;
  world.repository.write("a.txt", "a\n");
  world.repository.commit();
  const plan::State plan = world.plan_at_base();
  const storage::Lease lease = world.order(plan, plan::EffectKind::kValidate).lease;
  engine::ValidationWorld checks{.clock = world.clock,
                                 .copy = [&] { return world.workspaces.copy(plan, lease); },
                                 .commands = commands_in(world)};
  engine::ValidationPipeline::Order order;
  for (int i = 0; i < count; ++i) {
    const std::string words = "echo " + std::to_string(i) + "; echo error " + std::to_string(i);
    order.validations.push_back({.name = std::to_string(i), .argv = {"sh", "-c", words + " >&2"}});
  }
  order.check = [&](const model::Validation& one, const base::StopToken& stop) {
    return engine::check_work(checks, one, stop);
  };
  const OwnOutput output;
  const auto results =
      engine::ValidationPipeline(world.scheduler.blocking()).run(std::move(order)).value();
  std::int64_t in_place = 0;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const model::ValidationResult& one = results[static_cast<std::size_t>(i)];
    in_place += one.name == number && one.output == number + "\nerror " + number + "\n" ? 1 : 0;
  }
  return {.expected = count, .counted = output.is_untouched() ? in_place : 0};
}

Tally leases_held_once(int workers) {
  sim::EngineGround ground;
  const auto owner = [&] {
    return storage::OwnerLock::acquire(ground.folder.path() / "owners",
                                       model::OwnerId(ground.ids.next()))
        .value();
  };
  const storage::OwnerLock former = owner();
  const storage::OwnerLock next = owner();
  storage::Leases leases(ground.database());
  constexpr std::chrono::minutes kTtl{1};
  std::vector<storage::Lease> lost;
  for (int i = 0; i < workers; ++i) {
    const std::string name = "thing/" + std::to_string(i);
    lost.push_back(leases.acquire(name, former, kTtl).value());
  }
  base::Atomic<int> taken{0};  // counts, publishes nothing
  base::Guarded<std::vector<storage::Lease>> renewed;
  test::together(2, [&](int who) {
    if (who == 0) {
      // Until the next owner has all of them, and once more.
      for (bool more = true; more;) {
        more = taken.load() < workers;
        auto now = leases.renew_all(former, kTtl).value();
        renewed.with([&](auto& last) { last = std::move(now); });
      }
      return;
    }
    for (const storage::Lease& lease : lost) {
      leases.release(lease, former).value();
      if (!leases.acquire(lease.name, next, kTtl).ok()) continue;
      taken.fetch_add(1);
    }
    taken.store(workers);
  });
  const auto still = renewed.with([](const auto& last) { return last.size(); });
  const auto now = leases.renew_all(next, kTtl).value().size();
  return {.expected = workers, .counted = static_cast<std::int64_t>(now + still)};
}

Tally commits_made(int workers) {
  EffectsWorld world;
  world.repository.write("a.txt", "a\n");
  world.repository.commit();
  const plan::State plan = world.plan_at_base();
  sandbox::SandboxManager::Request request;
  request.plan = plan.id;
  request.lease = world.order(plan, plan::EffectKind::kTools).lease;
  request.project = git::Project::find(world.repository.path()).value();
  request.store = world.sandboxes.store(plan.id, request.project).value();
  request.base = std::make_shared<git::BaseSnapshot>(
      git::snapshot_working_tree(request.project, *request.store).value());
  const auto sandbox = world.sandboxes.create(std::move(request)).value();
  sandbox->workspace()->write(git::TreePath::parse("a.txt").value(), "changed\n").value();
  base::Atomic<int> commits{0};  // counts, publishes nothing
  test::together(workers, [&](int /*worker*/) {
    if (sandbox->commit().ok()) commits.fetch_add(1);
  });
  return {.expected = 1, .counted = commits.load()};
}

Tally results_in_place(int workers) {
  base::SystemClock clock;
  tool::ToolRegistry registry;
  registry.set("test", {std::make_shared<Echo>()}).value();
  tool::ToolRunner runner(clock, {.threads = 8});
  tool::Turn turn;
  turn.tools = registry.snapshot();
  const auto arguments = [](int number) { return "{\"id\":\"" + std::to_string(number) + "\"}"; };
  for (int i = 0; i < workers; ++i) turn.calls.push_back({std::to_string(i), "echo", arguments(i)});
  const auto results = runner.run(turn);
  std::int64_t in_place = 0;
  for (int i = 0; i < workers; ++i) {
    in_place += results[static_cast<std::size_t>(i)].answer.text == arguments(i) ? 1 : 0;
  }
  return {.expected = workers, .counted = in_place};
}

}  // namespace clever::reports::shipped
