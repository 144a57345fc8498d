#pragma once
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/guarded.h"
#include "worker/job_store.h"

namespace clever::worker::internal {

/// A job store in memory, for tests: the observable behaviour of a queue, without a database.
/// Answers come from an executor, as an engine's come from its own thread. Thread-safe; must
/// outlive its answers.
class ModelStore final : public JobStore {
 public:
  struct Facts {
    std::map<JobId, AttemptNumber> attempts;  // begun so far
    std::deque<JobId> waiting;
    std::set<Lease> running;
    std::set<Lease> released;
    std::set<Lease> cancelled;
    std::map<JobId, int> completed;
    std::vector<Failure> failed;
    std::size_t exchanges = 0;
    std::size_t renewals = 0;
    std::size_t most_settled = 0;
    std::size_t most_claimed = 0;
    int errors_to_come = 0;
    int renewal_errors_to_come = 0;
  };

  explicit ModelStore(base::Executor& executor) : executor_(executor) {}

  void add(std::int64_t id) {
    facts_.with([&](Facts& f) { f.waiting.push_back(JobId{id}); });
  }
  template <class F>
  auto with(F&& f) {
    return facts_.with(std::forward<F>(f));
  }
  /// Wakes subscribers: there may be work, or a job was cancelled.
  void wake() {
    call([](const Watchers& w) { return w.wake; });
  }
  void tell_cancelled() {
    call([](const Watchers& w) { return w.cancelled; });
  }
  [[nodiscard]] bool holds(const Lease& lease) const {
    return facts_.with([&](const Facts& f) { return f.running.contains(lease); });
  }

  void exchange(const std::string&, Settlement settlement, std::optional<Claim> claim,
                Done<Exchanged> done) override {
    auto result = facts_.with([&](Facts& f) -> base::Result<Exchanged> {
      ++f.exchanges;
      if (f.errors_to_come > 0 && f.errors_to_come-- > 0) return base::unavailable("no store");
      Exchanged exchanged;
      settle(f, settlement, exchanged);
      if (claim) take(f, *claim, exchanged);
      return exchanged;
    });
    answer(std::move(done), std::move(result));
  }

  void renew(std::vector<Lease> leases, const Claim&, Done<std::vector<Lost>> done) override {
    auto result = facts_.with([&](Facts& f) -> base::Result<std::vector<Lost>> {
      ++f.renewals;
      if (f.renewal_errors_to_come > 0 && f.renewal_errors_to_come-- > 0) {
        return base::unavailable("no store");
      }
      std::vector<Lost> lost;
      for (const auto& lease : leases) {
        if (f.cancelled.contains(lease)) {
          lost.push_back({lease, LostBecause::kCancelled});
        } else if (!f.running.contains(lease)) {
          lost.push_back({lease, LostBecause::kStale});
        }
      }
      return lost;
    });
    answer(std::move(done), std::move(result));
  }

  [[nodiscard]] std::vector<std::unique_ptr<storage::Subscription>> subscribe(
      const std::string&, std::function<void()> wake, std::function<void()> cancelled) override {
    watchers_.with([&](Watchers& w) { w = {std::move(wake), std::move(cancelled)}; });
    std::vector<std::unique_ptr<storage::Subscription>> result;
    result.push_back(std::make_unique<Unsubscribe>(*this));
    return result;
  }

 private:
  struct Watchers {
    std::function<void()> wake;
    std::function<void()> cancelled;
  };
  class Unsubscribe final : public storage::Subscription {
   public:
    explicit Unsubscribe(ModelStore& store) : store_(store) {}
    ~Unsubscribe() override {
      store_.watchers_.with([](Watchers& w) { w = {}; });
    }

   private:
    ModelStore& store_;
  };

  static void settle(Facts& f, const Settlement& settlement, Exchanged& exchanged) {
    f.most_settled = std::max(f.most_settled, settlement.completed.size());
    const auto settle_one = [&](const Lease& lease, auto&& then) {
      if (f.cancelled.erase(lease) > 0) {
        f.running.erase(lease);
        exchanged.refused.push_back({lease, LostBecause::kCancelled});
      } else if (f.running.erase(lease) > 0) {
        then();
      } else {
        exchanged.refused.push_back({lease, LostBecause::kStale});
      }
    };
    for (const auto& lease : settlement.completed) {
      settle_one(lease, [&] { ++f.completed[lease.id]; });
    }
    for (const auto& failure : settlement.failed) {
      settle_one(failure.lease, [&] { f.failed.push_back(failure); });
    }
    for (const auto& lease : settlement.released) {
      settle_one(lease, [&] {
        f.released.insert(lease);
        f.waiting.push_front(lease.id);
      });
    }
  }

  static void take(Facts& f, const Claim& claim, Exchanged& exchanged) {
    while (!f.waiting.empty() && exchanged.jobs.size() < claim.limit) {
      const JobId id = f.waiting.front();
      f.waiting.pop_front();
      const AttemptNumber attempt{number(f.attempts[id]) + 1};
      f.attempts[id] = attempt;
      Job job;
      job.lease = {id, attempt, std::nullopt};
      f.running.insert(job.lease);
      exchanged.jobs.push_back(std::move(job));
    }
    f.most_claimed = std::max(f.most_claimed, exchanged.jobs.size());
    if (exchanged.jobs.empty()) exchanged.look_again = std::chrono::minutes{1};
  }

  template <class Which>
  void call(Which which) {
    const auto function = watchers_.with([&](const Watchers& w) { return which(w); });
    if (function) function();
  }

  template <class T>
  void answer(Done<T> done, base::Result<T> result) {
    executor_
        .post([done = std::move(done), result = std::move(result)]() mutable {
          done(std::move(result));
        })
        .value();
  }

  base::Executor& executor_;
  base::Guarded<Facts> facts_;
  base::Guarded<Watchers> watchers_;
};

}  // namespace clever::worker::internal
