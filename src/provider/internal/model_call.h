#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "provider/backend.h"
#include "provider/governor/governor.h"
#include "provider/governor/lane.h"
#include "provider/model_client.h"
#include "provider/provider_set.h"
#include "provider/retry_policy.h"

namespace clever::provider {

/// One call in progress: from its chain of models through lanes and attempts to its end.
///
///     state     event                             next
///     –         start()                           queued; ended if there is no model
///     queued    place                             running; ended if cancelled meanwhile
///     queued    patience over, cancelled          ended
///     queued    the provider is down              queued, on the next model
///     running   answered                          ended
///     running   failed, the policy says again     queued, before the others of its plan
///     running   failed, the policy says next      queued on the next model; ended if none
///     running   failed else                       ended
///
/// At any time either the lane or the attempt holds the call's next step, so state that only the
/// steps touch needs no lock; only cancel() comes from other threads. Thread-safe in that sense.
/// The holder of its next step keeps it alive.
class ModelCall final : public PlaceWaiter, public std::enable_shared_from_this<ModelCall> {
 public:
  ModelCall(CallRequest request, std::shared_ptr<CallSink> sink, Governor& governor,
            base::Clock& clock);

  void start(const ProviderSet& providers);
  void cancel();

  void on_place() override;
  void on_withdrawn(Withdrawal why) override;
  void on_wait(const Wait& wait) override;

 private:
  class Follower;
  /// A model of the chain.
  struct Link {
    ResolvedModel model;
    std::string name;
    bool ruled_out = false;  // it failed for good, or lacks a needed capability
  };
  struct Control {
    bool cancelled = false;
    bool running = false;
    Ticket ticket{};
    std::shared_ptr<Lane> lane{};
    std::shared_ptr<Attempt> attempt{};
  };

  // Steps.
  bool find_models(const ProviderSet& providers);
  void rule_out_incapable();
  void enter_lane(bool again);
  void run_attempt();
  void finish_attempt(AttemptEnd end);
  void settle(const AttemptEnd& end);
  void follow_failure(const Failure& failure);
  bool turn_to_next(const std::string& reason);
  void turn_from_unavailable();
  void move_to(std::size_t index, const std::string& reason);
  void give_up(const std::string& why);
  [[nodiscard]] std::string impatience() const;
  void end_cancelled();
  void end(std::variant<ModelAnswer, Failure> result);

  [[nodiscard]] PlaceRequest place_request(bool again);
  [[nodiscard]] std::optional<std::size_t> next_link(std::size_t after) const;
  [[nodiscard]] std::size_t soonest_link() const;
  [[nodiscard]] std::string skipped_text(std::size_t from, std::size_t to) const;
  [[nodiscard]] const Link& link() const { return chain_[current_]; }
  [[nodiscard]] base::Duration elapsed() const { return clock_.now() - started_; }

  // Constant after construction.
  const CallRequest request_;
  const std::shared_ptr<CallSink> sink_;
  Governor& governor_;
  base::Clock& clock_;
  const base::TimePoint started_;
  const base::TimePoint patience_ends_;
  const TokenCount tokens_;
  const Capabilities needed_;

  // Owned by the present step.
  std::vector<Link> chain_;
  std::size_t current_ = 0;
  std::shared_ptr<Lane> lane_;
  Ticket ticket_{};
  RetryPolicy policy_;
  CallTrace trace_;
  std::optional<Failure> last_failure_;
  std::optional<base::TimePoint> announced_;
  bool shown_ = false;
  bool began_ = false;
  // All models are down: it waits for this one.
  bool settled_for_ = false;

  base::Guarded<Control> control_;
};

}  // namespace clever::provider
