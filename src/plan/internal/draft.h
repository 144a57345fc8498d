#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/effect_events.h"
#include "model/message.h"
#include "model/phase.h"
#include "model/work_events.h"
#include "plan/command.h"
#include "plan/decide.h"
#include "plan/internal/ids.h"
#include "plan/state.h"

namespace clever::plan {

/// A decision in progress: events one by one, and the plan after them, so that one transition may
/// continue another. Used by one decide(), on its stack. After an impossible event everything else
/// is ignored, and finish() reports it (`internal`).
class Draft {
 public:
  Draft(const State& state, const Circumstances& circumstances)
      : before_(state), after_(state), circumstances_(circumstances) {}

  /// The state after the events so far.
  [[nodiscard]] const State& state() const { return after_; }
  [[nodiscard]] model::Timestamp now() const { return circumstances_.now; }
  [[nodiscard]] bool may_spend() const { return circumstances_.may_spend; }
  /// The most that a model call may cost; none: no limit.
  [[nodiscard]] const std::optional<Circumstances::Left>& left() const {
    return circumstances_.left;
  }
  /// The budget has no room for the next model call.
  void wait_for_money();

  void add(model::Event event);
  template <class T>
  void add(const T& event) {
    add(event.to_event());
  }

  /// Deterministic for the same plan, sequence and order of calls.
  template <class Id>
  [[nodiscard]] Id make_id() {
    return Id(next_ulid());
  }

  void move(model::Phase phase, model::PlanState state, std::string reason = {},
            std::string waits_for = {});
  /// Moves within its phase.
  void move(model::PlanState state, std::string reason = {}, std::string waits_for = {});

  model::EffectId request(EffectKind kind, std::string data = "{}");
  void request(const model::EffectId& id, EffectKind kind, std::string data);
  /// Settles the effect and its reservation. `outcome`: "done", "failed", "cancelled"; "unknown" if
  /// a person must decide; "abandoned" if its cost is unknown: the reservation stays until a person
  /// releases it.
  void settle(const model::EffectId& id, std::string outcome, const model::Cost& spent = {});

  /// Adds a message to the conversation; returns the hash of its body.
  base::Sha256Digest say(const model::Message& message, model::MessageWhy why);
  /// Adds a text with the user's role.
  void say(std::string text, model::MessageWhy why);
  base::Sha256Digest keep(const model::Message& message, std::int64_t& bytes);
  base::Sha256Digest keep(std::string content);
  /// Starts the conversation anew.
  void forget_conversation();

  void send(const model::PlanId& plan, std::string key, const Command& command);

  /// Returns the whole decision, including the message to a parent if a subplan ended or came to
  /// rest. `receipt`: members of a JSON object beside phase and state ("\"x\":1").
  [[nodiscard]] base::Result<Decided> finish(std::string_view receipt = {});
  /// With this receipt.
  [[nodiscard]] base::Result<Decided> finish_with(std::string receipt);

 private:
  [[nodiscard]] base::Ulid next_ulid();
  void tell_parent();

  const State& before_;
  State after_;
  Circumstances circumstances_;
  Decided decided_;
  std::uint64_t ids_ = 0;
  std::optional<base::Error> failure_;
};

/// Whether a subplan has ended, which is reported to its parent once.
[[nodiscard]] bool has_ended(const State& state);

}  // namespace clever::plan
