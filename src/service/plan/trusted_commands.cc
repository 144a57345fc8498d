#include "service/plan/trusted_commands.h"

#include "engine/actor/tool_actor.h"
#include "engine/offer/project_commands.h"
#include "io/file.h"

namespace clever::service {

base::Result<ProjectTrust> project_trust(const Context& context, const config::Settings& settings,
                                         const std::filesystem::path& project) {
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  ProjectTrust found{
      .offer = engine::find_offer(settings, {.home = context.home(), .project = project})};
  found.commands = engine::project_commands(settings, found.offer, project);
  found.untrusted = trust.untrusted(project, found.commands);
  return found;
}

std::vector<std::string> unused_actors(const Context& context,
                                       const std::filesystem::path& project) {
  const std::filesystem::path folder = project / ".cleveragents" / "actors";
  // The home folder's .cleveragents holds the user's own actors.
  if (io::same_file(folder.parent_path(), context.home())) return {};
  const auto catalog = engine::ActorCatalog::load({folder});
  if (!catalog.ok()) return {catalog.error().sentence()};
  std::vector<std::string> sentences;
  for (const engine::Actor& actor : catalog->all()) {
    if (actor.place.empty()) continue;
    sentences.push_back("the actor " + actor.name +
                        " of this project is not used: actors are yours "
                        "alone; look at " +
                        actor.place + ", then `agents actor add` makes it yours");
  }
  return sentences;
}

base::Result<engine::Offer> trusted_offer(const Context& context, const config::Settings& settings,
                                          const std::filesystem::path& project) {
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  CLEVER_ASSIGN(ProjectTrust found, project_trust(context, settings, project));
  std::vector<std::string>& problems = found.offer.problems;
  if (!found.untrusted.empty()) {
    problems.insert(problems.begin(), engine::untrusted_sentence(found.untrusted.size()));
  }
  return engine::trusted_only(std::move(found.offer), project, trust);
}

base::Result<std::string> trusted_setup(const Context& context, const config::Settings& settings,
                                        const std::filesystem::path& project) {
  const auto commands = engine::setup_command_of(settings);
  if (commands.empty()) return settings.text("sandbox.setup");
  CLEVER_ASSIGN(const engine::TrustStore trust, engine::TrustStore::open(context.home()));
  return trust.trusts(project, commands) ? settings.text("sandbox.setup") : std::string();
}

}  // namespace clever::service
