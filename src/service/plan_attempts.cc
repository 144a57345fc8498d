#include "service/plan_attempts.h"

#include <chrono>
#include <utility>

#include "base/monitor.h"
#include "plan/who_works.h"
#include "service/commands/plan_landing.h"
#include "service/timestamp.h"
#include "storage/inbox.h"
#include "storage/keys.h"

namespace clever::service {
namespace {

constexpr std::chrono::seconds kLookAgain{1};
// A limit may be lifted before its time.
constexpr std::chrono::seconds kMostPutOff{30};

// "anthropic/claude is overloaded, until 2026-01-31T09:05:07.120Z"
std::string words(const engine::WaitNotice& wait) {
  return wait.until ? wait.why + ", until " + timestamp(*wait.until) : wait.why;
}

/// Waits until plans and their subplans have nothing left to do. Used by one thread.
class Rest {
 public:
  Rest(storage::Engine& engine, engine::PlanEngine& plans, base::Clock& clock)
      : engine_(engine), plans_(plans), clock_(clock) {}

  /// Returns the root's state at that time.
  base::Result<std::shared_ptr<const plan::State>> wait(const model::PlanId& root,
                                                        const model::PlanId& target,
                                                        const base::StopToken& stop) {
    while (true) {
      CLEVER_ASSIGN(const auto state, plans_.wait(root, stop));
      CLEVER_ASSIGN(auto busy, busy_plan(*state, stop));
      if (!busy && target) {
        CLEVER_ASSIGN(const bool unread, has_unread(target, stop));
        if (unread) busy = target;
      }
      if (!busy) return state;
      CLEVER_TRY(wait_for_change(*busy, stop));
    }
  }

 private:
  // Returns a plan of the tree that has work left: a command to read, a running effect, or an end
  // that its parent has not seen.
  base::Result<std::optional<model::PlanId>> busy_plan(const plan::State& plan,
                                                       const base::StopToken& stop) {
    if (!plan.is_final()) {
      CLEVER_ASSIGN(const bool unread, has_unread(plan.id, stop));
      if (unread) return std::optional(plan.id);
    }
    for (const plan::Step& step : plan.steps) {
      if (step.waits.empty() || !step.child) continue;
      CLEVER_ASSIGN(const auto child, plans_.state(step.child));
      if (child->is_final() || !child->is_at_rest()) return std::optional(step.child);
      CLEVER_ASSIGN(auto busy, busy_plan(*child, stop));
      if (busy) return busy;
    }
    return std::optional<model::PlanId>();
  }

  base::Result<bool> has_unread(const model::PlanId& plan, const base::StopToken& stop) {
    CLEVER_ASSIGN(const auto pending, storage::Inbox(engine_).pending(plan, 1, stop));
    return !pending.empty();
  }

  // The plan may have changed before the subscription.
  base::Result<void> wait_for_change(const model::PlanId& plan, const base::StopToken& stop) {
    base::Monitor<bool> changed;
    const auto watched = engine_.subscribe(storage::plan_name(plan), [&changed] {
      changed.update([](bool& value) { value = true; });
    });
    const auto woken = changed.wait(stop, base::Deadline::after(clock_, kLookAgain),
                                    [](const bool& value) { return value; });
    if (!woken.ok() && stop.stop_requested()) return woken;
    return {};
  }

  storage::Engine& engine_;
  engine::PlanEngine& plans_;
  base::Clock& clock_;
};

}  // namespace

/// One attempt of a job. Shared by its thread, the gate and the stop.
class PlanAttempts::Attempt {
 public:
  Attempt(PlanJob plans, const worker::Job& job, base::StopToken stop, worker::Finish finish)
      : plans(std::move(plans)),
        lease(job.lease),
        priority(job.priority),
        stop(std::move(stop)),
        slot(finish.slot()),
        finish(std::move(finish)) {
    static_cast<void>(enter());
  }

  /// It has no slot from now on; its thread, if it has one, leaves soon.
  void leave() {
    const auto stint = turn_.with([](Turn& t) {
      t.is_paused = true;
      return t.stint;
    });
    stint->request_stop();
  }
  /// It may work again. True: it needs a thread.
  bool enter() {
    // What it replaces ends without the lock.
    auto stint = std::make_shared<base::StopSource>(stop);
    return turn_.with([&](Turn& t) {
      if (t.is_over) return false;
      t.is_paused = false;
      if (t.has_thread) return false;
      t.has_thread = true;
      t.stint.swap(stint);
      return true;
    });
  }
  /// Asks what its thread does until the next pause to stop.
  [[nodiscard]] base::StopToken stint() const {
    return turn_.with([](const Turn& t) { return t.stint->token(); });
  }
  /// It ends before anything of it began.
  void give_up_turn() {
    turn_.with([](Turn& t) { t.is_over = true; });
  }
  /// After a stint: whether the attempt is over. Otherwise `again` says whether it goes on here, or
  /// it is paused and has no thread any more.
  bool is_over(const base::Result<void>& done, bool& again) {
    auto next = std::make_shared<base::StopSource>(stop);
    return turn_.with([&](Turn& t) {
      const bool left = !done.ok() && !stop.stop_requested() && t.stint->stop_requested();
      t.is_over = !left;
      again = left && !t.is_paused;
      if (again) t.stint.swap(next);
      t.has_thread = again;
      return t.is_over;
    });
  }

  // Constant after construction.
  const PlanJob plans;
  const worker::Lease lease;
  const worker::Priority priority;
  const base::StopToken stop;
  const worker::Slot slot;
  // The thread's.
  bool is_new = true;
  // Used by who ends the attempt.
  worker::Finish finish;
  std::unique_ptr<base::StopCallback> on_stop{};

 private:
  struct Turn {
    std::shared_ptr<base::StopSource> stint{};
    bool has_thread = false;
    bool is_paused = false;
    bool is_over = false;
  };
  base::Guarded<Turn> turn_;
};

PlanAttempts::PlanAttempts(Parts parts)
    : parts_(std::move(parts)),
      threads_({.name = "plans", .threads = static_cast<unsigned>(parts_.threads)}) {}

PlanAttempts::~PlanAttempts() = default;

void PlanAttempts::begin(const worker::Job& job, const base::StopToken& stop,
                         worker::Finish finish) {
  auto plans = parse_plan_job(job.body);
  if (!plans.ok()) {
    parts_.ended();
    return finish(plans.error());
  }
  const auto attempt = std::make_shared<Attempt>(*std::move(plans), job, stop, std::move(finish));
  parts_.gate.add(
      attempt->plans.plans,
      {.pause = [this, attempt](const engine::WaitNotice& wait) { return pause(*attempt, wait); },
       .wants_to_work =
           [this, attempt] { attempt->slot.take_again([this, attempt] { go_on(attempt); }); }});
  // A paused attempt ends as well once it is asked to.
  attempt->on_stop =
      std::make_unique<base::StopCallback>(stop, [this, weak = std::weak_ptr(attempt)] {
        if (const auto paused = weak.lock()) go_on(paused);
      });
  post(attempt);
}

// There are as many threads as slots, so only a stopping pool refuses; then the attempt fails.
void PlanAttempts::post(const std::shared_ptr<Attempt>& attempt) {
  const auto posted = threads_.post([this, attempt] { work(*attempt); });
  if (!posted.ok()) conclude(*attempt, posted);
}

void PlanAttempts::work(Attempt& attempt) {
  bool again = true;
  while (again) {
    parts_.begins();
    if (std::exchange(attempt.is_new, false) && put_off(attempt)) return;
    const auto done = run(attempt.plans, attempt.stint());
    if (attempt.is_over(done, again)) conclude(attempt, done);
  }
}

// Commands of people are read whatever the limits are.
bool PlanAttempts::put_off(Attempt& attempt) {
  if (attempt.priority == worker::Priority::kUrgent) return false;
  std::optional<engine::WaitNotice> soonest;
  for (const model::PlanId& plan : attempt.plans.plans) {
    const auto state = parts_.workplace->runtime().plans().state(plan);
    if (!state.ok() || (*state)->is_at_rest() || !plan::uses_model_now(**state)) return false;
    auto wait = parts_.workplace->known_wait(plan::terms_now(**state).model);
    if (!wait) return false;
    if (!soonest || *wait->until < *soonest->until) soonest = std::move(wait);
  }
  if (!soonest) return false;
  attempt.give_up_turn();
  end(attempt);
  const auto delay =
      std::min<base::WallTime::duration>(*soonest->until - parts_.clock.wall_now(), kMostPutOff);
  worker::Finish finish = std::move(attempt.finish);
  finish.put_off(words(*soonest), std::chrono::ceil<std::chrono::microseconds>(delay));
  return true;
}

bool PlanAttempts::pause(Attempt& attempt, const engine::WaitNotice& wait) {
  if (!attempt.slot.give_up()) return false;
  parts_.note(attempt.lease, words(wait));
  attempt.leave();
  return true;
}

void PlanAttempts::go_on(const std::shared_ptr<Attempt>& attempt) {
  parts_.note(attempt->lease, "");
  const bool needs_thread = attempt->enter();
  parts_.gate.allow(attempt->plans.plans.front());
  if (needs_thread) post(attempt);
}

void PlanAttempts::end(const Attempt& attempt) {
  parts_.gate.remove(attempt.plans.plans.front());
  parts_.ended();
}

void PlanAttempts::conclude(Attempt& attempt, const base::Result<void>& done) {
  end(attempt);
  worker::Finish finish = std::move(attempt.finish);
  if (!done.ok() && attempt.stop.stop_requested()) return finish.give_back();
  // A plan whose journal was deleted has nothing left to do.
  const bool is_gone = !done.ok() && done.error().code() == base::ErrorCode::kNotFound;
  finish(is_gone ? base::Result<void>() : done);
}

base::Result<void> PlanAttempts::run(const PlanJob& job, const base::StopToken& stop) {
  engine::Runtime& runtime = parts_.workplace->runtime();
  for (const model::PlanId& plan : job.plans) {
    const auto driven = runtime.plans().drive(plan, stop);
    // Waits until the other process that drives it has ended.
    const bool elsewhere = !driven.ok() && driven.error().code() == base::ErrorCode::kConflict;
    if (!driven.ok() && !elsewhere) return driven;
  }
  Rest rest(parts_.engine, runtime.plans(), parts_.clock);
  for (const model::PlanId& plan : job.plans) {
    CLEVER_ASSIGN(const auto state, rest.wait(plan, job.target, stop));
    if (!job.apply || !state->is_ready_to_apply()) continue;
    CLEVER_TRY(land_unasked(runtime, *state, *job.apply, stop));
  }
  return {};
}

base::Result<void> PlanAttempts::reconfigure(const provider::ProviderSettings& settings,
                                             std::vector<NoticeTarget> targets) {
  CLEVER_TRY(parts_.workplace->reconfigure(settings));
  parts_.workplace->notices().set(std::move(targets));
  return {};
}

}  // namespace clever::service
