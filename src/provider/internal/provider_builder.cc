#include "provider/internal/provider_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/redact.h"
#include "base/text.h"
#include "provider/base_url.h"
#include "provider/discovery.h"
#include "provider/internal/variables.h"
#include "provider/known_providers.h"

namespace clever::provider::internal {
namespace {

// "a", "a or b"
std::string any_of(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : " or ").append(name);
  return text;
}

// The settings below [provider.NAME].
class Section {
 public:
  Section(const config::Settings& settings, std::string name)
      : settings_(settings), prefix_("provider." + name + ".") {}

  [[nodiscard]] std::optional<config::Value> find(std::string_view key) const {
    return settings_.find(prefix_ + std::string(key));
  }
  [[nodiscard]] std::string text(std::string_view key) const {
    return settings_.text(prefix_ + std::string(key));
  }
  [[nodiscard]] std::string name(std::string_view key) const { return prefix_ + std::string(key); }
  // Returns the settings below a key: name and value.
  [[nodiscard]] std::vector<std::pair<std::string, config::Value>> below(
      std::string_view key) const {
    std::vector<std::pair<std::string, config::Value>> result;
    const std::string group = name(key) + ".";
    for (const auto& [full, value] : settings_.list(group)) {
      result.emplace_back(full.substr(group.size()), value);
    }
    return result;
  }

 private:
  const config::Settings& settings_;
  const std::string prefix_;
};

/// Builds one provider from its variables and its section.
class ProviderBuilder {
 public:
  ProviderBuilder(const io::Environment& environment, const config::Settings& settings,
                  std::string name)
      : environment_(environment),
        section_(settings, name),
        known_(find_known_provider(name)),
        name_(std::move(name)) {}

  base::Result<Built> build() {
    config_.endpoint.provider = name_;
    if (known_ != nullptr) take_known();
    take_key();
    CLEVER_TRY(take_base_url());
    take_wire();
    complete_azure();
    take_models();
    CLEVER_TRY(take_headers());
    take_limits();
    if (!why_.empty()) return Built{.why = why_};
    CLEVER_TRY(check_secrecy());
    if (!why_.empty()) return Built{.why = why_};
    return Built{.config = std::move(config_)};
  }

 private:
  Endpoint& endpoint() { return config_.endpoint; }

  base::Error wrong(const std::string& origin, const std::string& what) const {
    return base::invalid_argument("provider " + name_ + ": " + origin + ": " + what);
  }

  void note(const std::string& setting, const std::string& origin) {
    config_.origins[setting] = origin;
  }

  void unavailable(const std::string& reason) {
    if (why_.empty()) why_ = reason;
  }

  void take_known() {
    endpoint().wire = known_->wire;
    endpoint().dialect = known_->dialect;
    config_.default_model = known_->default_model;
    if (known_->dialect == Dialect::kAzure) {
      const std::string variable =
          first_set(environment_, {"AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"});
      if (variable.empty()) return;
      endpoint().api_version = base::trimmed(value_of(environment_, variable));
      note("api_version", variable);
    }
  }

  void take_key() {
    if (const auto named = section_.find("key_env")) {
      config_.key_variable = named->text;
      if (value_of(environment_, named->text).empty()) {
        unavailable(named->text + " is not set, which " + section_.name("key_env") + " (" +
                    named->origin + ") names as the variable of its key");
      }
    } else if (known_ != nullptr && !known_->key_variables.empty()) {
      config_.key_variable = first_set(environment_, known_->key_variables);
      if (config_.key_variable.empty()) {
        unavailable(any_of(known_->key_variables) + " is not set; get a key at " +
                    std::string(known_->keys_page));
      }
    }
    endpoint().key = base::trimmed(value_of(environment_, config_.key_variable));
    endpoint().key_variable = config_.key_variable;
  }

  base::Result<void> take_base_url() {
    if (const auto configured = section_.find("base_url")) {
      return set_base_url(configured->text, configured->origin, BaseUrl::parse(configured->text));
    }
    if (known_ == nullptr) {
      return wrong(section_.name("base_url"),
                   "is not set, and it is not one of the known providers; "
                   "set it to the address of its API, https://…");
    }
    const std::string variable = first_set(environment_, known_->base_url_variables);
    if (!variable.empty()) {
      const std::string text = value_of(environment_, variable);
      return set_base_url(text, variable,
                          known_->wire == Wire::kOllama ? parse_ollama_host(text)
                                                        : BaseUrl::parse(base::trimmed(text)));
    }
    endpoint().base_url = known_->base_url;
    if (known_->wire == Wire::kOllama && section_.find("models")) {
      return set_base_url(std::string(kOllamaAddress), "its default port",
                          BaseUrl::parse(kOllamaAddress));
    }
    if (known_->base_url.empty()) {
      unavailable(any_of(known_->base_url_variables) +
                  " is not set; it holds the provider's address");
    }
    return {};
  }

  [[nodiscard]] bool is_paid() const { return known_ != nullptr && !known_->key_variables.empty(); }

  base::Result<void> set_base_url(const std::string& text, const std::string& origin,
                                  const base::Result<BaseUrl>& url) {
    if (!url.ok()) {
      return refuse(origin,
                    "'" + base::redact(text) + "' is not a base URL: " + url.error().message());
    }
    endpoint().base_url = url->to_string();
    // A paid model behind a proxy on this machine still costs money.
    endpoint().local = url->is_loopback() && !is_paid();
    plain_ = url->scheme == "http";
    loopback_ = url->is_loopback();
    note("base_url", origin);
    return {};
  }

  void take_wire() {
    // Servers compatible with OpenAI have Chat Completions, and mostly nothing else.
    if (endpoint().wire == Wire::kOpenAiResponses && endpoint().base_url != known_->base_url) {
      endpoint().wire = Wire::kOpenAiChat;
    }
    if (const auto wire = section_.find("wire")) {
      endpoint().wire = wire_from_string(wire->text).value_or(endpoint().wire);
      note("wire", wire->origin);
    }
    if (const auto local = section_.find("local")) {
      endpoint().local = local->text == "true";
      note("local", local->origin);
    }
  }

  // Without a version, uses Azure's v1 API.
  void complete_azure() {
    std::string& url = endpoint().base_url;
    if (endpoint().dialect != Dialect::kAzure || url.empty()) return;
    if (!endpoint().api_version.empty() || url.ends_with("/openai/v1")) return;
    url += url.ends_with("/openai") ? "/v1" : "/openai/v1";
  }

  void take_models() {
    if (const auto models = section_.find("models")) {
      config_.models = config::list_of(models->text);
      note("models", models->origin);
    }
    if (!config_.models.empty()) config_.default_model = config_.models.front();
  }

  base::Result<void> take_headers() {
    for (const auto& [header, value] : section_.below("headers")) {
      if (base::names_secret(header) || header == "Authorization" || header == "authorization") {
        return wrong(value.origin, section_.name("headers") + "." + header +
                                       " would keep a secret in a file: put it into an environment "
                                       "variable, and name that in " +
                                       section_.name("key_env"));
      }
      if (value.text.find_first_of("\r\n") != std::string::npos) {
        return wrong(value.origin, section_.name("headers") + "." + header + " has a line end");
      }
      endpoint().headers.push_back({header, value.text});
      note("headers." + header, value.origin);
    }
    return {};
  }

  void take_limits() {
    take_limit("requests_per_minute", config_.limits.requests_per_minute);
    take_limit("tokens_per_minute", config_.limits.tokens_per_minute);
    take_limit("max_concurrency", config_.limits.max_concurrency);
  }

  void take_limit(const std::string& key, std::optional<std::int64_t>& to) {
    const auto value = section_.find(key);
    if (!value) return;
    to = base::to_number<std::int64_t>(value->text).value_or(0);
    note(key, value->origin);
  }

  base::Result<void> check_secrecy() {
    if (endpoint().key.empty() || !plain_ || loopback_ || endpoint().local) return {};
    return refuse(config_.origins["base_url"],
                  endpoint().base_url +
                      " is plain http to another machine, so others could read the key on the way: "
                      "use https, or set " +
                      section_.name("local") + " = true if that network is trusted");
  }

  // The value comes from a variable that may be meant for another program: skip this provider, but
  // do not stop plans that use others.
  base::Result<void> refuse(const std::string& origin, const std::string& what) {
    if (section_.find("base_url")) return wrong(origin, what);
    unavailable(origin + ": " + what);
    return {};
  }

  const io::Environment& environment_;
  const Section section_;
  const KnownProvider* known_;
  const std::string name_;
  ProviderConfig config_;
  bool plain_ = false;
  bool loopback_ = false;
  std::string why_;
};

}  // namespace

base::Result<Built> build_provider(const io::Environment& environment,
                                   const config::Settings& settings, const std::string& name) {
  return ProviderBuilder(environment, settings, name).build();
}

}  // namespace clever::provider::internal
