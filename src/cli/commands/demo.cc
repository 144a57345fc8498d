#include "cli/build_facts.h"
#include "cli/commands/commands.h"
#include "cli/commands/provider.h"
#include "cli/context.h"
#include "config/settings.h"
#include "provider/discovery.h"

namespace clever::cli {
namespace {

constexpr std::string_view kMissing =
    "The engine that plans and executes is not part of this version yet: no model is called.";

Span shown_providers(const std::vector<std::string>& names) {
  if (names.empty()) return {"none found in the environment", Tone::kWarn};
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return {std::move(text), Tone::kGood};
}

base::Result<std::vector<std::string>> provider_names(Context& context) {
  const auto found = provider::discover(context.environment(), *context.settings());
  if (!found.ok()) return blame_file(found.error());
  std::vector<std::string> names;
  for (const auto& config : found->providers) names.push_back(config.endpoint.provider);
  return names;
}

base::Result<Report> demo(const Invocation&, Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  const std::string model = settings->text("model.default");
  CLEVER_ASSIGN(const auto providers, provider_names(context));
  const BuildFacts facts = build_facts();
  Report report;
  report.data.set("version", facts.version)
      .set("model", model.empty() ? Document() : Document(model))
      .set("providers", texts(providers))
      .set("home", context.home().string())
      .set("engine", false);
  report.view = {
      Prose{{{{"CleverAgents ", Tone::kStrong}, {std::string(facts.version), Tone::kAccent}}}},
      Fields{"",
             {{"model", model.empty() ? Span{"not set", Tone::kWarn} : Span{model, Tone::kGood}},
              {"providers", shown_providers(providers)},
              {"home", {context.home().string()}}}},
      Prose{
          {{{std::string(kMissing)}},
           {{"`agents diagnostics` shows what this machine offers, `agents --help` what there is.",
             Tone::kDim}}}}};
  return report;
}

}  // namespace

Command demo_command() {
  return {.name = "demo",
          .summary = "Show what is set up and what is not there yet",
          .examples = {{"agents demo", "The version, the model and the providers found"}},
          .handler = demo};
}

}  // namespace clever::cli
