#include "engine/internal/driver_core.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "engine/internal/plan_driver.h"

namespace clever::engine::internal {

Slot::~Slot() {
  if (const auto core = core_.lock()) core->give_back(depth_);
}

std::shared_ptr<PlanDriver> DriverCore::find(const model::PlanId& plan) const {
  return table_.with([&](const Table& table) -> std::shared_ptr<PlanDriver> {
    const auto found = table.drivers.find(plan);
    return found == table.drivers.end() ? nullptr : found->second;
  });
}

std::shared_ptr<PlanDriver> DriverCore::open(const model::PlanId& plan, Source source,
                                             bool by_parent, Done<Place> done) {
  auto driver = find(plan);
  if (driver == nullptr) {
    auto made = std::make_shared<PlanDriver>(shared_from_this(), plan);
    driver = table_.with([&](Table& table) -> std::shared_ptr<PlanDriver> {
      if (table.stopping) return nullptr;
      return table.drivers.try_emplace(plan, std::move(made)).first->second;
    });
  }
  if (driver == nullptr) {
    done(base::cancelled("this process is stopping"));
    return nullptr;
  }
  driver->post([request = PlanDriver::Request{std::move(source), by_parent, std::move(done)}](
                   PlanDriver& it) mutable { it.request(std::move(request)); });
  schedule_renewal();
  return driver;
}

void DriverCore::drive(const model::PlanId& plan, Done<Place> done) {
  if (look(plan)) return done(Place{});
  auto held = std::make_shared<Done<Place>>(std::move(done));
  const bool accepted = in_store(
      [self = shared_from_this(), plan, held] { self->find_root(plan, std::move(*held)); });
  if (!accepted)
    (*held)(base::resource_exhausted("the database is too slow: too many writes wait"));
}

void DriverCore::find_root(const model::PlanId& plan, Done<Place> done) {
  const auto loaded = parts_.store.load(plan);
  if (!loaded.ok()) return done(loaded.error());
  const auto state = plan::fold(loaded->events);
  if (!state.ok()) return done(state.error());
  if (!state->exists()) return done(base::not_found("there is no plan " + plan.to_string()));
  const auto& ancestors = state->settings.ancestors;
  open_root(plan, ancestors.empty() ? plan : ancestors.front(), std::move(done));
}

void DriverCore::open_root(const model::PlanId& plan, const model::PlanId& root, Done<Place> done) {
  if (plan == root) {
    open(plan, {}, false, std::move(done));
    return;
  }
  open(
      root, {}, false,
      [self = shared_from_this(), plan, done = std::move(done)](base::Result<Place> place) mutable {
        if (!place.ok() || place->elsewhere) return done(std::move(place));
        self->open(plan, {}, false, std::move(done));
      });
}

void DriverCore::let_go(const model::PlanId& plan) {
  if (const auto driver = find(plan)) driver->post([](PlanDriver& it) { it.let_go(); });
}

void DriverCore::close(const model::PlanId& plan) {
  if (const auto driver = find(plan)) {
    driver->post([](PlanDriver& it) { it.close(PlanDriver::Why::kStop); });
  }
}

void DriverCore::child_lost(const model::PlanId& parent, const model::EffectId& effect) {
  if (const auto driver = find(parent)) {
    driver->post([effect](PlanDriver& it) { it.open_child_later(effect); });
  }
}

std::optional<PlanDrivers::View> DriverCore::look(const model::PlanId& plan) const {
  const auto driver = find(plan);
  if (driver == nullptr) return std::nullopt;
  auto view = driver->view();
  if (view.state == nullptr) return std::nullopt;
  return PlanDrivers::View{std::move(view.state), view.goes_on};
}

std::shared_ptr<void> DriverCore::watch(const model::PlanId& plan, std::shared_ptr<Signal> signal) {
  table_.with([&](Table& table) { table.watchers[plan].push_back(signal); });
  return {static_cast<void*>(signal.get()),
          [self = shared_from_this(), plan, signal](void*) { self->unwatch(plan, signal); }};
}

void DriverCore::unwatch(const model::PlanId& plan, const std::shared_ptr<Signal>& signal) {
  table_.with([&](Table& table) {
    const auto found = table.watchers.find(plan);
    if (found == table.watchers.end()) return;
    std::erase(found->second, signal);
    if (found->second.empty()) table.watchers.erase(found);
  });
  if (const auto driver = find(plan)) driver->post([](PlanDriver& it) { it.consider_rest(); });
}

bool DriverCore::is_watched(const model::PlanId& plan) const {
  return table_.with([&](const Table& table) { return table.watchers.contains(plan); });
}

void DriverCore::signal(const model::PlanId& plan) const {
  const auto signals = table_.with([&](const Table& table) {
    const auto found = table.watchers.find(plan);
    return found == table.watchers.end() ? std::vector<std::shared_ptr<Signal>>() : found->second;
  });
  for (const auto& each : signals) each->update([](std::uint64_t& count) { ++count; });
}

void DriverCore::take_slot(std::int64_t depth, std::move_only_function<void(Slot)> granted) {
  const bool now = table_.with([&](Table& table) {
    Slots& slots = table.slots[depth];
    if (slots.taken < parts_.most_plans) {
      ++slots.taken;
      return true;
    }
    if (!table.stopping) slots.waiting.push_back(std::move(granted));
    return false;
  });
  if (now) granted(Slot(weak_from_this(), depth));
}

void DriverCore::give_back(std::int64_t depth) {
  std::move_only_function<void(Slot)> next;
  table_.with([&](Table& table) {
    Slots& slots = table.slots[depth];
    CLEVER_CHECK(slots.taken > 0 || table.stopping, "a slot is given back once");
    if (slots.waiting.empty()) {
      --slots.taken;
      return;
    }
    next = std::move(slots.waiting.front());
    slots.waiting.pop_front();
  });
  if (next) next(Slot(weak_from_this(), depth));
}

bool DriverCore::in_store(base::Task&& task) {
  table_.with([](Table& table) { ++table.tasks; });
  const auto end = [](DriverCore& core) {
    core.table_.with([](Table& table) { --table.tasks; });
    core.tell_if_stopped();
  };
  const auto posted = parts_.scheduler.storing().post(
      [self = shared_from_this(), task = std::move(task), end]() mutable {
        task();
        end(*self);
      });
  if (!posted.ok()) end(*this);
  return posted.ok();
}

void DriverCore::schedule_renewal() {
  const bool begin = table_.with(
      [](Table& table) { return !table.stopping && !std::exchange(table.renewing, true); });
  if (!begin) return;
  auto alarm = parts_.scheduler.at(parts_.scheduler.clock().now() + parts_.lease / 3,
                                   parts_.scheduler.storing(), [weak = weak_from_this()] {
                                     if (const auto self = weak.lock()) self->renew();
                                   });
  table_.with([&](Table& table) { std::swap(table.renewal, alarm); });
}

void DriverCore::renew() {
  std::vector<std::shared_ptr<PlanDriver>> drivers;
  const bool stopping = table_.with([&](Table& table) {
    for (const auto& [plan, driver] : table.drivers) drivers.push_back(driver);
    table.renewing = false;
    if (!table.stopping && !drivers.empty()) ++table.tasks;
    return table.stopping || drivers.empty();
  });
  if (stopping) return;
  std::vector<storage::Lease> ours;
  for (const auto& driver : drivers) ours.push_back(driver->view().lease);
  const auto held = parts_.store.renew();
  if (!held.ok() && !base::is_retryable(held.error().code())) store_failed(held.error());
  if (held.ok()) {
    std::set<std::pair<std::string, std::int64_t>> there;
    for (const storage::Lease& lease : *held) there.emplace(lease.name, lease.epoch);
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      if (ours[i].epoch == 0 || there.contains({ours[i].name, ours[i].epoch})) continue;
      drivers[i]->post([](PlanDriver& it) { it.close(PlanDriver::Why::kLost); });
    }
  }
  table_.with([](Table& table) { --table.tasks; });
  tell_if_stopped();
  schedule_renewal();
}

void DriverCore::stop(std::move_only_function<void()> done) {
  std::map<std::int64_t, Slots> slots;
  std::unique_ptr<Alarm> renewal;
  table_.with([&](Table& table) {
    table.stopping = true;
    table.stopped = std::move(done);
    for (auto& [depth, each] : table.slots) slots[depth].waiting.swap(each.waiting);
    renewal.swap(table.renewal);
  });
  close_all();
  tell_if_stopped();
}

void DriverCore::close_all() {
  std::vector<std::shared_ptr<PlanDriver>> drivers;
  table_.with([&](const Table& table) {
    for (const auto& [plan, driver] : table.drivers) drivers.push_back(driver);
  });
  for (const auto& driver : drivers) {
    driver->post([](PlanDriver& it) { it.close(PlanDriver::Why::kStop); });
  }
}

void DriverCore::store_failed(const base::Error& error) {
  table_.with([&](Table& table) {
    ++table.failures.count;
    table.failures.last = error;
  });
  close_all();
}

PlanDrivers::Failures DriverCore::failures() const {
  return table_.with([](const Table& table) { return table.failures; });
}

bool DriverCore::is_stopping() const {
  return table_.with([](const Table& table) { return table.stopping; });
}

void DriverCore::gone(const PlanDriver& driver, bool was_driven) {
  std::shared_ptr<PlanDriver> held;  // released without the lock
  table_.with([&](Table& table) {
    const auto found = table.drivers.find(driver.plan());
    if (found == table.drivers.end() || found->second.get() != &driver) return;
    held = std::move(found->second);
    table.drivers.erase(found);
  });
  if (was_driven) signal(driver.plan());
  tell_if_stopped();
}

void DriverCore::tell_if_stopped() {
  std::move_only_function<void()> stopped;
  table_.with([&](Table& table) {
    const bool over = table.stopping && table.drivers.empty() && table.tasks == 0;
    if (over) stopped = std::exchange(table.stopped, nullptr);
  });
  if (stopped) stopped();
}

void DriverCore::drop() {
  Table dropped;
  table_.with([&](Table& table) {
    table.stopping = true;
    table.drivers.swap(dropped.drivers);
    table.slots.swap(dropped.slots);
    table.renewal.swap(dropped.renewal);
  });
}

std::size_t DriverCore::size() const {
  return table_.with([](const Table& table) { return table.drivers.size(); });
}

}  // namespace clever::engine::internal

namespace clever::engine {

PlanDrivers::PlanDrivers(PlanEngine::Parts parts)
    : core_(std::make_shared<internal::DriverCore>(std::move(parts))) {}

PlanDrivers::~PlanDrivers() { core_->drop(); }

void PlanDrivers::create(const model::PlanId& plan, plan::Create command, Done<Place> done) {
  auto source = [command = std::move(command)](Done<plan::Create> answer) mutable {
    answer(std::move(command));
  };
  core_->open(plan, std::move(source), false, std::move(done));
}

void PlanDrivers::drive(const model::PlanId& plan, Done<Place> done) {
  core_->drive(plan, std::move(done));
}

std::optional<PlanDrivers::View> PlanDrivers::look(const model::PlanId& plan) const {
  return core_->look(plan);
}

PlanDrivers::Failures PlanDrivers::failures() const { return core_->failures(); }

std::shared_ptr<void> PlanDrivers::watch(const model::PlanId& plan,
                                         std::shared_ptr<Signal> signal) {
  return core_->watch(plan, std::move(signal));
}

void PlanDrivers::stop(std::move_only_function<void()> done) { core_->stop(std::move(done)); }

std::size_t PlanDrivers::size() const { return core_->size(); }

}  // namespace clever::engine
