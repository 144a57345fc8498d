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

/// What is being decided: events one after another, and the plan as they leave it, so that a
/// transition may go on where another ended. Used by one decide(), on its stack. Should an event
/// turn out to be impossible, all that follows is ignored and finish() says so (`internal`).
class Draft {
 public:
  Draft(const State& state, const Circumstances& circumstances)
      : before_(state), after_(state), circumstances_(circumstances) {}

  /// As the events so far leave it.
  [[nodiscard]] const State& state() const { return after_; }
  [[nodiscard]] model::Timestamp now() const { return circumstances_.now; }
  [[nodiscard]] bool may_spend() const { return circumstances_.may_spend; }
  /// What a model call may cost at most; none: as much as it needs.
  [[nodiscard]] const std::optional<Circumstances::Left>& left() const {
    return circumstances_.left;
  }
  /// There is no room in the budget for the next model call.
  void wait_for_money();

  void add(model::Event event);
  template <class T>
  void add(const T& event) {
    add(event.to_event());
  }

  /// The same for the same plan, sequence and order of asking.
  template <class Id>
  [[nodiscard]] Id make_id() {
    return Id(next_ulid());
  }

  void move(model::Phase phase, model::PlanState state, std::string reason = {},
            std::string waits_for = {});
  /// Within its phase.
  void move(model::PlanState state, std::string reason = {}, std::string waits_for = {});

  model::EffectId request(EffectKind kind, std::string data = "{}");
  void request(const model::EffectId& id, EffectKind kind, std::string data);
  /// And what was reserved for it. `outcome`: "done", "failed", "cancelled"; "unknown", if a person
  /// is to say; "abandoned", if nobody knows what it cost: its reservation stays until a person
  /// releases it.
  void settle(const model::EffectId& id, std::string outcome, const model::Cost& spent = {});

  /// Joins the conversation; the hash of its body.
  base::Sha256Digest say(const model::Message& message, model::MessageWhy why);
  /// A text of the user's role.
  void say(std::string text, model::MessageWhy why);
  base::Sha256Digest keep(const model::Message& message, std::int64_t& bytes);
  base::Sha256Digest keep(std::string content);
  /// The conversation begins anew.
  void forget_conversation();

  void send(const model::PlanId& plan, std::string key, const Command& command);

  /// All of it, with what a subplan's end or rest means to its parent. `receipt`: members of a JSON
  /// object beside phase and state ("\"x\":1").
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

/// Whether a subplan has come to its end, of which its parent is told once.
[[nodiscard]] bool has_ended(const State& state);

}  // namespace clever::plan
