#pragma once
// Private to the module.
#include <memory>

#include "base/result.h"
#include "engine/actor/tool_actor.h"
#include "engine/runtime.h"
#include "plan/command.h"
#include "provider/provider_set.h"
#include "service/context.h"
#include "service/plan/workplace.h"

namespace clever::service {

/// A command that records plans with a server's engine (PlanRecorder): it reads the actors and the
/// prices for itself, and opens nothing. Used by one thread; the runtime and the context outlive
/// it.
class Recording {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<Recording>> open(
      engine::Runtime& runtime, const WorkplaceOptions& options, Context& context);

  [[nodiscard]] engine::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] PlanParts parts() const;
  /// Masks the secrets that this command knows, and refuses settings that hold one.
  [[nodiscard]] base::Result<plan::Create> without_secrets(plan::Create command) const;

 private:
  Recording(engine::Runtime& runtime, engine::ActorCatalog actors, provider::ProviderSet providers,
            const Context& context);

  // Constant after construction.
  engine::Runtime& runtime_;
  const engine::ActorCatalog actors_;
  const provider::ProviderSet providers_;
  const Context& context_;
};

}  // namespace clever::service
