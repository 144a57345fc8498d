// What somebody at a terminal waits for. Makes the plans, runs the program, prints JSON: each
// figure with its limit.
//
//   terminal_bench AGENTS SCRATCH
//
//   list     `agents plan list` of 10,000 plans, from spawning it until it has ended: all of them,
//            the twenty that are shown without an option, all as JSON
//   tree     `agents plan tree` of 10,000 decisions: of one plan, and of a hundred subplans with a
//            hundred each
//   frame    a frame of `agents tui` with 200 live plans of which one moved, drawn in this process
//   tui      the same program at a terminal of its own: its processor time for a change of one of
//            the 200 plans, written by another process, until that is shown; and while nothing
//            happens
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "base/ulid.h"
#include "cli/tui/tui_view.h"
#include "io/process.h"
#include "measure.h"
#include "model/decision_events.h"
#include "model/plan_events.h"
#include "plan/decide.h"
#include "storage/database_source.h"
#include "storage/database_url.h"
#include "storage/engine_cache.h"
#include "storage/journal.h"
#include "storage/leases.h"
#include "storage/owner_lock.h"
#include "support/pseudo_terminal.h"

namespace clever::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kPlans = 10'000;
constexpr int kDecisions = 10'000;
constexpr int kSubplans = 100;
constexpr int kLive = 200;
constexpr int kTimes = 9;
constexpr std::size_t kAtOnce = 500;

/// A home and a project whose plans are written as the engine writes them.
class Store {
 public:
  explicit Store(const fs::path& folder) : folder_(folder) {
    fs::create_directories(project());
    fs::create_directories(home());
    engine_ = cache_.open(storage::DatabaseUrl::file(home() / "cleveragents.db")).value();
    owner_.emplace(
        storage::OwnerLock::acquire(home() / "owners", model::OwnerId(ids_.next())).value());
  }

  [[nodiscard]] fs::path home() const { return folder_ / "home"; }
  [[nodiscard]] fs::path project() const { return folder_ / "project"; }

  struct Plan {
    model::PlanId id{};
    storage::Lease lease{};
    storage::Head head{};
    model::DecisionId root{};
  };

  Plan create(const std::string& title, const model::PlanId& parent = {}) {
    Plan made{.id = model::PlanId(ids_.next())};
    made.lease =
        storage::Leases(*engine_).acquire(made.id, *owner_, std::chrono::minutes(30)).value();
    plan::State none;
    none.id = made.id;
    plan::Create create{.title = title, .project = project().string(), .parent = parent};
    create.settings.uses_model = false;
    create.settings.actor = "local/codemod";
    create.settings.direct = true;
    if (parent) create.settings.spawned_by = model::EffectId(ids_.next());
    create.prompt = {model::Role::kUser, {model::Text{title}}};
    auto decided = plan::decide(none, create, {.now = model::to_timestamp(1'000'000)}).value();
    made.root = decided.state.root_decision;
    append(made, std::move(decided.events), std::move(decided.bodies));
    return made;
  }

  void append(Plan& plan, std::vector<model::Event> events, std::vector<plan::Body> bodies = {}) {
    storage::Append append{.plan = plan.id, .expected = plan.head, .epoch = plan.lease.epoch};
    append.events = std::move(events);
    for (plan::Body& body : bodies) append.bodies.push_back({body.hash, std::move(body.content)});
    plan.head = storage::Journal(*engine_, clock_).append(std::move(append)).value();
  }

  // A tree in which every decision has eight below it.
  void decide(Plan& plan, int count) {
    std::vector<model::DecisionId> ids{plan.root};
    std::vector<model::Event> events;
    for (int i = 1; i < count; ++i) {
      ids.emplace_back(ids_.next());
      const model::DecisionRecorded decision{
          .id = ids.back(),
          .parent = ids[static_cast<std::size_t>(i - 1) / 8],
          .kind = model::DecisionKind::kImplementationChoice,
          .question = "How is part " + std::to_string(i) + " to be done?",
          .chosen = "With a table that is built once, number " + std::to_string(i),
          .alternatives = {"A switch", "A map"},
          .confidence = 0.8,
          .rationale = "It is read far more often than it changes."};
      events.push_back(decision.to_event());
      if (events.size() == kAtOnce) append(plan, std::exchange(events, {}));
    }
    if (!events.empty()) append(plan, std::move(events));
  }

 private:
  const fs::path folder_;
  base::SystemClock clock_;
  base::SystemRandom random_;
  base::UlidGenerator ids_{clock_, random_};
  storage::DatabaseSource source_{{}, clock_};
  storage::EngineCache cache_{source_};
  std::shared_ptr<storage::Engine> engine_;
  std::optional<storage::OwnerLock> owner_;
};

ordered_json within(double figure, double limit, const char* unit) {
  return {{unit, figure}, {"limit", limit}, {"within", figure <= limit}};
}

/// Runs the program as somebody in the project does.
class Program {
 public:
  Program(std::string agents, const Store& store)
      : agents_(std::move(agents)),
        folder_(store.project()),
        environment_({"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm",
                      "HOME=" + store.home().string(),
                      "CLEVERAGENTS_HOME=" + store.home().string()}) {}

  /// The median of several runs, and how much was written.
  [[nodiscard]] ordered_json run(std::vector<std::string> words, double limit) const {
    words.insert(words.begin(), agents_);
    std::vector<double> took;
    std::size_t bytes = 0;
    for (int i = 0; i < kTimes; ++i) {
      const auto begin = SteadyClock::now();
      const auto result = io::run_process({.argv = words,
                                           .working_directory = folder_,
                                           .environment = environment_,
                                           .output_limit = std::size_t{64} << 20U})
                              .value();
      took.push_back(microseconds_since(begin) / 1000);
      if (!result.succeeded()) std::fprintf(stderr, "%s\n", result.error_output.c_str());
      bytes = result.output.size();
    }
    ordered_json figure = within(median(std::move(took)), limit, "milliseconds");
    figure["bytes"] = bytes;
    return figure;
  }

  void start(test::PseudoTerminal& terminal, const std::string& word) const {
    terminal.start({agents_, word}, environment_, folder_);
  }

 private:
  const std::string agents_;
  const fs::path folder_;
  const std::vector<std::string> environment_;
};

// In milliseconds, of all threads of a process.
double processor_time(pid_t process) {
  double nanoseconds = 0;
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    std::ifstream file(task.path() / "schedstat");
    double ran = 0;
    if (file >> ran) nanoseconds += ran;
  }
  return nanoseconds / 1e6;
}

cli::TuiPlans live_plans() {
  cli::TuiPlans plans;
  for (std::uint8_t i = 0; i < kLive; ++i) {
    plans.plans.push_back(
        {.id = model::PlanId(base::Ulid({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, i})),
         .title = "Task " + std::to_string(i),
         .phase = "execute",
         .state = "processing"});
  }
  return plans;
}

ordered_json frame() {
  constexpr int kFrames = 1000;
  const io::TerminalSize size{.columns = 160, .rows = 50};
  cli::TuiModel model(size, "/project");
  cli::CellScreen screen(size);
  cli::TuiPlans plans = live_plans();
  static_cast<void>(model.update(plans));
  cli::TuiDetail detail{.plan = model.selected()->id};
  detail.tree.resize(500, {.depth = 2, .text = "A step", .note = "works"});
  detail.stream.resize(2000, {"A line of what a model says about its work, not too short."});
  static_cast<void>(model.update(detail));
  std::size_t bytes = 0;
  const double each = per_call(kFrames, [&] {
    plans.plans.back().title = "Task now " + std::to_string(bytes % 10);
    static_cast<void>(model.update(plans));
    cli::draw(model, screen);
    bytes += screen.flush().size();
  });
  ordered_json figure = within(each / 1000, 10, "milliseconds");
  figure["bytes"] = bytes / kFrames;
  return figure;
}

// Reads what is shown for a while.
void look(test::PseudoTerminal& terminal, std::chrono::milliseconds time) {
  const auto end = SteadyClock::now() + time;
  static_cast<void>(terminal.until([&](const auto&) { return SteadyClock::now() >= end; }));
}

ordered_json tui(const Program& program, Store& store, std::vector<Store::Plan>& plans) {
  constexpr int kChanges = 100;
  constexpr std::chrono::seconds kIdle{10};
  test::PseudoTerminal terminal(160, 50);
  program.start(terminal, "tui");
  if (!terminal.until_shows(" queued"))
    std::fprintf(stderr, "%s\n", terminal.picture().text().c_str());
  look(terminal, std::chrono::seconds{2});
  const double before_idle = processor_time(terminal.process());
  look(terminal, kIdle);
  const double idle = processor_time(terminal.process()) - before_idle;
  const double before = processor_time(terminal.process());
  std::vector<double> latencies;
  for (int i = 0; i < kChanges; ++i) {
    const bool on = i % 2 == 0;
    const std::size_t written = terminal.written().size();
    const auto begin = SteadyClock::now();
    store.append(plans.back(), {model::PlanMoved{.phase = model::Phase::kStrategize,
                                                 .state = on ? model::PlanState::kProcessing
                                                             : model::PlanState::kQueued}
                                    .to_event()});
    static_cast<void>(
        terminal.until([&](const auto&) { return terminal.written().size() > written; }));
    latencies.push_back(microseconds_since(begin) / 1000);
  }
  look(terminal, std::chrono::seconds{1});
  const double busy = processor_time(terminal.process()) - before;
  terminal.type("q");
  static_cast<void>(terminal.wait());
  const double idle_share = idle / std::chrono::duration<double, std::milli>(kIdle).count() * 100;
  return {{"redraw", within(busy / kChanges, 10, "processor_milliseconds")},
          {"shown_after_milliseconds", median(std::move(latencies))},
          {"idle", within(idle_share, 0.1, "percent_of_a_core")}};
}

ordered_json measure(const std::string& agents, const fs::path& scratch) {
  ordered_json all;
  {
    Store store(scratch / "many");
    for (int i = 0; i < kPlans; ++i) store.create("Task number " + std::to_string(i));
    const Program program(agents, store);
    const std::string limit = std::to_string(kPlans);
    all["list"] = {
        {"all", program.run({"plan", "list", "--limit", limit}, 100)},
        {"newest", program.run({"plan", "list"}, 100)},
        {"json", program.run({"plan", "list", "--limit", limit, "--format", "json"}, 100)}};
  }
  {
    Store store(scratch / "deep");
    Store::Plan one = store.create("One plan with many decisions");
    store.decide(one, kDecisions);
    Store::Plan family = store.create("A plan with many subplans");
    for (int i = 0; i < kSubplans; ++i) {
      Store::Plan child = store.create("Part " + std::to_string(i), family.id);
      store.decide(child, kDecisions / kSubplans);
    }
    const Program program(agents, store);
    all["tree"] = {
        {"one_plan", program.run({"plan", "tree", one.id.to_string(), "--all"}, 100)},
        {"subplans", program.run({"plan", "tree", family.id.to_string(), "--all"}, 100)},
        {"json",
         program.run({"plan", "tree", one.id.to_string(), "--all", "--format", "json"}, 100)}};
  }
  all["frame"] = frame();
  Store store(scratch / "live");
  std::vector<Store::Plan> plans;
  for (int i = 0; i < kLive; ++i) plans.push_back(store.create("Task " + std::to_string(i)));
  all["tui"] = tui(Program(agents, store), store, plans);
  return all;
}

}  // namespace
}  // namespace clever::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: terminal_bench AGENTS SCRATCH\n");
    return 2;
  }
  std::cout << clever::bench::measure(argv[1], argv[2]).dump(2) << '\n';
  return 0;
}
