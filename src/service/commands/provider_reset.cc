#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/provider.h"

namespace clever::service {
namespace {

Report done(const std::string& name, std::size_t closed) {
  Report report;
  report.data.set("provider", name.empty() ? Document() : Document(name)).set("closed", closed);
  const std::string whose = name.empty() ? "" : " of " + name;
  report.view = {Prose{{{{closed == 0 ? "no circuit" + whose + " was open"
                                      : counted(closed, "circuit") + whose + " closed",
                          Tone::kGood}}}}};
  return report;
}

base::Result<Report> close_circuits(const storage::DatabaseUrl& url, const Invocation& invocation,
                                    Context& context) {
  const std::string name = invocation.words().empty() ? "" : invocation.words().front();
  const auto engine = open_existing(url, context, Schema::kNewest);
  // Without a database there were no calls.
  if (!engine.ok() && engine.error().code() == base::ErrorCode::kNotFound) return done(name, 0);
  if (!engine.ok()) return engine.error();
  CLEVER_ASSIGN(const std::size_t closed, storage::Circuits(**engine).reset(name, context.stop()));
  return done(name, closed);
}

// Checks the name, so that a typo does not look like success.
base::Result<void> check_provider_name(const Invocation& invocation, Context& context) {
  if (invocation.words().empty()) return {};
  if (invocation.flag("all")) {
    return base::invalid_argument("--all resets every provider: leave out " +
                                  invocation.words().front());
  }
  const std::string& name = invocation.words().front();
  CLEVER_ASSIGN(const provider::ProviderSettings settings, find_providers(context));
  const auto set = looked_at(settings);
  if (set.find(name) || settings.unavailable.contains(name)) return {};
  return no_such_provider(settings, name);
}

base::Result<Report> reset(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_provider_name(invocation, context));
  return with_database(close_circuits, invocation, context);
}

}  // namespace

Command provider_reset_command() {
  return {.name = "reset",
          .summary = "Close open circuits, so that their models can be called again",
          .description =
              "A model that fails several times in a row is not called for a while: its circuit is "
              "open. The circuit closes when a probe succeeds. This command closes it now, for "
              "every process on the database.",
          .positionals = {{.name = "NAME",
                           .summary = "Only this provider's",
                           .required = false,
                           .completes = Completes::kProvider}},
          .options = {{.name = "all", .summary = "Reset every provider, as without NAME"},
                      database_option()},
          .examples = {{"agents provider reset --all", "All of them"},
                       {"agents provider reset openai", "After its outage is over"}},
          .handler = reset};
}

}  // namespace clever::service
