#include "explore/explore.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/thread.h"
#include "explore/strategy.h"

namespace clever::explore {
namespace {

using base::schedule::Op;
using base::schedule::TimePoint;

std::string_view to_string(Op op) {
  switch (op) {
    case Op::kStart:
      return "start";
    case Op::kLock:
      return "lock";
    case Op::kTryLock:
      return "try-lock";
    case Op::kWait:
      return "wait";
    case Op::kNotify:
      return "notify";
    case Op::kLoad:
      return "load";
    case Op::kStore:
      return "store";
    case Op::kUpdate:
      return "update";
    case Op::kSpawn:
      return "spawn";
    case Op::kJoin:
      return "join";
    case Op::kHandOver:
      return "hand-over";
    case Op::kYield:
      return "yield";
    case Op::kExit:
      return "exit";
  }
  return "?";
}

struct Verdict {
  Failure failure = Failure::kNone;
  std::string reason;
  std::size_t decisions = 0;
  std::string trace;
};

// A thread that runs one entry after the other: starting a thread costs more than most schedules.
// One that is stuck in a failed schedule never comes back.
class Carrier {
 public:
  static void run(std::move_only_function<void()> entry) {
    Carrier* carrier = nullptr;
    {
      const std::lock_guard lock(idle().mutex);
      if (!idle().carriers.empty()) {
        carrier = idle().carriers.back();
        idle().carriers.pop_back();
      }
    }
    if (carrier == nullptr) carrier = new Carrier;  // lives as long as the process
    carrier->begin(std::move(entry));
  }

 private:
  struct Idle {
    std::mutex mutex;
    std::vector<Carrier*> carriers;
  };
  static Idle& idle() {
    static auto* const instance = new Idle;
    return *instance;
  }

  Carrier() {
    std::thread([this] { loop(); }).detach();
  }

  void begin(std::move_only_function<void()> entry) {
    const std::lock_guard lock(mutex_);
    entry_ = std::move(entry);
    begun_.notify_one();
  }

  [[noreturn]] void loop() {
    while (true) {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [this] { return static_cast<bool>(entry_); });
      auto entry = std::exchange(entry_, nullptr);
      lock.unlock();
      entry();
      entry = nullptr;
      const std::lock_guard idle_lock(idle().mutex);
      idle().carriers.push_back(this);
    }
  }

  std::mutex mutex_;
  std::condition_variable begun_;
  std::move_only_function<void()> entry_;
};

// One schedule. Exactly one of its threads has the baton (`running_`); the others wait for it on
// their own condition variable. Everything below is guarded by mutex_.
//
// Shared by the explorer and its running threads: the last one to leave destroys it.
class Schedule final : public base::schedule::Scheduler,
                       public Run,
                       public std::enable_shared_from_this<Schedule> {
 public:
  Schedule(Chooser& chooser, std::size_t max_steps) : chooser_(chooser), max_steps_(max_steps) {}

  /// Runs the body to its end or to its failure. After a failure the object must be kept for ever.
  Verdict execute(const std::function<void(Run&)>& body) {
    start("main", this, [this, &body] {
      body(*this);
      if (!all_joined_) fail("the body returned without run.join(): its threads use what is gone");
    });
    // The body's thread is number 0 and has had the baton from the start: handing it over here
    // again would take it from whoever runs by now.
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return failure_ != Failure::kNone || unfinished_ == 0; });
    return {failure_, reason_, decisions_, failure_ == Failure::kNone ? "" : trace_text()};
  }

  // --- Run, called on controlled threads ---

  void thread(std::string name, std::function<void()> body) override {
    all_joined_ = false;
    threads_of_body_.push_back(std::make_unique<base::Thread>(
        std::move(name), [body = std::move(body)](const base::StopToken&) { body(); }));
  }

  void join() override {
    for (auto& thread : threads_of_body_) thread->join();
    all_joined_ = true;
  }

  [[noreturn]] void fail(std::string reason) override {
    std::unique_lock lock(mutex_);
    give_up(lock, Failure::kCheck, std::move(reason));
  }

  // --- Scheduler ---

  void point(Op op, const void* object) override {
    std::unique_lock lock(mutex_);
    record(lock, op, object);
    if (op == Op::kYield) chooser_.yielded(running_);
    switch_from_running(lock, /*can_go_on=*/true, /*yields=*/op == Op::kYield);
  }

  bool park(Op op, const void* object, std::optional<TimePoint> until) override {
    std::unique_lock lock(mutex_);
    record(lock, op, object);
    return park_locked(lock, op, object, until);
  }

  void wake_one(const void* object) override {
    const std::lock_guard lock(mutex_);
    std::vector<Controlled*> waiting = parked_on(object);
    if (waiting.empty()) return;
    wake(*waiting[waiting.size() == 1 ? 0 : chooser_.waiter(waiting.size())]);
  }

  void wake_all(const void* object) override {
    const std::lock_guard lock(mutex_);
    for (Controlled* thread : parked_on(object)) wake(*thread);
  }

  TimePoint now() override {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  void start(std::string name, const void* identity,
             std::move_only_function<void()> entry) override {
    const std::lock_guard lock(mutex_);
    const auto id = static_cast<unsigned>(threads_.size());
    threads_.emplace_back(id, std::move(name));
    by_identity_[identity] = id;
    ++unfinished_;
    Carrier::run([self = shared_from_this(), id, entry = std::move(entry)]() mutable {
      self->run_thread(id, std::move(entry));
    });
  }

  void join(const void* identity) override {
    std::unique_lock lock(mutex_);
    Controlled& other = threads_[by_identity_.at(identity)];
    record(lock, Op::kJoin, &other);
    while (other.state != State::kFinished) park_locked(lock, Op::kJoin, &other, std::nullopt);
  }

 private:
  enum class State : std::uint8_t { kReady, kParked, kFinished };

  struct Controlled {
    Controlled(unsigned number, std::string title) : id(number), name(std::move(title)) {}
    const unsigned id;
    const std::string name;
    State state = State::kReady;
    Op parked_for = Op::kStart;
    const void* parked_on = nullptr;
    std::optional<TimePoint> until;
    bool woken = false;
    std::condition_variable baton;
  };

  struct Step {
    unsigned thread;
    Op op;
    const void* object;
  };

  void run_thread(unsigned id, std::move_only_function<void()> entry) {
    base::schedule::set_current(this);
    {
      std::unique_lock lock(mutex_);
      wait_for_baton(lock, threads_[id]);
    }
    try {
      entry();
      entry = nullptr;
    } catch (const std::exception& thrown) {
      std::unique_lock lock(mutex_);
      give_up(lock, Failure::kException, threads_[id].name + " threw: " + thrown.what());
    } catch (...) {
      std::unique_lock lock(mutex_);
      give_up(lock, Failure::kException, threads_[id].name + " threw an unknown exception");
    }
    base::schedule::set_current(nullptr);
    std::unique_lock lock(mutex_);
    finish(lock, threads_[id]);
  }

  void finish(std::unique_lock<std::mutex>& lock, Controlled& thread) {
    record(lock, Op::kExit, &thread);
    thread.state = State::kFinished;
    for (Controlled* joiner : parked_on(&thread)) wake(*joiner);
    if (--unfinished_ == 0) {
      done_.notify_all();
      return;
    }
    if (const auto next = choose(/*can_go_on=*/false, /*yields=*/false)) hand_baton_to(*next);
  }

  bool park_locked(std::unique_lock<std::mutex>& lock, Op op, const void* object,
                   std::optional<TimePoint> until) {
    Controlled& self = threads_[running_];
    self.state = State::kParked;
    self.parked_for = op;
    self.parked_on = object;
    self.until = until;
    self.woken = false;
    switch_from_running(lock, /*can_go_on=*/false, /*yields=*/false);
    return self.woken;
  }

  std::vector<Controlled*> parked_on(const void* object) {
    std::vector<Controlled*> found;
    for (Controlled& thread : threads_) {
      if (thread.state == State::kParked && thread.parked_on == object) found.push_back(&thread);
    }
    return found;
  }

  static void wake(Controlled& thread) {
    thread.state = State::kReady;
    thread.woken = true;
  }

  void switch_from_running(std::unique_lock<std::mutex>& lock, bool can_go_on, bool yields) {
    Controlled& self = threads_[running_];
    const auto next = choose(can_go_on, yields);
    if (next == self.id) return;
    if (next) hand_baton_to(*next);
    wait_for_baton(lock, self);
  }

  void hand_baton_to(unsigned id) {
    running_ = id;
    threads_[id].baton.notify_one();
  }

  // Never returns once the schedule has failed: its threads end here, for good.
  void wait_for_baton(std::unique_lock<std::mutex>& lock, Controlled& self) {
    self.baton.wait(lock, [&] { return running_ == self.id && failure_ == Failure::kNone; });
  }

  /// Who goes on; nothing if nobody can, which has then been recorded as the failure.
  std::optional<unsigned> choose(bool can_go_on, bool yields) {
    std::vector<Candidate>& candidates = candidates_;
    candidates.clear();
    if (can_go_on && !yields) candidates.push_back({running_, false});
    for (const Controlled& thread : threads_) {
      const bool already = can_go_on && thread.id == running_;
      if (thread.state == State::kReady && !already) candidates.push_back({thread.id, false});
    }
    // Who yields goes on only if nobody else can.
    if (yields && candidates.empty()) candidates.push_back({running_, false});
    for (const Controlled& thread : threads_) {
      if (thread.state == State::kParked && thread.until) candidates.push_back({thread.id, true});
    }
    if (candidates.empty()) {
      stuck();
      return std::nullopt;
    }
    const bool preemption_possible = can_go_on && !yields;
    const Candidate chosen =
        candidates[candidates.size() == 1 ? 0 : decide(candidates, preemption_possible)];
    if (chosen.time_out) {
      Controlled& thread = threads_[chosen.thread];
      now_ = std::max(now_, *thread.until);
      thread.state = State::kReady;
    }
    return chosen.thread;
  }

  std::size_t decide(const std::vector<Candidate>& candidates, bool preemption_possible) {
    ++decisions_;
    return chooser_.next(candidates, preemption_possible);
  }

  void stuck() {
    bool waits_for_notification = false;
    std::string reason = "nobody can go on:";
    for (const Controlled& thread : threads_) {
      if (thread.state == State::kFinished) continue;
      if (thread.parked_for == Op::kWait) waits_for_notification = true;
      reason += " " + thread.name + " (" + std::string(to_string(thread.parked_for)) + " " +
                object_name(thread.parked_on) + ")";
    }
    failure_ = waits_for_notification ? Failure::kLostWakeUp : Failure::kDeadlock;
    reason_ = std::move(reason);
    done_.notify_all();
  }

  void record(std::unique_lock<std::mutex>& lock, Op op, const void* object) {
    trace_.push_back({running_, op, object});
    if (trace_.size() > max_steps_) {
      give_up(lock, Failure::kLivelock, "more than " + std::to_string(max_steps_) + " steps");
    }
  }

  [[noreturn]] void give_up(std::unique_lock<std::mutex>& lock, Failure failure,
                            std::string reason) {
    if (failure_ == Failure::kNone) {
      failure_ = failure;
      reason_ = std::move(reason);
      done_.notify_all();
    }
    lock.unlock();
    while (true) ::pause();
  }

  // Objects are numbered in the order in which a schedule meets them: addresses would differ from
  // run to run.
  std::string object_name(const void* object) {
    for (const Controlled& thread : threads_) {
      if (&thread == object) return thread.name;
    }
    const auto [it, added] = object_numbers_.try_emplace(object, object_numbers_.size() + 1);
    return "#" + std::to_string(it->second);
  }

  std::string trace_text() {
    std::string text;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      const Step& step = trace_[i];
      text += "  " + std::to_string(i + 1) + " " + threads_[step.thread].name + ": " +
              std::string(to_string(step.op)) + " " + object_name(step.object) + "\n";
    }
    return text;
  }

  Chooser& chooser_;
  const std::size_t max_steps_;

  std::mutex mutex_;
  std::condition_variable done_;
  std::deque<Controlled> threads_;  // a deque: references stay valid
  std::map<const void*, unsigned> by_identity_;
  std::map<const void*, std::size_t> object_numbers_;
  std::vector<Candidate> candidates_;
  unsigned running_ = 0;
  unsigned unfinished_ = 0;
  TimePoint now_{std::chrono::hours(1)};
  std::vector<Step> trace_;
  std::size_t decisions_ = 0;
  Failure failure_ = Failure::kNone;
  std::string reason_;

  // Touched only by the body's thread, then by the destructor.
  std::vector<std::unique_ptr<base::Thread>> threads_of_body_;
  bool all_joined_ = true;
};

// Keeps everything on one processor while it lives: handing the baton to a thread on the same one
// costs a context switch, to another one an interrupt as well.
class OneProcessor {
 public:
  OneProcessor() {
    if (::sched_getaffinity(0, sizeof(before_), &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
    pinned_ = ::sched_setaffinity(0, sizeof(one), &one) == 0;
  }
  ~OneProcessor() {
    if (pinned_) ::sched_setaffinity(0, sizeof(before_), &before_);
  }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
  bool pinned_ = false;
};

std::string& replay_name() {
  static std::string name;
  return name;
}

// A failed schedule and its chooser: its threads stand still in them for ever.
struct Abandoned {
  std::unique_ptr<Search> search;
  std::unique_ptr<Chooser> chooser;
  std::shared_ptr<Schedule> schedule;
};
void keep_for_ever(Abandoned abandoned) {
  static auto* const kept = new std::deque<Abandoned>;
  kept->push_back(std::move(abandoned));
}

std::unique_ptr<Search> search_for(const Options& options) {
  if (replay_name().empty()) return make_search(options);
  auto search = make_replay(replay_name());
  if (!search) {
    std::fprintf(stderr, "--schedule=%s: expected random/N, pct/N.N.N or path/N.N…\n",
                 replay_name().c_str());
    std::exit(2);
  }
  return search;
}

}  // namespace

std::string_view to_string(Failure failure) {
  switch (failure) {
    case Failure::kNone:
      return "no failure";
    case Failure::kCheck:
      return "check failed";
    case Failure::kDeadlock:
      return "deadlock";
    case Failure::kLostWakeUp:
      return "lost wake-up";
    case Failure::kLivelock:
      return "livelock";
    case Failure::kException:
      return "exception";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  out << to_string(outcome.failure) << " after " << outcome.schedules << " schedules";
  if (outcome.complete) out << " (all there are)";
  if (!outcome.failed()) return out;
  return out << ": " << outcome.reason << "\nreplay: --schedule=" << outcome.schedule << "\n"
             << outcome.trace;
}

Outcome explore(const Options& options, const std::function<void(Run&)>& body) {
  const OneProcessor pinned;
  std::unique_ptr<Search> search = search_for(options);
  Outcome outcome;
  std::size_t longest = 0;
  while (outcome.schedules < options.schedules) {
    std::unique_ptr<Chooser> chooser = search->next(longest);
    if (!chooser) break;
    ++outcome.schedules;
    auto schedule = std::make_shared<Schedule>(*chooser, options.max_steps);
    Verdict verdict = schedule->execute(body);
    longest = std::max(longest, verdict.decisions);
    if (verdict.failure == Failure::kNone) continue;
    outcome.failure = verdict.failure;
    outcome.reason = std::move(verdict.reason);
    outcome.trace = std::move(verdict.trace);
    outcome.schedule = chooser->name();
    keep_for_ever({std::move(search), std::move(chooser), std::move(schedule)});
    return outcome;
  }
  outcome.complete = search->complete();
  return outcome;
}

void PlainMutex::lock() {
  auto* scheduler = base::schedule::current();
  if (scheduler == nullptr) return mutex_.lock();
  scheduler->point(Op::kLock, this);
  while (!mutex_.try_lock()) scheduler->park(Op::kLock, this, std::nullopt);
}

void PlainMutex::unlock() {
  mutex_.unlock();
  if (auto* scheduler = base::schedule::current()) scheduler->wake_all(this);
}

void set_replay(std::string schedule) { replay_name() = std::move(schedule); }

}  // namespace clever::explore
