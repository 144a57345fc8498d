#include "engine/effects/effects.h"

#include <map>
#include <optional>
#include <utility>

#include "base/monitor.h"
#include "engine/effects/internal/kinds.h"
#include "engine/withhold.h"

namespace clever::engine {
namespace {

constexpr std::size_t kModelMessageBytes = std::size_t{32} << 20U;

// Tracks the running effects, to stop and await all of them.
class Effects final : public EffectRunner {
 public:
  explicit Effects(const EffectParts& parts)
      : secrets_(parts.secrets),
        messages_(std::make_shared<internal::Messages>(parts.store, kModelMessageBytes)) {
    using plan::EffectKind;
    kinds_.emplace(EffectKind::kBase, internal::make_base_take(parts));
    kinds_.emplace(EffectKind::kModel, internal::make_model_call(parts, messages_));
    kinds_.emplace(EffectKind::kTools, internal::make_tools_run(parts, messages_));
    kinds_.emplace(EffectKind::kActorStrategize, internal::make_actor_strategize(parts));
    kinds_.emplace(EffectKind::kActorWork, internal::make_actor_work(parts));
    kinds_.emplace(EffectKind::kMerge, internal::make_children_merge(parts));
    kinds_.emplace(EffectKind::kValidate, internal::make_validations_run(parts));
    kinds_.emplace(EffectKind::kChoose, internal::make_changes_choose(parts));
    kinds_.emplace(EffectKind::kSeal, internal::make_changes_seal(parts));
    kinds_.emplace(EffectKind::kApply, internal::make_apply_run(parts, messages_));
    kinds_.emplace(EffectKind::kUndo, internal::make_apply_undo(parts, messages_));
  }

  ~Effects() override {
    const auto running = live_.update([](Live& live) {
      live.is_closing = true;
      return live.stops;
    });
    for (const auto& [number, stop] : running) stop->request_stop();
    (void)live_.wait({}, base::Deadline::never(),
                     [](const Live& live) { return live.stops.empty(); });
  }

  void start(EffectOrder order, Done done) override {
    const auto stop = std::make_shared<base::StopSource>(order.stop);
    const auto number = enter(stop);
    const auto kind = kinds_.find(order.kind);
    if (!number || kind == kinds_.end()) {
      if (number) leave(*number);
      return done(refusal(order, number.has_value()));
    }
    order.stop = stop->token();
    kind->second->start(std::make_shared<internal::EffectJob>(
        std::move(order),
        [this, number = *number, done = std::move(done)](plan::Command outcome) mutable {
          if (secrets_ != nullptr) withhold_from_command(outcome, *secrets_);
          done(std::move(outcome));
          leave(number);
        }));
  }

 private:
  struct Live {
    bool is_closing = false;
    std::uint64_t last = 0;
    std::map<std::uint64_t, std::shared_ptr<base::StopSource>> stops{};
  };

  static plan::Command refusal(const EffectOrder& order, bool is_open) {
    if (!is_open) return plan::EffectStopped{.effect = order.id};
    return plan::RecordError{
        .effect = order.id,
        .message = std::string(to_string(order.kind)) + " is no effect that can be run here"};
  }

  std::optional<std::uint64_t> enter(const std::shared_ptr<base::StopSource>& stop) {
    return live_.update([&](Live& live) -> std::optional<std::uint64_t> {
      if (live.is_closing) return std::nullopt;
      live.stops.emplace(++live.last, stop);
      return live.last;
    });
  }

  // An effect's last access. Releases the stop without the lock, because that may wait for a
  // callback.
  void leave(std::uint64_t number) {
    const auto stop = live_.update([&](Live& live) {
      const auto node = live.stops.extract(number);
      return node.mapped();
    });
  }

  const base::Secrets* const secrets_;
  const std::shared_ptr<internal::Messages> messages_;
  base::Monitor<Live> live_;
  std::map<plan::EffectKind, std::unique_ptr<internal::Effect>> kinds_;
};

}  // namespace

std::unique_ptr<EffectRunner> make_effects(EffectParts parts) {
  return std::make_unique<Effects>(parts);
}

}  // namespace clever::engine
