#include "service/commands/provider.h"

#include <algorithm>
#include <chrono>

#include "base/nearest.h"
#include "io/http_fetch.h"
#include "provider/catalog.h"
#include "provider/discovery.h"
#include "provider/known_providers.h"
#include "service/commands/commands.h"
#include "service/commands/config.h"
#include "service/commands/db.h"
#include "service/commands/shown_providers.h"
#include "service/local_answers.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::chrono::milliseconds kLocalPatience{500};
constexpr std::size_t kLocalAnswer = std::size_t{1} << 20U;

provider::LocalFetch local_fetch(const Context& context) {
  const provider::LocalFetch ask = [&context](const std::string& url) -> base::Result<std::string> {
    io::HttpRequest request{.method = "GET", .url = url, .answer_limit = kLocalAnswer};
    request.deadlines = {.connect = kLocalPatience,
                         .first_byte = kLocalPatience,
                         .idle = kLocalPatience,
                         .total = kLocalPatience};
    CLEVER_ASSIGN(auto answer,
                  io::fetch(context.models().http(), std::move(request), context.stop(),
                            base::Deadline::after(context.clock(), 2 * kLocalPatience)));
    constexpr int kOk = 200;
    if (answer.head.status != kOk) return base::unavailable("another program answers");
    return std::move(answer.body);
  };
  if (context.local_answers() == nullptr) return ask;
  return [&context, ask](const std::string& url) { return context.local_answers()->get(url, ask); };
}

std::shared_ptr<storage::Engine> open_store(Context& context, Schema schema) {
  const auto& settings = context.settings();
  const auto url = storage::DatabaseUrl::parse(settings->text("database.url"),
                                               {.home = context.home(),
                                                .directory = context.directory(),
                                                .user = io::user_home(context.environment())});
  if (!url.ok()) return nullptr;
  return open_existing(*url, context, schema).value_or(nullptr);
}

std::string decimal(std::int64_t millionths, std::size_t least_places) {
  std::string text = std::to_string(millionths % 1'000'000 + 1'000'000).substr(1);
  while (text.size() > least_places && text.ends_with('0')) text.pop_back();
  return std::to_string(millionths / 1'000'000) + (text.empty() ? "" : "." + text);
}

}  // namespace

base::Result<provider::ProviderSettings> find_providers(Context& context) {
  const auto& settings = context.settings();
  if (!settings.ok()) return settings.error();
  return find_providers(*settings, context);
}

base::Result<provider::ProviderSettings> find_providers(const config::Settings& settings,
                                                        const Context& context) {
  auto found = provider::discover(context.environment(), settings);
  if (!found.ok()) return blame_file(found.error());
  for (const provider::ProviderConfig& config : found->providers) {
    static_cast<void>(context.redactor().add(config.endpoint.key));
  }
  auto catalog = provider::load_catalog(context.home().string());
  if (!catalog.ok()) return blame_file(catalog.error());
  found->catalog = *std::move(catalog);
  provider::find_local(local_fetch(context), *found);
  return found;
}

base::Result<provider::ProviderSettings> shown_providers(Context& context) {
  CLEVER_ASSIGN(provider::ProviderSettings found, find_providers(context));
  if (sees_home_settings(context)) return found;
  for (provider::ProviderConfig& config : found.providers) {
    config.endpoint.base_url = "(shown to administrators)";
    config.endpoint.headers.clear();
    config.origins.clear();
  }
  return found;
}

provider::ProviderSet looked_at(const provider::ProviderSettings& settings) {
  std::vector<std::shared_ptr<const provider::Provider>> providers;
  for (const provider::ProviderConfig& config : settings.providers) {
    providers.push_back(std::make_shared<const provider::Provider>(config, nullptr));
  }
  return {0, settings, std::move(providers)};
}

const provider::ProviderConfig* configured_provider(const provider::ProviderSettings& settings,
                                                    const std::string& name) {
  const auto found = std::ranges::find_if(
      settings.providers,
      [&](const provider::ProviderConfig& config) { return config.endpoint.provider == name; });
  return found == settings.providers.end() ? nullptr : &*found;
}

base::Error no_such_provider(const provider::ProviderSettings& settings, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& config : settings.providers) names.push_back(config.endpoint.provider);
  for (const auto& [other, why] : settings.unavailable) names.push_back(other);
  const auto nearest = base::nearest_match(name, names);
  return base::not_found("there is no provider " + in_quotes(name) +
                         (nearest ? "; did you mean " + *nearest + "?"
                                  : "; `agents provider list` lists them, and the setting "
                                    "provider.NAME.base_url adds one"));
}

std::vector<storage::CircuitRecord> open_circuits(Context& context) {
  const auto engine = open_store(context, Schema::kAsItIs);
  if (!engine) return {};
  auto all = storage::Circuits(*engine).list(context.stop());
  if (!all.ok()) return {};
  std::erase_if(*all, [](const auto& circuit) { return circuit.state == "closed"; });
  return *std::move(all);
}

std::shared_ptr<storage::Engine> store_if_any(Context& context) {
  return open_store(context, Schema::kNewest);
}

void close_circuits(const std::string& provider, storage::Engine& engine, Context& context) {
  storage::Circuits circuits(engine);
  const auto all = circuits.list(context.stop());
  const bool is_open = all.ok() && std::ranges::any_of(*all, [&](const auto& circuit) {
                         return circuit.provider == provider && circuit.state != "closed";
                       });
  if (is_open) static_cast<void>(circuits.reset(provider, context.stop()));
}

void close_circuits(const std::string& provider, Context& context) {
  if (const auto engine = store_if_any(context)) close_circuits(provider, *engine, context);
}

std::string shown_key(const provider::ProviderConfig& config) {
  return config.key_variable.empty() ? "none" : config.key_variable;
}

std::string shown_limits(const provider::ProviderLimits& limits) {
  std::string text;
  const auto add = [&](const std::optional<std::int64_t>& limit, std::string_view unit) {
    if (!limit) return;
    text.append(text.empty() ? "" : ", ").append(std::to_string(*limit)).append(unit);
  };
  add(limits.requests_per_minute, " requests/min");
  add(limits.tokens_per_minute, " tokens/min");
  add(limits.max_concurrency, " at once");
  return text;
}

std::string shown_rate(provider::Rate rate) { return "$" + decimal(rate, 0); }

std::string shown_cost(model::Microdollars amount) {
  return amount == 0 ? "$0" : "$" + decimal(amount, 2);
}

Document limits_data(const provider::ProviderLimits& limits) {
  Document data = Document::map();
  const auto add = [&](const char* name, const std::optional<std::int64_t>& limit) {
    data.set(name, limit ? Document(*limit) : Document());
  };
  add("requests_per_minute", limits.requests_per_minute);
  add("tokens_per_minute", limits.tokens_per_minute);
  add("max_concurrency", limits.max_concurrency);
  return data;
}

Command provider_command() {
  return {.name = "provider",
          .aliases = {"providers"},
          .summary = "List and test model providers",
          .description =
              "Providers are found by their keys in the environment (ANTHROPIC_API_KEY, "
              "OPENAI_API_KEY, GEMINI_API_KEY, …), by [provider.NAME] in config.toml, and, for "
              "Ollama and llama-server, by asking on this machine. Models are named "
              "provider/model.\n\n"
              "Without --model and model.default the first configured provider's default model is "
              "used, in this order: scripted, anthropic, openai, google, azure, openrouter, groq, "
              "together, cohere, deepseek, mistral, ollama, then those of config.toml by name.\n\n"
              "No key is ever shown.",
          .examples = {{"agents provider list", "What is configured, and what is missing"},
                       {"agents provider show anthropic", "Its models, prices and limits"},
                       {"agents provider test openai/gpt-5", "One tiny call"}},
          .subcommands = {provider_list_command(), provider_show_command(), provider_test_command(),
                          provider_calls_command(), provider_reset_command()}};
}

}  // namespace clever::service
