#include "service/plan/recording.h"

#include <utility>

#include "engine/agents/login_copies.h"
#include "engine/effects/effects.h"
#include "engine/withhold.h"
#include "io/environment.h"
#include "service/commands/provider.h"

namespace clever::service {

Recording::Recording(engine::Runtime& runtime, engine::ActorCatalog actors,
                     provider::ProviderSet providers, const Context& context)
    : runtime_(runtime),
      actors_(std::move(actors)),
      providers_(std::move(providers)),
      context_(context) {}

base::Result<std::unique_ptr<Recording>> Recording::open(engine::Runtime& runtime,
                                                         const WorkplaceOptions& options,
                                                         Context& context) {
  CLEVER_ASSIGN(const provider::ProviderSettings providers, usable_providers(options, context));
  CLEVER_ASSIGN(auto actors, engine::ActorCatalog::load({context.home() / "actors"}));
  for (const engine::Actor& actor : actors.all()) {
    engine::learn_logins(io::user_home(context.environment()), actor.program.logins,
                         [&](const std::string& secret) { context.redactor().add(secret); });
  }
  return std::unique_ptr<Recording>(
      new Recording(runtime, std::move(actors), looked_at(providers), context));
}

PlanParts Recording::parts() const {
  return {actors_, [this](const std::string& model) { return engine::terms_of(providers_, model); },
          runtime_.store()};
}

base::Result<plan::Create> Recording::without_secrets(plan::Create command) const {
  const base::Secrets& secrets = context_.redactor().secrets();
  CLEVER_TRY(engine::refuse_secrets(command.settings, secrets));
  plan::Command masked(std::move(command));
  engine::withhold_from_command(masked, secrets);
  return std::get<plan::Create>(std::move(masked));
}

}  // namespace clever::service
