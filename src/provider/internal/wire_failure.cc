#include "provider/internal/wire_failure.h"

#include <algorithm>
#include <initializer_list>

#include "base/redact.h"
#include "base/text.h"
#include "base/utf8.h"
#include "provider/internal/characters.h"
#include "provider/internal/wire_time.h"

namespace clever::provider::internal {
namespace {

constexpr std::size_t kLongestShown = 300;
constexpr std::size_t kLongestRead = 4096;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.contains(word); });
}

// ---- reading -----------------------------------------------------------------------------------

void add_name(ErrorFacts& facts, JsonView value) {
  if (const auto number = value.integer()) {
    if (*number >= 400 && *number < 600) facts.status = static_cast<int>(*number);
    return;
  }
  if (!value.is_string()) return;
  if (!facts.names.empty()) facts.names.push_back(' ');
  value.append_text(facts.names);
}

void add_message(ErrorFacts& facts, JsonView value) {
  if (value.is_string() && facts.message.empty()) facts.message = value.text();
}

void read_google_detail(ErrorFacts& facts, JsonView detail) {
  add_name(facts, detail["reason"]);
  if (const auto wait = parse_duration(detail["retryDelay"].text())) facts.retry_after = wait;
  for (const JsonView violation : detail["violations"]) {
    const std::string quota = violation["quotaId"].text();
    facts.day_is_used_up = facts.day_is_used_up || quota.contains("PerDay");
    facts.minute_is_used_up = facts.minute_is_used_up || quota.contains("PerMinute");
  }
}

void read_error_object(ErrorFacts& facts, JsonView error) {
  for (const std::string_view key : {"type", "code", "status"}) add_name(facts, error[key]);
  for (const std::string_view key : {"message", "error", "detail"}) add_message(facts, error[key]);
  // FastAPI's and Mistral's list of errors in the request.
  add_message(facts, error["detail"].at(0)["msg"]);
  add_message(facts, error["message"]["detail"].at(0)["msg"]);
  add_name(facts, error["innererror"]["code"]);
  for (const JsonView detail : error["details"]) read_google_detail(facts, detail);
  // OpenRouter forwards the message of the provider behind it.
  const std::string behind = error["metadata"]["raw"].text();
  if (!behind.empty()) facts.message += (facts.message.empty() ? "" : ": ") + behind;
}

// "… Please try again in 7m12s." of OpenAI and Groq, "Please retry in 8.9s." of Google.
std::optional<std::chrono::milliseconds> wait_in_words(std::string_view message) {
  for (const std::string_view phrase : {"try again in ", "retry in "}) {
    const std::size_t at = message.find(phrase);
    if (at == std::string_view::npos) continue;
    std::string_view rest = message.substr(at + phrase.size());
    rest = rest.substr(0, rest.find_first_of(" ,;"));
    while (rest.ends_with('.')) rest.remove_suffix(1);
    if (const auto wait = parse_duration(rest)) return wait;
  }
  return std::nullopt;
}

// ---- meaning -----------------------------------------------------------------------------------

bool is_too_long(std::string_view text) {
  return has_any(text, {"context_length_exceeded",
                        "exceed_context_size",
                        "request_too_large",
                        "prompt is too long",
                        "prompt too long",
                        "maximum context length",
                        "max context length",
                        "maximum prompt length",
                        "exceed context limit",
                        "exceeds the context window",
                        "exceeds the available context size",
                        "context window of this model",
                        "context window exceeded",
                        "exceeds the context length",
                        "input token count",
                        "exceeds the maximum number of tokens",
                        "request too large for",
                        "reduce the length of the messages",
                        "reduce the length of the prompt",
                        "too many tokens",
                        "reduce your prompt",
                        "max_model_len",
                        "maximum allowed number of input tokens",
                        "context_window_exceeded",
                        "input is too long",
                        "request entity too large",
                        "payload size exceeds"});
}

bool is_used_up(std::string_view text) {
  return has_any(text, {"insufficient_quota",
                        "insufficient_funds",
                        "insufficient_user_quota",
                        "insufficient balance",
                        "insufficient credit",
                        "insufficient funds",
                        "credit balance is too low",
                        "billing_hard_limit",
                        "billing hard limit",
                        "billing_not_active",
                        "billing_error",
                        "billing details",
                        "requires more credits",
                        "out of credits",
                        "used all available credits",
                        "api usage limits",
                        "spending limit",
                        "spend limit",
                        "trial key",
                        "free-models-per-day",
                        "payment required"});
}

bool is_bad_key(std::string_view text) {
  return has_any(text, {"invalid_api_key", "api_key_invalid", "authentication_error",
                        "permission_error", "permission_denied", "unauthenticated",
                        "incorrect api key", "invalid api key", "api key not valid",
                        "api key not found", "no auth credentials", "unsupported_country"});
}

bool is_refused(std::string_view names, std::string_view message) {
  return has_any(names, {"content_filter", "content_policy", "responsibleaipolicyviolation",
                         "moderation", "invalid_prompt", "bio_policy", "cyber_policy",
                         "data_inspection_failed", "prohibited_content"}) ||
         has_any(message,
                 {"content management policy", "was flagged", "flagged as potentially",
                  "requires moderation", "blocked by content filtering", "content exists risk"});
}

bool is_unknown_model(std::string_view text) {
  return has_any(text, {"model_not_found", "model_not_available", "model_decommissioned",
                        "deploymentnotfound", "invalid model", "model not exist",
                        "not a valid model", "unknown model", "no such model", "model not found",
                        "unable to access model", "does not exist or you do not have access"});
}

bool is_overload(std::string_view text) {
  return has_any(
      text, {"overloaded", "server_error", "internal_error", "api_error", "timeout_error",
             "unavailable", "capacity", "internal server error", "insufficient_system_resource"});
}

bool is_rate_limit(std::string_view text) {
  return has_any(text, {"rate_limit", "rate limit", "too many requests", "resource_exhausted",
                        "too_many_requests"});
}

// Classifies by the words alone, for any status.
std::optional<FailureKind> by_words(const ErrorFacts& facts) {
  const std::string names = base::lower_case(facts.names);
  const std::string message = base::lower_case(facts.message);
  const std::string all = names + " " + message;
  if (has_any(names, {"tool_use_failed", "json_validate_failed"})) return FailureKind::kMalformed;
  if (is_too_long(all)) return FailureKind::kContextTooLong;
  if (facts.day_is_used_up) return FailureKind::kQuota;
  if (facts.minute_is_used_up) return FailureKind::kRateLimited;
  if (is_used_up(all)) return FailureKind::kQuota;
  if (is_refused(names, message)) return FailureKind::kRefused;
  if (is_bad_key(all)) return FailureKind::kBadKey;
  if (is_unknown_model(all)) return FailureKind::kUnknownModel;
  if (message.contains("requires more system memory")) return FailureKind::kMisconfigured;
  return std::nullopt;
}

FailureKind by_status(int status, std::string_view text) {
  switch (status) {
    case 401:
    case 403:
      return FailureKind::kBadKey;
    case 402:
      return FailureKind::kQuota;
    case 404:
      // Unless the message mentions the model, it is the address that was not found.
      return text.contains("model") ? FailureKind::kUnknownModel : FailureKind::kMisconfigured;
    case 413:
      return FailureKind::kContextTooLong;
    case 429:
      return FailureKind::kRateLimited;
    case 408:
    case 409:
    case 425:
      return FailureKind::kOverloaded;
    default:
      break;
  }
  if (status >= 500) return FailureKind::kOverloaded;
  return status < 400 ? FailureKind::kMisconfigured : FailureKind::kBadRequest;
}

std::string_view what(FailureKind kind, int status) {
  constexpr int kForbidden = 403;
  if (kind == FailureKind::kBadKey && status == kForbidden) return "the key may not do this";
  switch (kind) {
    case FailureKind::kRateLimited:
      return "too many requests or tokens at the moment";
    case FailureKind::kOverloaded:
      return "cannot serve the request now";
    case FailureKind::kConnection:
      return "cannot be reached";
    case FailureKind::kCut:
      return "the answer broke off";
    case FailureKind::kTimeout:
      return "took too long";
    case FailureKind::kMalformed:
      return "the answer cannot be read";
    case FailureKind::kQuota:
      return "credit or quota is used up";
    case FailureKind::kBadKey:
      return "the provider does not accept the key";
    case FailureKind::kUnknownModel:
      return "no such model";
    case FailureKind::kContextTooLong:
      return "the request is too long for the model";
    case FailureKind::kRefused:
      return "the request was declined by a content policy";
    case FailureKind::kMisconfigured:
      return "this address does not answer like a model API";
    case FailureKind::kCancelled:
      return "cancelled";
    default:
      return "the request was refused";
  }
}

std::string key_advice(const Speaker& speaker) {
  const std::string& variable = speaker.key_variable;
  if (speaker.key.empty()) {
    return "no key is set for this provider: set " + (variable.empty() ? "one" : variable);
  }
  return "check that the key" + (variable.empty() ? "" : " in " + variable) +
         " is right and may do this";
}

std::string advice(const Speaker& speaker, FailureKind kind) {
  switch (kind) {
    case FailureKind::kQuota:
      return "add credit or raise the limit there, or use another model";
    case FailureKind::kBadKey:
      return key_advice(speaker);
    case FailureKind::kUnknownModel:
      return "see its models with `agents provider show " + speaker.provider + "`";
    case FailureKind::kContextTooLong:
      return "shorten the conversation or use a model with a larger window";
    case FailureKind::kMisconfigured:
      return "check the base URL, " + base::redact(speaker.base_url);
    default:
      return {};
  }
}

bool is_html_type(const io::HttpHead& head) {
  const auto type = head.header("content-type");
  return type && base::lower_case(*type).starts_with("text/html");
}

// Returns the title of a page, which says more than its first lines.
std::string_view title_of(std::string_view page) {
  const std::size_t begin = page.find("<title>");
  if (begin == std::string_view::npos) return "a page of HTML";
  const std::string_view rest = page.substr(begin + 7);
  return rest.substr(0, rest.find("</title>"));
}

std::string request_id(const io::HttpHead& head) {
  for (const std::string_view name :
       {"x-request-id", "request-id", "apim-request-id", "mistral-correlation-id", "cf-ray"}) {
    if (const auto id = head.header(name)) return std::string(base::utf8_prefix(*id, 128));
  }
  return {};
}

}  // namespace

ErrorFacts read_error(JsonView body) {
  ErrorFacts facts;
  if (body.is_array()) body = body.at(0);
  if (body["error"].is_object()) {
    read_error_object(facts, body["error"]);
  }
  // The error stands at the top, or beside a plain text.
  if (!facts.found()) read_error_object(facts, body);
  if (!facts.retry_after) facts.retry_after = wait_in_words(facts.message);
  return facts;
}

FailureKind classify(int status, const ErrorFacts& facts) {
  if (const auto kind = by_words(facts)) return *kind;
  const std::string text = base::lower_case(facts.names + " " + facts.message);
  if (status == 0) status = facts.status;
  if (status != 0) return by_status(status, text);
  if (is_rate_limit(text)) return FailureKind::kRateLimited;
  if (has_any(text, {"invalid_request", "invalid_argument", "bad_request"}) && !is_overload(text)) {
    return FailureKind::kBadRequest;
  }
  return FailureKind::kOverloaded;
}

Speaker speaker(const Endpoint& endpoint, const io::HttpHead& head) {
  return {.provider = endpoint.provider,
          .key = endpoint.key,
          .key_variable = endpoint.key_variable,
          .base_url = endpoint.base_url,
          .model = {},
          .status = head.status,
          .request_id = request_id(head)};
}

std::string shown(const Speaker& speaker, std::string_view text) {
  base::Redactor redactor;
  redactor.add(speaker.key);
  std::string line = redactor.redact(base::to_valid_utf8(base::utf8_prefix(text, kLongestRead)));
  std::string seen;
  for (std::size_t at = 0; at < line.size();) {
    const base::CodePoint point = base::decode_utf8(line, at);
    const bool space = point.value == ' ' || base::is_invisible_control(point.value);
    if (!space) seen.append(line, at, point.size);
    if (space && !seen.empty() && seen.back() != ' ') seen.push_back(' ');
    at += point.size;
  }
  if (seen.ends_with(' ')) seen.pop_back();
  if (seen.size() <= kLongestShown) return seen;
  return std::string(base::utf8_prefix(seen, kLongestShown - 3)) + "…";
}

Failure make_failure(const Speaker& speaker, FailureKind kind, std::string_view seen) {
  std::string message = speaker.provider + ": " + std::string(what(kind, speaker.status));
  if (kind == FailureKind::kUnknownModel && !speaker.model.empty()) {
    message += " \"" + shown(speaker, speaker.model) + "\"";
  }
  if (speaker.status != 0) message += " (HTTP " + std::to_string(speaker.status) + ")";
  const std::string detail = shown(speaker, seen);
  if (!detail.empty()) message += ": " + detail;
  if (const std::string help = advice(speaker, kind); !help.empty()) message += "; " + help;
  return {.kind = kind,
          .message = std::move(message),
          .status = speaker.status,
          .retry_after = {},
          .request_id = speaker.request_id};
}

Failure make_failure(const Speaker& speaker, const ErrorFacts& facts) {
  // An error inside an answer that began well has no status of its own.
  const int status = speaker.status >= 300 ? speaker.status : 0;
  const std::string_view seen = facts.message.empty() ? facts.names : facts.message;
  Failure failure = make_failure(speaker, classify(status, facts), seen);
  if (is_transient(failure.kind)) failure.retry_after = facts.retry_after;
  return failure;
}

bool looks_like_html(std::string_view body) {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string head = base::lower_case(body.substr(first, 16));
  return has_any(head, {"<!doctype html", "<html", "<head", "<body", "<?xml"});
}

Failure html_failure(const Speaker& speaker, std::string_view body) {
  // A gateway's error page about the server behind it is transient.
  const bool gateway = speaker.status >= 500 || speaker.status == 429 || speaker.status == 408;
  const FailureKind kind = gateway ? by_status(speaker.status, {}) : FailureKind::kMisconfigured;
  return make_failure(speaker, kind, "a page of HTML (" + std::string(title_of(body)) + ")");
}

Failure failure_of_answer(const Endpoint& endpoint, const std::string& model,
                          const io::HttpHead& head, std::string_view body) {
  Speaker who = speaker(endpoint, head);
  who.model = model;
  const auto waited = [&](Failure failure) {
    const auto asked = retry_after(head);
    if (asked && is_transient(failure.kind)) failure.retry_after = asked;
    return failure;
  };
  if (is_html_type(head) || looks_like_html(body)) return waited(html_failure(who, body));
  JsonDocument document;
  ErrorFacts facts;
  if (document.parse(body)) facts = read_error(document.root());
  if (!facts.found()) facts.message = body.empty() ? "an empty answer" : body;
  return waited(make_failure(who, facts));
}

}  // namespace clever::provider::internal
