
#include "provider/known_providers.h"
#include "service/commands/commands.h"
#include "service/commands/provider.h"
#include "service/commands/shown_providers.h"

namespace clever::service {
namespace {

using provider::ModelFacts;
using provider::ProviderConfig;
using provider::ProviderSettings;

Document optional_number(const std::optional<std::int64_t>& number) {
  return number ? Document(*number) : Document();
}

// In USD per million tokens.
Document price_data(const ModelFacts& facts) {
  if (!facts.price) return {};
  const auto usd = [](provider::Rate rate) { return static_cast<double>(rate) / 1e6; };
  const provider::Rates& rates = facts.price->rates;
  Document data = Document::map();
  data.set("input", usd(rates.input))
      .set("output", usd(rates.output))
      .set("cache_read", usd(rates.cache_read))
      .set("cache_write", usd(rates.cache_write));
  if (facts.price->long_above) {
    data.set("long_above", *facts.price->long_above)
        .set("long_input", usd(facts.price->long_rates.input))
        .set("long_output", usd(facts.price->long_rates.output));
  }
  return data;
}

std::string shown_capabilities(const provider::Capabilities& capabilities) {
  std::string text;
  const auto add = [&](bool has, std::string_view name) {
    if (has) text.append(text.empty() ? "" : ", ").append(name);
  };
  add(capabilities.tools, "tools");
  add(capabilities.images, "images");
  add(capabilities.reasoning, "reasoning");
  add(capabilities.json_schema, "json schema");
  return text;
}

Document model_data(const std::string& name, const ModelFacts& facts) {
  return Document::map()
      .set("name", name)
      .set("price_usd_per_million", price_data(facts))
      .set("context_window", optional_number(facts.context_window))
      .set("max_output", optional_number(facts.max_output))
      .set("tools", facts.capabilities.tools)
      .set("images", facts.capabilities.images)
      .set("reasoning", facts.capabilities.reasoning)
      .set("json_schema", facts.capabilities.json_schema)
      .set("priced_on", facts.date.empty() ? Document() : Document(facts.date))
      .set("source", facts.source.empty() ? Document() : Document(facts.source));
}

std::vector<Span> model_row(const std::string& name, const ModelFacts& facts) {
  const auto size = [](const std::optional<std::int64_t>& number) {
    return number ? Span{std::to_string(*number)} : Span{"-", Tone::kDim};
  };
  const Span unpriced{"unpriced", Tone::kWarn};
  return {{name, Tone::kAccent},
          facts.price ? Span{shown_rate(facts.price->rates.input)} : unpriced,
          facts.price ? Span{shown_rate(facts.price->rates.output)} : unpriced,
          facts.price ? Span{shown_rate(facts.price->rates.cache_read)} : unpriced,
          size(facts.context_window),
          size(facts.max_output),
          {facts.known() ? shown_capabilities(facts.capabilities) : "not known"},
          {facts.date, Tone::kDim}};
}

// Lists the models that the settings name, or else those of the catalog.
std::vector<std::pair<std::string, ModelFacts>> models_of(const ProviderSettings& settings,
                                                          const std::string& name,
                                                          const ProviderConfig* config) {
  std::vector<std::pair<std::string, ModelFacts>> models;
  const bool local = config != nullptr && config->endpoint.local;
  const auto add = [&](const std::string& model, ModelFacts facts) {
    if (local) facts.price = provider::Price{};
    models.emplace_back(model, std::move(facts));
  };
  if (config != nullptr && !config->models.empty()) {
    for (const std::string& model : config->models) add(model, settings.catalog.find(name, model));
    return models;
  }
  for (const ModelFacts& facts : settings.catalog.list(name)) add(facts.pattern, facts);
  return models;
}

Fields::Field field(std::string name, const std::string& value, const ProviderConfig& config,
                    const std::string& setting) {
  const auto origin = config.origins.find(setting);
  const std::string from = origin == config.origins.end() ? "" : " (" + origin->second + ")";
  return {std::move(name), {value + from}};
}

Fields provider_fields(const ProviderConfig& config) {
  Fields shown;
  shown.fields.push_back({"provider", {config.endpoint.provider, Tone::kAccent}});
  shown.fields.push_back(
      field("wire", std::string(to_string(config.endpoint.wire)), config, "wire"));
  const bool scripted = config.endpoint.wire == provider::Wire::kScripted;
  shown.fields.push_back(field(scripted ? "script" : "base URL", config.endpoint.base_url, config,
                               scripted ? "script" : "base_url"));
  if (!config.endpoint.api_version.empty()) {
    shown.fields.push_back(
        field("api version", config.endpoint.api_version, config, "api_version"));
  }
  shown.fields.push_back({"key from", {shown_key(config)}});
  if (!config.endpoint.key.empty()) {
    shown.fields.push_back({"key fingerprint", {provider::key_fingerprint(config.endpoint.key)}});
  }
  shown.fields.push_back({"default model", config.default_model.empty()
                                               ? Span{"none: name one", Tone::kWarn}
                                               : Span{config.default_model}});
  shown.fields.push_back(
      field("local", config.endpoint.local ? "yes, costs nothing" : "no", config, "local"));
  const std::string limits = shown_limits(config.limits);
  shown.fields.push_back({"limits", {limits.empty() ? "learned from its answers" : limits}});
  for (const io::HttpHeader& header : config.endpoint.headers) {
    shown.fields.push_back(
        field("header " + header.name, header.value, config, "headers." + header.name));
  }
  return shown;
}

Document config_data(const ProviderConfig& config) {
  Document origins = Document::map();
  for (const auto& [setting, origin] : config.origins) origins.set(setting, origin);
  return Document::map()
      .set("name", config.endpoint.provider)
      .set("configured", true)
      .set("wire", to_string(config.endpoint.wire))
      .set("base_url", config.endpoint.base_url)
      .set("api_version", config.endpoint.api_version)
      .set("key_from", config.key_variable.empty() ? Document() : Document(config.key_variable))
      .set("key_fingerprint", provider::key_fingerprint(config.endpoint.key))
      .set("default_model",
           config.default_model.empty() ? Document() : Document(config.default_model))
      .set("local", config.endpoint.local)
      .set("limits", limits_data(config.limits))
      .set("origins", std::move(origins));
}

void add_models(const ProviderSettings& settings, const std::string& name,
                const ProviderConfig* config, Report& report) {
  Table table{"models, in USD per million tokens",
              {"model", "input", "output", "cache read", "context", "max output", "can", "as of"},
              {}};
  Document list = Document::list();
  for (const auto& [model, facts] : models_of(settings, name, config)) {
    table.rows.push_back(model_row(model, facts));
    list.push(model_data(model, facts));
  }
  report.data.set("models", std::move(list));
  if (!table.rows.empty()) report.view.emplace_back(std::move(table));
}

base::Result<Report> show_provider(const Invocation& invocation, Context& context) {
  const std::string& name = invocation.word(0);
  CLEVER_ASSIGN(const ProviderSettings settings, shown_providers(context));
  const ProviderConfig* found = configured_provider(settings, name);
  Report report;
  if (found != nullptr) {
    report.data = config_data(*found);
    report.view = {provider_fields(*found)};
    add_models(settings, name, found, report);
    return report;
  }
  const auto why = settings.unavailable.find(name);
  if (why == settings.unavailable.end()) return no_such_provider(settings, name);
  report.data.set("name", name).set("configured", false).set("why", why->second);
  report.view = {Fields{
      "", {{"provider", {name, Tone::kAccent}}, {"not configured", {why->second, Tone::kWarn}}}}};
  add_models(settings, name, nullptr, report);
  return report;
}

}  // namespace

Command provider_show_command() {
  return {
      .name = "show",
      .summary = "Show one provider: settings and their origin, models, prices, limits",
      .description =
          "Prices come from a built-in table, with the date and source of each; your "
          "~/.cleveragents/models.toml overrides it. A model without a price can be used, but only "
          "a token budget limits it.",
      .positionals = {{.name = "NAME", .summary = "A provider", .completes = Completes::kProvider}},
      .examples = {{"agents provider show openai", "Where it is, what its models cost"},
                   {"agents provider show openai --format json", "With dates and sources"}},
      .handler = show_provider};
}

}  // namespace clever::service
