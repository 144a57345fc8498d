#include "sim/engine/engine_sim.h"

#include <algorithm>
#include <utility>

#include "plan/decide.h"
#include "sim/engine/plan_changes.h"

namespace clever::sim {
namespace {

constexpr std::size_t kMostSteps = 200'000;

// Everything that survives the processes.
struct Ground {
  explicit Ground(const SimOptions& options)
      : random(options.seed), world(options.script), ids(clock, random) {
    if (options.unfenced) database.trust_everybody();
  }

  base::SeededRandom random;
  base::SimulatedClock clock;
  World world;
  PlanDatabase database;
  Topics topics;
  base::UlidGenerator ids;
};

// One process, from its start to its end.
class Process {
 public:
  Process(Ground& ground, const SimOptions& options, int owner)
      : ground_(ground),
        owner_(owner),
        scheduler_(ground.clock, ground.random),
        plans_(ground.database, ground.topics, ground.clock, owner,
               [this](base::Task task) { scheduler_.deliver(std::move(task)); }),
        store_(options.broken ? options.broken(plans_, scheduler_) : nullptr),
        effects_({ground.world, ground.database, scheduler_, ground.random, options.errors,
                  options.asks}),
        drivers_(std::make_unique<engine::PlanDrivers>(parts(options))) {
    if (options.echoes) plans_.echo = [&ground] { return 1 + ground.random.below(3) / 2; };
  }
  ~Process() {
    scheduler_.crash();
    drivers_.reset();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] engine::PlanDrivers& drivers() { return *drivers_; }
  [[nodiscard]] MemoryPlans& store() { return plans_; }
  [[nodiscard]] SimEffects& effects() { return effects_; }
  [[nodiscard]] int owner() const { return owner_; }
  bool step() { return scheduler_.step(); }

 private:
  engine::PlanEngine::Parts parts(const SimOptions& options) {
    engine::PlanStore& store = store_ ? *store_ : static_cast<engine::PlanStore&>(plans_);
    return {.store = store,
            .scheduler = scheduler_,
            .ids = ground_.ids,
            .effects = effects_,
            .child =
                [this](engine::EffectOrder order, auto done) {
                  const auto held = std::make_shared<decltype(done)>(std::move(done));
                  scheduler_.deliver(
                      [order = std::move(order), held] { (*held)(SimEffects::child(order)); });
                },
            .most_plans = options.most_plans};
  }

  Ground& ground_;
  const int owner_;
  SimScheduler scheduler_;
  MemoryPlans plans_;
  std::unique_ptr<engine::PlanStore> store_;
  SimEffects effects_;
  std::unique_ptr<engine::PlanDrivers> drivers_;
};

plan::State folded(const PlanDatabase& database, const model::PlanId& plan) {
  return database.read([&](const PlanDatabase::Tables& tables) {
    const auto found = tables.journals.find(plan);
    if (found == tables.journals.end() || found->second.events.empty()) return plan::State();
    return plan::fold(found->second.events).value();
  });
}

class Simulation {
 public:
  explicit Simulation(const SimOptions& options)
      : options_(options), ground_(options), root_(ground_.ids.next()) {}

  SimOutcome run() {
    ground_.database.ensure_cap("plan/" + root_.to_string(), {.money = options_.cap});
    begin();
    processes_.back()->drivers().create(root_, command(), [](const auto&) {});
    while (outcome_.steps < kMostSteps && go_on()) disturb();
    if (outcome_.steps >= kMostSteps) ground_.world.violate("it does not come to an end");
    finish();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] plan::Create command() const {
    plan::Create create{.title = "task", .prompt = {model::Role::kUser, {model::Text{"do it"}}}};
    create.settings.direct = ground_.world.script().is_direct();
    create.settings.apply_when_ready = options_.acts == 0;
    create.settings.uses_model = !options_.tool_actor;
    create.settings.control.validations = {{.name = "check", .argv = {"true"}}};
    create.settings.terms = {.model = "scripted/sim",
                             .input_per_million = 100'000,
                             .output_per_million = 100'000,
                             .context_window = 1000,
                             .max_output = 100};
    return create;
  }

  void begin() { processes_.push_back(std::make_unique<Process>(ground_, options_, ++owners_)); }

  // One step of a process that lives; false once nothing is left to be done.
  bool go_on() {
    ++outcome_.steps;
    const std::size_t first = ground_.random.below(processes_.size());
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (processes_[(first + i) % processes_.size()]->step()) return true;
    }
    if (folded(ground_.database, root_).exists()) return answer() || act();
    if (options_.crashes == 0) return false;
    // Killed before there was a plan: whoever wanted it asks again.
    processes_.back()->drivers().create(root_, command(), [](const auto&) {});
    return processes_.back()->step();
  }

  // Somebody says yes to what a plan asks for, or to a part of it; false if none does.
  bool answer() {
    if (options_.asks == 0) return false;
    std::vector<model::PlanId> plans;
    ground_.database.read([&](const PlanDatabase::Tables& tables) {
      for (const auto& [plan, journal] : tables.journals) plans.push_back(plan);
      return 0;
    });
    for (const model::PlanId& plan : plans) {
      const plan::State state = folded(ground_.database, plan);
      if (!state.exists() || !state.approval) continue;
      plan::Approve approve{.number = state.approval->number};
      if (ground_.random.below(2) == 0) approve.items = {state.approval->items.front().id};
      const std::string key = "answer/" + std::to_string(++answers_);
      (void)processes_.back()->store().send(plan, key, plan::to_json(approve));
      processes_.back()->drivers().drive(plan, [](const auto&) {});
      return true;
    }
    return false;
  }

  // Somebody does something about the plan at rest; false once they have done enough.
  bool act() {
    if (acts_ >= options_.acts) return false;
    const std::string key = "act/" + std::to_string(++acts_);
    (void)processes_.back()->store().send(root_, key, plan::to_json(any_act()));
    take_over();
    return true;
  }

  plan::Command any_act() {
    const plan::State state = folded(ground_.database, root_);
    switch (ground_.random.below(10)) {
      case 0:
      case 1:
        return plan::Prompt{.message = {model::Role::kUser, {model::Text{"and this"}}}};
      case 2:
        if (state.checkpoints.empty()) return plan::Resume{};
        return plan::Rollback{
            state.checkpoints[ground_.random.below(state.checkpoints.size())].sequence};
      case 3:
      case 4:
        return plan::Apply{{.digest = state.changeset.digest.value_or(base::Sha256Digest())}};
      case 5:
        return plan::Undo{};
      case 6:
      case 7:
        return any_choice(state);
      case 8:
        return any_correction(state, ground_.random.below(2) == 0 ? model::CorrectionMode::kAppend
                                                                  : model::CorrectionMode::kRevert);
      default:
        return plan::Resume{};
    }
  }

  // Some of the files that were changed.
  plan::Command any_choice(const plan::State& state) {
    plan::Choose choice{.reviewed = state.changeset.digest.value_or(base::Sha256Digest())};
    if (!state.base) return choice;
    for (const auto& [path, content] : ground_.world.tree(state.tree)) {
      if (ground_.random.below(3) != 0) choice.keep.push_back(path);
    }
    return choice;
  }

  void disturb() {
    if (options_.echoes && ground_.random.below(10) == 0) processes_.back()->store().wake(root_);
    if (options_.cancel == outcome_.steps) send_cancel();
    // A plan whose subplan asks stays in memory, and is answered there.
    if (options_.asks > 0 && ground_.random.below(50) == 0) (void)answer();
    if (corrections_ < options_.corrections && ground_.random.below(30) == 0) correct();
    if (crashes_ < options_.crashes && ground_.random.below(40) == 0) crash();
    if (thefts_ < options_.thefts && ground_.random.below(60) == 0) steal();
  }

  void send_cancel() {
    (void)processes_.back()->store().send(root_, "cancel",
                                          plan::to_json(plan::Cancel{"enough of it"}));
  }

  void correct() {
    std::vector<model::PlanId> plans;
    ground_.database.read([&](const PlanDatabase::Tables& tables) {
      for (const auto& [plan, journal] : tables.journals) plans.push_back(plan);
      return 0;
    });
    if (plans.empty()) return;
    const plan::State state = folded(ground_.database, plans[ground_.random.below(plans.size())]);
    if (!state.exists() || state.decisions.empty()) return;
    ++corrections_;
    (void)processes_.back()->store().send(
        state.id, "correct/" + std::to_string(corrections_),
        plan::to_json(any_correction(state, model::CorrectionMode::kRevert)));
  }

  plan::Command any_correction(const plan::State& state, model::CorrectionMode mode) {
    return plan::Correct{state.decisions[ground_.random.below(state.decisions.size())].id,
                         mode,
                         {model::Role::kUser, {model::Text{"not like this"}}}};
  }

  void crash() {
    ++crashes_;
    for (const auto& process : processes_) ground_.database.bury(process->owner());
    processes_.clear();
    begin();
    take_over();
  }

  // The former owner goes on as if nothing had happened.
  void steal() {
    ++thefts_;
    ground_.database.bury(processes_.back()->owner());
    begin();
    take_over();
  }

  void take_over() {
    processes_.back()->drivers().drive(root_, [](const auto&) {});
  }

  void finish() {
    const plan::State root = folded(ground_.database, root_);
    outcome_.phase = root.phase;
    outcome_.state = root.state;
    const auto& landed = ground_.world.landed();
    if (const auto found = landed.find(root_); found != landed.end()) {
      outcome_.landed = found->second;
    }
    check_landed(root);
    ground_.database.read([&](const PlanDatabase::Tables& tables) {
      for (const auto& [plan, journal] : tables.journals) check_plan(tables, plan, journal);
      check_effects(tables);
      check_money(tables);
      return 0;
    });
    outcome_.violations = ground_.world.violations();
  }

  // The journal and the project agree about what landed.
  void check_landed(const plan::State& root) {
    outcome_.undone = root.undone;
    const bool is_there = ground_.world.landed().contains(root_);
    const bool should_be = root.state == model::PlanState::kApplied && !root.undone;
    if (is_there != should_be) ground_.world.violate("what landed is not what the journal tells");
    if (is_there && should_be && outcome_.landed != ground_.world.tree(root.tree)) {
      ground_.world.violate("what landed is not what was made");
    }
  }

  void check_plan(const PlanDatabase::Tables& tables, const model::PlanId& plan,
                  const PlanDatabase::Journal& journal) {
    if (journal.events.empty()) return;
    ++outcome_.plans;
    const auto state = plan::fold(journal.events);
    if (!state.ok())
      return ground_.world.violate("a journal does not fold: " + state.error().sentence());
    for (const std::string& flaw : plan::check_invariants(*state)) ground_.world.violate(flaw);
    for (const std::string& flaw : flaws_of_changes(journal.events, ground_.world.changes())) {
      ground_.world.violate(flaw);
    }
    if (!state->is_at_rest()) ground_.world.violate("nobody drives " + state->title + " on");
    if (tables.leases.at(plan).owner != 0 && !tables.dead.contains(tables.leases.at(plan).owner)) {
      ground_.world.violate("a plan at rest keeps its lease");
    }
    const bool cancelled = state->state == model::PlanState::kCancelled;
    for (const auto& process : processes_) {
      if (cancelled && process->effects().running(plan) != 0) {
        ground_.world.violate("something of a cancelled plan runs");
      }
    }
  }

  void check_effects(const PlanDatabase::Tables& tables) {
    for (const auto& [id, effect] : tables.effects) {
      if (!effect.settled) ground_.world.violate("an effect was never settled: " + effect.kind);
    }
  }

  void check_money(const PlanDatabase::Tables& tables) {
    for (const auto& [scope, budget] : tables.budgets) {
      if (budget.left().money < 0 || budget.left().tokens < 0) {
        ground_.world.violate("more was spent than the cap of " + scope);
      }
    }
  }

  const SimOptions options_;
  Ground ground_;
  const model::PlanId root_;
  std::vector<std::unique_ptr<Process>> processes_;
  int owners_ = 0;
  int crashes_ = 0;
  int thefts_ = 0;
  int acts_ = 0;
  int answers_ = 0;
  int corrections_ = 0;
  SimOutcome outcome_;
};

}  // namespace

SimOutcome simulate(const SimOptions& options) { return Simulation(options).run(); }

}  // namespace clever::sim
