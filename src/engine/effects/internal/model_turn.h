#pragma once
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/stop_token.h"
#include "engine/effects/internal/effect_job.h"
#include "engine/effects/internal/messages.h"
#include "engine/effects/internal/shown_answer.h"
#include "engine/effects/project_parts.h"
#include "engine/withhold.h"
#include "provider/model_client.h"
#include "provider/registry.h"
#include "storage/engine.h"
#include "tool/registry.h"

namespace clever::engine::internal {

/// The tools that a model is shown, and their project, which stays open as long as they may be
/// looked at.
struct ShownTools {
  std::shared_ptr<const ProjectParts> project{};
  std::shared_ptr<const tool::ToolSnapshot> snapshot{};
};

/// One call of a model for one effect, from its start to the command that brings the answer back.
/// Holds no thread while the model works: it is moved by the call's own events, and ends when the
/// call does. Kept alive by the call.
class ModelTurn final : public provider::CallSink, public std::enable_shared_from_this<ModelTurn> {
 public:
  struct Parts {
    provider::ModelClient& models;
    const provider::ProviderRegistry& providers;
    storage::Engine& database;
    base::Clock& clock;
    /// Where the answer is remembered, if anywhere.
    std::shared_ptr<Messages> messages{};
    /// Withheld from what is shown and kept of the answer; may be null.
    const base::Secrets* secrets = nullptr;
  };
  /// `shown` is the snapshot of what the model sees of the project.
  ModelTurn(const Parts& parts, std::shared_ptr<EffectJob> job, ShownTools tools,
            std::string shown = {})
      : parts_(parts),
        job_(std::move(job)),
        shown_(std::move(shown)),
        tools_(std::move(tools)),
        shown_answer_(job_->order().observer, job_->plan().id, parts.secrets) {}

  void start(provider::ModelRequest request);

  void on_wait(const std::string& model, const provider::Wait& wait) override;
  void on_delta(const provider::Delta& delta) override;
  void on_restart() override;
  void on_end(provider::CallEnd end) override;

 private:
  struct Way {
    bool has_ended = false;
    std::shared_ptr<provider::Call> call{};
    std::unique_ptr<base::StopCallback> on_stop{};
  };
  void cancel();
  void withhold(provider::CallEnd& end) const;
  void record(const provider::CallEnd& end, const std::optional<model::Microdollars>& cost,
              plan::Command outcome);
  [[nodiscard]] plan::Command outcome_of(provider::CallEnd& end, const model::Cost& spent) const;
  [[nodiscard]] plan::Command answered(provider::ModelAnswer& answer,
                                       const provider::CallTrace& trace,
                                       const model::Cost& spent) const;
  [[nodiscard]] plan::CallClass class_of(const model::ToolCall& call) const;
  [[nodiscard]] plan::CallVerdict verdict_on(const model::ToolCall& call) const;
  void judge_calls(plan::Answered& result, const WithheldAnswer& withheld) const;
  [[nodiscard]] model::Cost reserved() const;

  // Constant once started.
  const Parts parts_;
  const std::shared_ptr<EffectJob> job_;
  const std::string shown_;
  /// The request without its words: for the trace.
  provider::ModelRequest shape_{};

  // The call's: touched by its events, which come one after the other.
  ShownTools tools_;
  ShownAnswer shown_answer_;

  base::Guarded<Way> way_;
};

}  // namespace clever::engine::internal
