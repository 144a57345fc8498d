#include "base/text.h"
#include "service/commands/commands.h"
#include "service/commands/provider.h"
#include "service/commands/shown_providers.h"
#include "service/text.h"

namespace clever::service {
namespace {

using provider::ProviderConfig;
using provider::ProviderSettings;
using Circuits = std::vector<storage::CircuitRecord>;

std::vector<std::string> open_models(const Circuits& circuits, const std::string& name) {
  std::vector<std::string> models;
  for (const auto& circuit : circuits) {
    if (circuit.provider == name) models.push_back(circuit.model);
  }
  return models;
}

Span shown_circuit(const std::vector<std::string>& models) {
  if (models.empty()) return {"closed", Tone::kGood};
  return {"open: " + base::joined(models), Tone::kBad};
}

Document provider_data(const ProviderConfig& config, const Circuits& circuits) {
  const std::string& name = config.endpoint.provider;
  return Document::map()
      .set("name", name)
      .set("wire", to_string(config.endpoint.wire))
      .set("base_url", config.endpoint.base_url)
      .set("key_from", config.key_variable.empty() ? Document() : Document(config.key_variable))
      .set("default_model",
           config.default_model.empty() ? Document() : Document(name + "/" + config.default_model))
      .set("models", Document::texts(config.models))
      .set("local", config.endpoint.local)
      .set("limits", limits_data(config.limits))
      .set("open_circuits", Document::texts(open_models(circuits, name)));
}

std::vector<Span> row_of(const ProviderConfig& config, const Circuits& circuits) {
  const std::string limits = shown_limits(config.limits);
  return {{config.endpoint.provider, Tone::kAccent},
          {std::string(to_string(config.endpoint.wire))},
          {config.endpoint.base_url},
          {shown_key(config), config.key_variable.empty() ? Tone::kDim : Tone::kGood},
          config.default_model.empty() ? Span{"-", Tone::kDim} : Span{config.default_model},
          limits.empty() ? Span{"learned", Tone::kDim} : Span{limits},
          shown_circuit(open_models(circuits, config.endpoint.provider))};
}

Table missing(const ProviderSettings& settings) {
  Table table{"", {"not configured", "why"}, {}};
  for (const auto& [name, why] : settings.unavailable) {
    table.rows.push_back({{name, Tone::kDim}, {why, Tone::kDim}});
  }
  return table;
}

base::Result<Report> list_providers(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const ProviderSettings settings, shown_providers(context));
  const Circuits circuits = open_circuits(context);
  Report report;
  Table table{"", {"name", "wire", "base URL", "key from", "default", "limits", "circuit"}, {}};
  Document configured = Document::list();
  for (const ProviderConfig& config : settings.providers) {
    table.rows.push_back(row_of(config, circuits));
    configured.push(provider_data(config, circuits));
  }
  Document unavailable = Document::list();
  for (const auto& [name, why] : settings.unavailable) {
    unavailable.push(Document::map().set("name", name).set("why", why));
  }
  const provider::ProviderSet set = looked_at(settings);
  const auto chosen = set.resolve("");
  report.data.set("providers", std::move(configured))
      .set("default_model", chosen.ok() ? Document(chosen->name()) : Document())
      .set("unavailable", std::move(unavailable));
  if (!table.rows.empty()) report.view.emplace_back(std::move(table));
  if (!settings.unavailable.empty()) report.view.emplace_back(missing(settings));
  if (chosen.ok()) {
    report.view.emplace_back(Prose{{{{"default model: "}, {chosen->name(), Tone::kStrong}}}});
  } else {
    report.warn(chosen.error().sentence());
  }
  // A plan would skip a fallback that cannot be used; warns about it now.
  for (const std::string& name : settings.fallback) {
    const auto model = set.resolve(name);
    if (!model.ok()) report.warn("model.fallback: " + model.error().sentence());
  }
  return report;
}

}  // namespace

Command provider_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List configured providers, and what the others need",
          .description =
              "Probes the default ports of Ollama (11434) and llama-server (8080) on this machine; "
              "contacts nothing else.\n\nAn open circuit means that a model failed several times "
              "and is not called until a pause is over; `agents provider reset` closes it.",
          .examples = {{"agents provider list", "Name, address, key variable, default, limits"},
                       {"agents provider list --format json", "For a program"}},
          .handler = list_providers};
}

}  // namespace clever::service
