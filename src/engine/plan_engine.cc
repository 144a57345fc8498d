#include "engine/plan_engine.h"

#include <type_traits>
#include <utility>

#include "base/monitor.h"
#include "engine/plan_drivers.h"
#include "engine/plan_writer.h"
#include "engine/withhold.h"
#include "plan/decide.h"

namespace clever::engine {
namespace {

using Place = PlanDrivers::Place;
using StatePtr = std::shared_ptr<const plan::State>;

// The interval at which it checks whether a plan's owner has died.
constexpr std::chrono::seconds kLookAgainAfter{1};

// Waits for one answer.
template <class T>
class Answer {
 public:
  void operator()(base::Result<T> answer) const {
    slot_->update([&](auto& slot) { slot.emplace(std::move(answer)); });
  }
  base::Result<T> wait(const base::StopToken& stop, base::Deadline deadline) const {
    CLEVER_TRY(slot_->wait(stop, deadline, [](const auto& slot) { return slot.has_value(); }));
    return slot_->read([](const auto& slot) { return *slot; });
  }

 private:
  using Slot = base::Monitor<std::optional<base::Result<T>>>;
  std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
};

// Lets callers wait for a plan, whichever process drives it.
class Waiting {
 public:
  Waiting(PlanDrivers& drivers, PlanStore& store, const model::PlanId& plan)
      : drivers_(drivers),
        store_(store),
        plan_(plan),
        failures_(drivers.failures().count),
        here_(drivers.watch(plan, signal_)) {}

  /// The database's failure since the wait began, if any.
  [[nodiscard]] base::Result<void> check_store() const {
    const PlanDrivers::Failures failures = drivers_.failures();
    if (failures.count == failures_) return {};
    return base::Error(*failures.last);
  }

  [[nodiscard]] std::uint64_t seen() const {
    return signal_->read([](std::uint64_t count) { return count; });
  }
  /// Another process drives the plan: its progress counts too, and until `again` this process does
  /// not check whether the other still lives.
  void leave_to_others(base::TimePoint again) {
    again_ = again;
    if (others_ != nullptr) return;
    others_ = store_.watch(
        plan_, [signal = signal_] { signal->update([](std::uint64_t& count) { ++count; }); });
    signal_->update([](std::uint64_t& count) { ++count; });
  }
  [[nodiscard]] bool is_left_to_others(base::TimePoint now) const {
    return others_ != nullptr && now < again_;
  }
  base::Result<void> wait(std::uint64_t seen, const base::StopToken& stop,
                          base::Deadline deadline) {
    return signal_->wait(stop, deadline, [=](std::uint64_t count) { return count > seen; });
  }

 private:
  PlanDrivers& drivers_;
  PlanStore& store_;
  const model::PlanId plan_;
  const std::uint64_t failures_;
  const std::shared_ptr<PlanDrivers::Signal> signal_ = std::make_shared<PlanDrivers::Signal>();
  const std::shared_ptr<void> here_;
  std::unique_ptr<storage::Subscription> others_;
  base::TimePoint again_{};
};

}  // namespace

class PlanEngine::Impl {
 public:
  explicit Impl(Parts parts)
      : store_(parts.store),
        scheduler_(parts.scheduler),
        clock_(parts.scheduler.clock()),
        ids_(parts.ids),
        secrets_(parts.secrets),
        drivers_(std::move(parts)) {}

  ~Impl() {
    const Answer<bool> stopped;
    drivers_.stop([stopped] { stopped(true); });
    (void)stopped.wait({}, base::Deadline::never());
  }

  base::Result<model::PlanId> create(plan::Create command, const storage::Caps& caps,
                                     const base::StopToken& stop) {
    CLEVER_ASSIGN(const model::PlanId plan, begin(command.settings, caps));
    const Answer<Place> created;
    drivers_.create(plan, without_secrets(std::move(command)), created);
    CLEVER_TRY(created.wait(stop, base::Deadline::never()));
    return plan;
  }

  base::Result<model::PlanId> record(plan::Create command, const storage::Caps& caps,
                                     const With& with, const base::StopToken& stop) {
    CLEVER_ASSIGN(const model::PlanId plan, new_id(command.settings));
    Submission first{.command = without_secrets(std::move(command))};
    if (with) {
      CLEVER_ASSIGN(first.with, with(plan));
    }
    CLEVER_ASSIGN(auto around, store_.first_statements(plan, caps));
    if (around) {
      // One transaction, so that the process that takes the job finds the plan free.
      first.before = std::move(around->before);
      for (storage::Statement& statement : around->after) first.with.add(std::move(statement));
      CLEVER_TRY(write_first(plan, around->lease, std::move(first), stop));
      return plan;
    }
    CLEVER_TRY(store_.ensure_cap("plan/" + plan.to_string(), caps));
    CLEVER_ASSIGN(const storage::Lease lease, store_.acquire(plan));
    const auto written = write_first(plan, lease, std::move(first), stop);
    const auto released = store_.release(lease);
    CLEVER_TRY(written);
    CLEVER_TRY(released);
    return plan;
  }

  base::Result<void> drive(const model::PlanId& plan, const base::StopToken& stop) {
    CLEVER_ASSIGN(const Place place, place_of(plan, stop, base::Deadline::never()));
    if (place.elsewhere) return *place.elsewhere;
    return {};
  }

  base::Result<CommandAnswer> command(const model::PlanId& plan, std::string key,
                                      const plan::Command& command, const base::StopToken& stop,
                                      base::Deadline deadline) {
    CLEVER_ASSIGN(storage::CommandReceipt receipt,
                  store_.send(plan, key, plan::to_json(without_secrets(command))));
    const bool is_new = receipt.is_new;
    Waiting waiting(drivers_, store_, plan);
    while (receipt.consumed == 0) {
      const std::uint64_t seen = waiting.seen();
      CLEVER_ASSIGN(receipt, store_.receipt(plan, key));
      if (receipt.consumed != 0) break;
      CLEVER_ASSIGN(const bool tried, see_to_it(plan, waiting, stop, deadline));
      if (!tried) CLEVER_TRY(pause(waiting, seen, stop, deadline));
    }
    return CommandAnswer{is_new, receipt.consumed, std::move(receipt.receipt)};
  }

  base::Result<StatePtr> wait(const model::PlanId& plan, const base::StopToken& stop,
                              base::Deadline deadline) {
    Waiting waiting(drivers_, store_, plan);
    while (true) {
      const std::uint64_t seen = waiting.seen();
      if (const auto view = drivers_.look(plan)) {
        CLEVER_ASSIGN(const bool rests, is_at_rest(*view));
        if (rests) return view->state;
        CLEVER_TRY(pause(waiting, seen, stop, deadline));
        continue;
      }
      CLEVER_ASSIGN(const StatePtr present, state(plan));
      if (present->is_at_rest()) return present;
      CLEVER_ASSIGN(const bool tried, see_to_it(plan, waiting, stop, deadline));
      if (!tried) CLEVER_TRY(pause(waiting, seen, stop, deadline));
    }
  }

  base::Result<StatePtr> state(const model::PlanId& plan) {
    CLEVER_ASSIGN(const storage::LoadedPlan loaded, store_.load(plan));
    if (loaded.events.empty()) return base::not_found("there is no plan " + plan.to_string());
    CLEVER_ASSIGN(plan::State state, plan::fold(loaded.events));
    return StatePtr(std::make_shared<const plan::State>(std::move(state)));
  }

 private:
  template <class Command>
  [[nodiscard]] Command without_secrets(Command given) const {
    if (secrets_ == nullptr) return given;
    plan::Command command(std::move(given));
    withhold_from_command(command, *secrets_);
    if constexpr (std::is_same_v<Command, plan::Command>) {
      return command;
    } else {
      return std::get<Command>(std::move(command));
    }
  }
  base::Result<model::PlanId> new_id(const model::PlanSettings& settings) {
    if (secrets_ != nullptr) CLEVER_TRY(refuse_secrets(settings, *secrets_));
    return model::PlanId(ids_.next());
  }
  base::Result<model::PlanId> begin(const model::PlanSettings& settings,
                                    const storage::Caps& caps) {
    CLEVER_ASSIGN(const model::PlanId plan, new_id(settings));
    CLEVER_TRY(store_.ensure_cap("plan/" + plan.to_string(), caps));
    return plan;
  }
  base::Result<void> write_first(const model::PlanId& plan, const storage::Lease& lease,
                                 Submission first, const base::StopToken& stop) {
    const std::shared_ptr<base::Executor> strand = scheduler_.make_strand();
    plan::State none;
    none.id = plan;
    auto writer = std::make_unique<PlanWriter>(store_, scheduler_, strand, lease, storage::Head(),
                                               std::move(none), PlanWriter::Hooks());
    const auto written = writer->execute(std::move(first), stop);
    // A writer ends where its tasks run.
    const Answer<bool> gone;
    CLEVER_TRY(strand->post([writer = std::move(writer), gone]() mutable {
      writer.reset();
      gone(true);
    }));
    CLEVER_TRY(gone.wait({}, base::Deadline::never()));
    if (!written.ok()) return written.error();
    return {};
  }

  base::Result<Place> place_of(const model::PlanId& plan, const base::StopToken& stop,
                               base::Deadline deadline) {
    const Answer<Place> place;
    drivers_.drive(plan, place);
    return place.wait(stop, deadline);
  }

  // Makes sure that the plan is driven, by this process unless another one does. Returns true if
  // that is new: the awaited event may have happened meanwhile.
  base::Result<bool> see_to_it(const model::PlanId& plan, Waiting& waiting,
                               const base::StopToken& stop, base::Deadline deadline) {
    if (drivers_.look(plan) || waiting.is_left_to_others(clock_.now())) return false;
    CLEVER_TRY(waiting.check_store());
    CLEVER_ASSIGN(const Place place, place_of(plan, stop, deadline));
    if (place.elsewhere) waiting.leave_to_others(clock_.now() + kLookAgainAfter);
    return true;
  }

  base::Result<void> pause(Waiting& waiting, std::uint64_t seen, const base::StopToken& stop,
                           base::Deadline deadline) {
    const base::Deadline soon = base::Deadline::after(clock_, kLookAgainAfter);
    const auto woken = waiting.wait(seen, stop, deadline.earlier(soon));
    if (woken.ok() || stop.stop_requested() || deadline.passed()) return woken;
    return {};
  }

  // The journal may be ahead of the driver's state.
  base::Result<bool> is_at_rest(const PlanDrivers::View& view) {
    if (view.goes_on || !view.state->is_at_rest()) return false;
    CLEVER_ASSIGN(const storage::JournalState journal, store_.journal(view.state->id));
    return journal.head.sequence == view.state->sequence;
  }

  PlanStore& store_;
  Scheduler& scheduler_;
  base::Clock& clock_;
  base::UlidGenerator& ids_;
  const base::Secrets* const secrets_;
  PlanDrivers drivers_;
};

PlanEngine::PlanEngine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PlanEngine::~PlanEngine() = default;
base::Result<model::PlanId> PlanEngine::create(plan::Create command, const storage::Caps& caps,
                                               const base::StopToken& stop) {
  return impl_->create(std::move(command), caps, stop);
}
base::Result<model::PlanId> PlanEngine::record(plan::Create command, const storage::Caps& caps,
                                               const With& with, const base::StopToken& stop) {
  return impl_->record(std::move(command), caps, with, stop);
}
base::Result<void> PlanEngine::drive(const model::PlanId& plan, const base::StopToken& stop) {
  return impl_->drive(plan, stop);
}
base::Result<CommandAnswer> PlanEngine::command(const model::PlanId& plan, std::string key,
                                                const plan::Command& command,
                                                const base::StopToken& stop,
                                                base::Deadline deadline) {
  return impl_->command(plan, std::move(key), command, stop, deadline);
}
base::Result<std::shared_ptr<const plan::State>> PlanEngine::wait(const model::PlanId& plan,
                                                                  const base::StopToken& stop,
                                                                  base::Deadline deadline) {
  return impl_->wait(plan, stop, deadline);
}
base::Result<std::shared_ptr<const plan::State>> PlanEngine::state(const model::PlanId& plan) {
  return impl_->state(plan);
}

std::unique_ptr<PlanEngine> PlanEngine::make(Parts parts) {
  return std::unique_ptr<PlanEngine>(new PlanEngine(std::make_unique<Impl>(std::move(parts))));
}

}  // namespace clever::engine
