#include "worker/internal/worker_state.h"

#include <algorithm>

namespace clever::worker::internal {
namespace {

constexpr int kRenewalsPerLease = 3;
constexpr std::chrono::milliseconds kSoon{20};
constexpr std::size_t kMostExchanges = 2;

void stop_all(const auto& jobs) {
  for (const auto& job : jobs) job->stop.request_stop();
}

}  // namespace

WorkerState::WorkerState(JobStore& store, base::Executor& executor, base::TimerQueue& timers,
                         base::Clock& clock, AsyncWorker::Handler handler,
                         AsyncWorker::Options options)
    : store_(store),
      executor_(executor),
      timers_(timers),
      clock_(clock),
      handler_(std::move(handler)),
      options_(std::move(options)) {}

// ---- What is to be done -------------------------------------------------------------------------

void WorkerState::wake() {
  state_.update([](State& s) {
    s.may_have_work = true;
    s.nearly_empty = false;
  });
  go_on();
}

void WorkerState::go_on() {
  auto step = std::make_unique<Step>();
  state_.update([&](State& s) {
    take_jobs(s, *step);
    take_exchange(s, *step);
  });
  // First what other threads could use meanwhile.
  if (step->exchange) {
    exchange({{}, true, std::move(step->settlement), std::move(step->claim)});
  }
  for (const auto& go : step->returning) go();
  for (const auto& job : step->jobs) post(job);
}

void WorkerState::take_jobs(State& state, Step& step) const {
  while (!state.returning.empty() && state.posted < options_.parallel) {
    auto [lease, go] = std::move(state.returning.front());
    state.returning.pop_front();
    // Unless it asked twice.
    if (state.waiting.erase(lease) != 0) ++state.posted;
    step.returning.push_back(std::move(go));
  }
  while (!state.buffer.empty() && state.posted < options_.parallel) {
    auto job = std::move(state.buffer.front());
    state.buffer.pop_front();
    if (!holds(state, job)) continue;
    ++state.posted;
    job->posted = true;
    step.jobs.push_back(std::move(job));
  }
}

void WorkerState::take_exchange(State& state, Step& step) const {
  if (state.paused) return;
  // A claim that will find nothing can wait for an ending that must be written anyway.
  const bool later = state.nearly_empty && state.ended.empty() && !state.held.empty();
  const std::size_t wanted = state.may_have_work && !state.stopping && !later ? room(state) : 0;
  if (wanted == 0 && state.ended.empty()) return;
  const bool large = std::max(wanted, state.ended.completed.size()) * 4 >= options_.buffer;
  if (state.exchanges >= (large ? kMostExchanges : 1)) return;
  step.exchange = true;
  ++state.exchanges;
  state.claiming += wanted;
  step.settlement = std::exchange(state.ended, {});
  if (wanted == 0) return;
  step.claim = claim(wanted);
  step.claim->thorough = std::exchange(state.nearly_empty, false) || options_.fair;
  // A wake-up from now on may concern a job that this claim does not see.
  state.may_have_work = false;
}

// Avoids many small claims: waits until a good part of the buffer is free, or the buffer is nearly
// used up.
std::size_t WorkerState::room(const State& state) const {
  const std::size_t in_slots =
      state.held.size() - std::min(state.held.size(), state.waiting.size());
  const std::size_t held = std::max(in_slots, state.posted + state.buffer.size());
  const std::size_t taken = held + state.claiming;
  if (taken >= options_.buffer) return 0;
  const std::size_t room = options_.buffer - taken;
  const bool low = state.buffer.size() + state.claiming < options_.parallel;
  return low || room * 2 >= options_.buffer ? room : 0;
}

Claim WorkerState::claim(std::size_t limit) const {
  return {options_.queue, limit, options_.owner, options_.lease};
}

bool WorkerState::holds(const State& state, const HeldJob& job) {
  const auto found = state.held.find(job->job.lease.id);
  return found != state.held.end() && found->second == job;
}

bool WorkerState::drained(const State& s) {
  return s.stopping && s.held.empty() && s.posted == 0 && s.waiting.empty() && s.ended.empty() &&
         s.exchanges == 0 && !s.renewing;
}

// ---- The store ----------------------------------------------------------------------------------

void WorkerState::exchange(Step step) {
  const auto began = clock_.now();
  const std::size_t wanted = step.claim ? step.claim->limit : 0;
  auto settlement = step.settlement;
  store_.exchange(options_.queue, std::move(step.settlement), std::move(step.claim),
                  [self = shared_from_this(), settlement = std::move(settlement), wanted,
                   began](base::Result<Exchanged> result) {
                    self->exchanged(settlement, wanted, began, std::move(result));
                  });
}

void WorkerState::exchanged(const Settlement& settlement, std::size_t wanted, base::TimePoint began,
                            base::Result<Exchanged> result) {
  state_.update([&](State& s) {
    --s.exchanges;
    s.claiming -= wanted;
    if (!result) return try_again(s, settlement);
    if (!result->jobs.empty()) {
      // Fewer jobs than wanted: unless a wake-up comes, none are left.
      s.nearly_empty = !s.may_have_work && result->jobs.size() < wanted;
      if (s.nearly_empty && !s.stopping) s.look_again = after(kSoon, &WorkerState::wake);
      s.may_have_work = true;
      keep(s, std::move(result->jobs), began);
    } else if (result->look_again && !s.stopping) {
      s.look_again = after(*result->look_again, &WorkerState::wake);
    }
  });
  go_on();
}

void WorkerState::keep(State& state, std::vector<Job> jobs, base::TimePoint began) const {
  for (auto& job : jobs) {
    const Lease lease = job.lease;
    if (state.stopping) {
      state.ended.released.push_back(lease);
      continue;
    }
    auto held = std::make_shared<Held>();
    held->job = std::move(job);
    held->valid_until = began + options_.lease;
    state.held[lease.id] = held;
    state.buffer.push_back(std::move(held));
  }
}

void WorkerState::try_again(State& state, const Settlement& settlement) {
  state.may_have_work = true;
  if (state.giving_up) {
    state.ended = {};
    return;
  }
  std::ranges::copy(settlement.completed, std::back_inserter(state.ended.completed));
  std::ranges::copy(settlement.failed, std::back_inserter(state.ended.failed));
  std::ranges::copy(settlement.released, std::back_inserter(state.ended.released));
  state.paused = true;
  state.look_again = after(options_.pause, &WorkerState::resume);
}

void WorkerState::resume() {
  state_.update([](State& s) { s.paused = false; });
  go_on();
}

// ---- The jobs -----------------------------------------------------------------------------------

void WorkerState::post(const HeldJob& job) {
  if (executor_.post([self = shared_from_this(), job] { self->run(job); })) return;
  const bool stopping = state_.update([&](State& s) {
    if (s.stopping) {
      give_back(s, job);
      return true;
    }
    --s.posted;
    job->posted = false;
    s.buffer.push_front(job);
    s.look_again = after(options_.pause, &WorkerState::resume);
    return false;
  });
  if (stopping) go_on();
}

// A job that was posted and will not begin.
void WorkerState::give_back(State& state, const HeldJob& job) {
  const Lease& lease = job->job.lease;
  --state.posted;
  if (holds(state, job)) {
    state.held.erase(lease.id);
    state.ended.released.push_back(lease);
  } else if (state.cancelled.erase(lease) > 0) {
    state.ended.released.push_back(lease);
  }
}

void WorkerState::run(const HeldJob& job) {
  const bool begins = state_.update([&](State& s) {
    if (holds(s, job) && !s.stopping) return true;
    give_back(s, job);
    return false;
  });
  if (!begins) return go_on();
  handler_(job->job, job->stop.token(), Finish(shared_from_this(), job->job.lease));
}

void WorkerState::leave(State& state, const Lease& lease) {
  if (state.waiting.erase(lease) == 0) {
    --state.posted;
  } else {
    std::erase_if(state.returning, [&](const auto& one) { return one.first == lease; });
  }
}

void WorkerState::ended(const Lease& lease, std::optional<Failure> failure) {
  state_.update([&](State& s) {
    leave(s, lease);
    // The store drops a cancelled job when its attempt is settled in any way.
    if (s.cancelled.erase(lease) > 0) s.ended.released.push_back(lease);
    const auto found = s.held.find(lease.id);
    if (found == s.held.end() || found->second->job.lease != lease) return;
    s.held.erase(found);
    if (failure) {
      s.ended.failed.push_back(*std::move(failure));
    } else {
      s.ended.completed.push_back(lease);
    }
  });
  go_on();
}

void WorkerState::gave_back(const Lease& lease) {
  state_.update([&](State& s) {
    leave(s, lease);
    if (s.cancelled.erase(lease) > 0) s.ended.released.push_back(lease);
    const auto found = s.held.find(lease.id);
    if (found == s.held.end() || found->second->job.lease != lease) return;
    s.held.erase(found);
    s.ended.released.push_back(lease);
  });
  go_on();
}

bool WorkerState::give_up_slot(const Lease& lease) {
  const bool given = state_.update([&](State& s) {
    const auto found = s.held.find(lease.id);
    if (found == s.held.end() || found->second->job.lease != lease) return false;
    if (s.waiting.size() >= options_.waiting || !s.waiting.insert(lease).second) return false;
    --s.posted;
    return true;
  });
  if (given) go_on();
  return given;
}

void WorkerState::take_slot_again(const Lease& lease, std::function<void()> go) {
  state_.update([&](State& s) { s.returning.emplace_back(lease, std::move(go)); });
  go_on();
}

// ---- Leases -------------------------------------------------------------------------------------

void WorkerState::renew() {
  std::vector<Lease> leases;
  const bool go = state_.update([&](State& s) {
    if (s.renewing || (s.stopping && s.held.empty())) return false;
    for (const auto& [id, held] : s.held) leases.push_back(held->job.lease);
    s.renewing = !leases.empty();
    if (!s.renewing) {
      s.next_renewal = after(options_.lease / kRenewalsPerLease, &WorkerState::renew);
    }
    return s.renewing;
  });
  if (!go) return;
  const auto began = clock_.now();
  auto asked = leases;
  store_.renew(std::move(asked), claim(0),
               [self = shared_from_this(), leases = std::move(leases), began](auto result) {
                 self->renewed(leases, began, std::move(result));
               });
}

void WorkerState::renewed(const std::vector<Lease>& leases, base::TimePoint began,
                          base::Result<std::vector<Lost>> result) {
  std::vector<HeldJob> lost;
  state_.update([&](State& s) {
    s.renewing = false;
    if (result) {
      lost = lose(s, *result);
      for (const auto& lease : leases) {
        const auto found = s.held.find(lease.id);
        if (found != s.held.end()) found->second->valid_until = began + options_.lease;
      }
    } else {
      lost = lose_outdated(s);
    }
    const auto delay = result ? options_.lease / kRenewalsPerLease : options_.pause;
    if (!s.stopping || !s.held.empty()) s.next_renewal = after(delay, &WorkerState::renew);
  });
  stop_all(lost);
  go_on();
}

std::vector<WorkerState::HeldJob> WorkerState::lose(State& state,
                                                    const std::vector<Lost>& lost) const {
  std::vector<HeldJob> jobs;
  for (const auto& one : lost) {
    const auto found = state.held.find(one.lease.id);
    if (found == state.held.end() || found->second->job.lease != one.lease) continue;
    if (one.why == LostBecause::kCancelled) {
      if (found->second->posted) {
        state.cancelled.insert(one.lease);
      } else {
        state.ended.released.push_back(one.lease);
      }
    }
    jobs.push_back(found->second);
    state.held.erase(found);
  }
  return jobs;
}

std::vector<WorkerState::HeldJob> WorkerState::lose_outdated(State& state) const {
  const auto now = clock_.now();
  std::vector<Lost> outdated;
  for (const auto& [id, held] : state.held) {
    if (held->valid_until <= now) outdated.push_back({held->job.lease, LostBecause::kStale});
  }
  return lose(state, outdated);
}

// ---- The end ------------------------------------------------------------------------------------

void WorkerState::stop_claiming() {
  state_.update([](State& s) {
    s.stopping = true;
    for (const auto& job : std::exchange(s.buffer, {})) {
      if (!holds(s, job)) continue;
      s.held.erase(job->job.lease.id);
      s.ended.released.push_back(job->job.lease);
    }
  });
  go_on();
}

void WorkerState::stop_running() {
  std::vector<HeldJob> jobs;
  state_.update([&](State& s) {
    s.giving_up = true;
    s.paused = false;
    for (const auto& [id, held] : s.held) jobs.push_back(held);
  });
  stop_all(jobs);
  go_on();
}

base::Result<void> WorkerState::wait_until_drained(const base::StopToken& stop,
                                                   base::Deadline deadline) {
  return state_.wait(stop, deadline, [](const State& s) { return drained(s); });
}

void WorkerState::drop_timers() {
  state_.update([](State& s) {
    s.look_again = {};
    s.next_renewal = {};
  });
}

base::Timer WorkerState::after(std::chrono::microseconds delay, void (WorkerState::*what)()) {
  auto timer = timers_.after(delay, executor_, [weak = weak_from_this(), what] {
    if (const auto self = weak.lock()) (self.get()->*what)();
  });
  // Too many timers: the next wake-up does the work.
  return timer ? *std::move(timer) : base::Timer();
}

}  // namespace clever::worker::internal
