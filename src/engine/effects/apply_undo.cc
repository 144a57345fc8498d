#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/landing.h"
#include "engine/effects/internal/messages.h"

namespace clever::engine::internal {
namespace {

/// Undoes an apply, if none of its files has changed since.
class ApplyUndo final : public BlockingEffect {
 public:
  ApplyUndo(const EffectParts& parts, std::shared_ptr<Messages> messages)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        messages_(std::move(messages)),
        applies_(parts.applies) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    CLEVER_ASSIGN(const apply::Request request,
                  landing_of(*order.plan, workspaces_, *messages_, applies_));
    CLEVER_ASSIGN(const apply::Outcome outcome, apply::undo(request, order.stop));
    plan::UndoCame came{.effect = order.id, .reason = outcome.reason};
    came.undone = outcome.kind != apply::Outcome::Kind::kConstrained;
    if (outcome.commit) came.commit = outcome.commit->to_hex();
    came.projects = commits_of(outcome);
    for (const std::string& sentence : sentences(outcome.moved_on)) {
      came.reason += (came.reason.empty() ? "" : "; ") + sentence;
    }
    return came;
  }

 private:
  Workspaces& workspaces_;
  const std::shared_ptr<Messages> messages_;
  const std::filesystem::path applies_;
};

}  // namespace

std::unique_ptr<Effect> make_apply_undo(const EffectParts& parts,
                                        std::shared_ptr<Messages> messages) {
  return std::make_unique<ApplyUndo>(parts, std::move(messages));
}

}  // namespace clever::engine::internal
