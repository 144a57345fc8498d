#include <chrono>

#include "base/nearest.h"
#include "config/schema.h"
#include "provider/model_name.h"
#include "provider/replay/replay_backend.h"
#include "provider/scripted/scripted_backend.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/provider.h"
#include "service/commands/provider_call.h"

namespace clever::service {
namespace {

using provider::FailureKind;
using provider::ModelName;
using provider::ProviderConfig;
using provider::ProviderSettings;
using provider::ResolvedModel;
using provider::Wire;

struct Request {
  /// "", "NAME" or "provider/model" (or an alias).
  std::string target;
  AnswerSource source;
  bool call = false;
  /// None: no retries.
  std::optional<base::Duration> patience{};
};

base::Result<Request> test_request(const Invocation& invocation) {
  Request request;
  if (!invocation.words().empty()) request.target = invocation.words().front();
  request.source.record = invocation.value("record").value_or("");
  request.source.replay = invocation.value("replay").value_or("");
  // A script or cassette only answers calls; --script alone means its provider.
  const bool scripted = invocation.value("script").has_value();
  if (scripted && request.target.empty()) request.target = "scripted";
  request.call = invocation.flag("call") || scripted || !request.source.record.empty() ||
                 !request.source.replay.empty();
  if (const auto patience = invocation.value("patience")) {
    const config::KeyInfo duration{.name = "patience", .type = config::Type::kDuration};
    CLEVER_TRY(config::check_value(duration, "--patience", *patience));
    request.patience = config::duration_of(*patience);
    request.call = true;
  }
  return request;
}

std::string shown_milliseconds(base::Duration duration) {
  using std::chrono::milliseconds;
  return std::to_string(std::chrono::duration_cast<milliseconds>(duration).count()) + " ms";
}

std::optional<model::Microdollars> cost_of(const ProviderLook& look,
                                           const provider::ModelFacts& facts) {
  if (!look.answer || !facts.price || !look.answer->usage.known) return std::nullopt;
  return provider::cost(*facts.price, look.answer->usage);
}

std::string answer_text(const model::Message& message) {
  std::string text;
  for (const model::Part& part : message.parts) {
    if (const auto* said = std::get_if<model::Text>(&part)) text += said->text;
  }
  return text;
}

/// Checks providers and collects the report.
class Tester {
 public:
  Tester(const ProviderSettings& settings, Request request, Context& context)
      : settings_(settings), request_(std::move(request)), context_(context) {}

  base::Result<Report> run() {
    if (request_.target.empty() && !request_.call) {
      CLEVER_TRY(list_all());
    } else if (const auto* config = configured_provider(settings_, request_.target)) {
      CLEVER_TRY(look_at(*config));
    } else if (const auto why = settings_.unavailable.find(request_.target);
               why != settings_.unavailable.end() && request_.source.replay.empty()) {
      return base::not_found("the provider " + request_.target + " cannot be used: " + why->second);
    } else {
      CLEVER_TRY(call_named(request_.target));
    }
    return finished();
  }

 private:
  base::Result<void> list_all() {
    if (settings_.providers.empty()) return looked_at(settings_).resolve("").error();
    for (const ProviderConfig& config : settings_.providers) CLEVER_TRY(look_at(config));
    return {};
  }

  // Calls a provider that has no list of models.
  base::Result<void> look_at(const ProviderConfig& config) {
    const std::string& name = config.endpoint.provider;
    if (request_.call || config.endpoint.wire == Wire::kScripted) {
      if (config.default_model.empty()) {
        return base::invalid_argument("the provider " + name +
                                      " has no default model; name one: " + name + "/MODEL");
      }
      return call_named(name + "/" + config.default_model);
    }
    tell(list_models(config.endpoint, context_), {});
    return {};
  }

  base::Result<void> call_named(const std::string& name) {
    CLEVER_ASSIGN(const ResolvedModel model, resolve(name));
    const provider::Endpoint& endpoint = model.provider->endpoint();
    auto backend = context_.models().backend(endpoint, request_.source);
    if (!backend.ok()) return blame_file(backend.error());
    if (!request_.source.replay.empty()) {
      note(provider::kReplayNotice);
    } else if (endpoint.wire == Wire::kScripted) {
      note(provider::kNoModelNotice);
    }
    CLEVER_ASSIGN(ProviderLook look, call(model, **backend));
    suggest_model(endpoint, look);
    tell(look, model.facts);
    return {};
  }

  base::Result<ProviderLook> call(const ResolvedModel& model, provider::Backend& backend) {
    if (!request_.patience) {
      return call_model(model.provider->name(), model.model, backend, context_);
    }
    return call_patiently(settings_, model.name(), request_.source, *request_.patience, context_);
  }

  // A cassette also answers for providers that cannot be used here.
  base::Result<ResolvedModel> resolve(const std::string& name) {
    auto model = looked_at(settings_).resolve(name);
    const auto parsed = ModelName::parse(name);
    if (model.ok() || request_.source.replay.empty() || !parsed) return model;
    ProviderConfig config;
    config.endpoint.provider = parsed->provider;
    config.endpoint.wire = Wire::kReplay;
    return ResolvedModel{std::make_shared<const provider::Provider>(config, nullptr), parsed->model,
                         settings_.catalog.find(parsed->provider, parsed->model)};
  }

  // Suggests the model that was probably meant, from the provider's list.
  void suggest_model(const provider::Endpoint& endpoint, ProviderLook& look) {
    if (!look.failure || look.failure->kind != FailureKind::kUnknownModel) return;
    const auto nearest = base::nearest_match(look.model, list_models(endpoint, context_).models);
    if (nearest) look.failure->message += "; did you mean " + look.provider + "/" + *nearest + "?";
  }

  void note(std::string_view text) {
    report_.messages.push_back({Message::Level::kNote, std::string(text)});
  }

  std::string clean(const std::string& text) const { return context_.redactor().redact(text); }

  void tell(const ProviderLook& look, const provider::ModelFacts& facts) {
    const std::string name = look.model.empty() ? look.provider : look.provider + "/" + look.model;
    Document item = Document::map();
    item.set("provider", look.provider)
        .set("model", look.model.empty() ? Document() : Document(look.model))
        .set("ok", !look.failure.has_value())
        .set("latency_ms", std::chrono::duration<double, std::milli>(look.latency).count());
    // Plans that wait for this provider continue at once.
    if (!look.failure) close_circuits(look.provider, context_);
    if (look.failure) {
      tell_failure(name, look, item);
    } else if (look.answer) {
      tell_answer(name, look, facts, item);
    } else {
      checks_.checks.push_back(
          {name, Verdict::kOk,
           counted(look.models.size(), "model") + " in " + shown_milliseconds(look.latency), ""});
      item.set("models", Document::texts(look.models));
      models_ = look.models;
    }
    results_.push(std::move(item));
  }

  void tell_failure(const std::string& name, const ProviderLook& look, Document& item) {
    const std::string message = clean(look.failure->message);
    checks_.checks.push_back({name, Verdict::kFail, message, ""});
    item.set("error", message)
        .set("kind", to_string(look.failure->kind))
        .set("status", look.failure->status);
    const bool unknown = look.failure->kind == FailureKind::kUnknownModel;
    report_.exit_code = unknown ? ExitCode::kNotFound : ExitCode::kError;
    ++failures_;
  }

  void tell_answer(const std::string& name, const ProviderLook& look,
                   const provider::ModelFacts& facts, Document& item) {
    const provider::Usage& usage = look.answer->usage;
    const auto spent = cost_of(look, facts);
    std::string text = "answered in " + shown_milliseconds(look.latency) + " (first byte after " +
                       shown_milliseconds(look.first_byte) + ")";
    if (usage.known) {
      text += ", " + std::to_string(usage.input) + " tokens in, " + std::to_string(usage.output) +
              " out";
    }
    text += spent ? ", " + shown_cost(*spent) : ", price not known";
    if (look.retries > 0) text += ", after " + counted(look.retries, "failed attempt");
    for (const std::string& move : look.moves) note(clean(move));
    checks_.checks.push_back({name, Verdict::kOk, text, ""});
    item.set("first_byte_ms", std::chrono::duration<double, std::milli>(look.first_byte).count())
        .set("answer", clean(answer_text(look.answer->message)))
        .set("stop", to_string(look.answer->stop))
        .set("retries", look.retries)
        .set("input_tokens", usage.known ? Document(usage.input) : Document())
        .set("output_tokens", usage.known ? Document(usage.output) : Document())
        .set("cost_usd", spent ? Document(static_cast<double>(*spent) / 1e6) : Document());
  }

  Report finished() {
    if (results_size() > 1 && failures_ > 0) report_.exit_code = ExitCode::kError;
    if (failures_ > 0) report_.status = Status::kError;
    report_.data.set("results", std::move(results_));
    const bool one = checks_.checks.size() == 1;
    report_.view.emplace_back(std::move(checks_));
    if (one && !models_.empty()) {
      Table table{"", {"model"}, {}};
      for (const std::string& model : models_) table.rows.push_back({{clean(model)}});
      report_.view.emplace_back(std::move(table));
    }
    return std::move(report_);
  }

  std::size_t results_size() const { return checks_.checks.size(); }

  const ProviderSettings& settings_;
  const Request request_;
  Context& context_;
  Report report_;
  Checks checks_{"providers", {}};
  Document results_ = Document::list();
  std::vector<std::string> models_;
  int failures_ = 0;
};

base::Result<Report> test(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const ProviderSettings settings, find_providers(context));
  CLEVER_ASSIGN(Request request, test_request(invocation));
  return Tester(settings, std::move(request), context).run();
}

}  // namespace

Command provider_test_command() {
  return {
      .name = "test",
      .summary = "Test whether providers answer: list models, or make one tiny call",
      .description =
          "Without a name it asks every configured provider for its list of models: that costs "
          "nothing and shows whether address and key are right. With provider/model, or with "
          "--call, it asks a model for one word and shows latency, tokens and cost.\n\nIt does not "
          "retry: you see the provider's own answer. With --patience it calls as a plan would: in "
          "turn with other processes, within the provider's limits, waiting out outages, and with "
          "the models of model.fallback behind it. Exits with 3 for a provider or model that does "
          "not exist, and with 1 for every other failure.",
      .positionals = {{.name = "WHAT",
                       .summary = "A provider, provider/model or an alias (default: all providers)",
                       .required = false,
                       .completes = Completes::kProvider}},
      .options = {{.name = "call", .summary = "Call the default model instead of listing models"},
                  {.name = "patience",
                   .value = "TIME",
                   .summary = "Call, and wait this long for limits and outages: 30s, 5m"},
                  {.name = "record", .value = "FILE", .summary = "Write the call to a cassette"},
                  {.name = "replay",
                   .value = "FILE",
                   .summary = "Replay this cassette; call no model"},
                  {.name = "script", .value = "FILE", .summary = "Use this script; call no model"}},
      .examples = {{"agents provider test", "All of them"},
                   {"agents provider test ollama", "One of them, and the names of its models"},
                   {"agents provider test anthropic --call", "A tiny call to its default model"},
                   {"agents provider test openai --patience 5m", "As a plan would call it"},
                   {"agents provider test openai/gpt-5 --record call.jsonl", "Record the call"},
                   {"agents provider test --script demo.yaml", "Without a key or a network"}},
      .handler = test};
}

}  // namespace clever::service
