#include "service/commands/commands.h"
#include "service/commands/provider.h"

namespace clever::service {
namespace {

using provider::ModelFacts;

Document model_document(const std::string& name, const ModelFacts& facts) {
  Document document = Document::map().set("name", name);
  const auto number = [](const auto& value) { return value ? Document(*value) : Document(); };
  document.set("context", number(facts.context_window)).set("max_output", number(facts.max_output));
  const auto dollars = [](provider::Rate rate) {
    return Document(static_cast<double>(rate) / 1e6);
  };
  document.set("input_usd", facts.price ? dollars(facts.price->rates.input) : Document())
      .set("output_usd", facts.price ? dollars(facts.price->rates.output) : Document());
  return document;
}

std::vector<Span> listed_model(const std::string& name, const ModelFacts& facts) {
  const auto rate = [&](provider::Rate provider::Rates::* part) {
    return facts.price ? shown_rate(facts.price->rates.*part) : std::string("-");
  };
  return {{name, Tone::kStrong},
          {facts.context_window ? std::to_string(*facts.context_window) : "-"},
          {rate(&provider::Rates::input)},
          {rate(&provider::Rates::output)}};
}

/// Lists every alias: the person's own before the built-in ones.
std::vector<std::string> alias_names(const provider::ProviderSet& set) {
  std::vector<std::string> names;
  for (const auto& [name, model] : set.aliases()) names.push_back(name);
  for (const provider::KnownAlias& alias : provider::known_aliases()) {
    if (!set.aliases().contains(std::string(alias.name))) names.emplace_back(alias.name);
  }
  return names;
}

void add_aliases(const provider::ProviderSet& set, Report& report) {
  Table table{"", {"alias", "model"}, {}};
  Document list = Document::list();
  for (const std::string& name : alias_names(set)) {
    const auto model = set.resolve(name);
    list.push(Document::map()
                  .set("name", name)
                  .set("model", model.ok() ? Document(model->name()) : Document())
                  .set("why", model.ok() ? Document() : Document(model.error().sentence())));
    table.rows.push_back(
        {{name, Tone::kAccent},
         model.ok() ? Span{model->name()} : Span{model.error().sentence(), Tone::kDim}});
  }
  report.data.set("aliases", std::move(list));
  report.view.emplace_back(std::move(table));
}

/// Lists models of the catalog and of the settings.
void add_known_models(const provider::ProviderSettings& settings, Report& report) {
  Table table{"", {"model", "context", "$ in/M", "$ out/M"}, {}};
  Document list = Document::list();
  const auto add = [&](const std::string& name, const ModelFacts& facts) {
    list.push(model_document(name, facts));
    table.rows.push_back(listed_model(name, facts));
  };
  for (const provider::ProviderConfig& config : settings.providers) {
    const std::string& provider = config.endpoint.provider;
    for (const std::string& model : config.models) {
      add(provider + "/" + model, settings.catalog.find(provider, model));
    }
    if (!config.models.empty()) continue;
    for (const ModelFacts& facts : settings.catalog.list(provider)) {
      if (facts.pattern.find('*') == std::string::npos) add(provider + "/" + facts.pattern, facts);
    }
  }
  report.data.set("models", std::move(list));
  if (!table.rows.empty()) report.view.emplace_back(std::move(table));
}

base::Result<Report> list_models(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const provider::ProviderSettings settings, find_providers(context));
  const provider::ProviderSet set = looked_at(settings);
  Report report;
  const auto chosen = set.resolve("");
  report.data.set("default_model", chosen.ok() ? Document(chosen->name()) : Document());
  add_aliases(set, report);
  add_known_models(settings, report);
  if (chosen.ok()) {
    report.view.emplace_back(Prose{{{{"default model: "}, {chosen->name(), Tone::kStrong}}}});
  } else {
    report.warn(chosen.error().sentence());
  }
  return report;
}

}  // namespace

Command model_command() {
  return {.name = "model",
          .summary = "List models and their short names",
          .examples = {{"agents model list", "Aliases, and models with their prices"}},
          .subcommands = {
              {.name = "list",
               .aliases = {"ls"},
               .summary = "List the models of the configured providers, and the aliases",
               .description =
                   "An alias is a short name for a model, wherever a model can be named: opus, "
                   "sonnet, haiku, gpt, gemini, local, and your own (model.alias.NAME). `local` is "
                   "the first model that answers on this machine. Other models of a provider can "
                   "be named too, as provider/model; without an entry here they have no price.",
               .examples = {{"agents model list", "What can be named"},
                            {"agents run --model sonnet \"TASK\"", "Use one by its alias"},
                            {"agents config set model.alias.fast groq/openai/gpt-oss-20b",
                             "Make one of your own"}},
               .handler = list_models}}};
}

}  // namespace clever::service
