#include "support/model_server.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/guarded.h"
#include "provider/scripted/script_error.h"
#include "provider/scripted/script_player.h"
#include "support/internal/served_wire.h"

namespace clever::test {
namespace {

using internal::Frame;
using internal::json;
using internal::LimitState;
using internal::LimitStates;
using internal::ServedRequest;
using internal::ServedWire;
using provider::FailureKind;
using provider::ScriptedAnswer;
using provider::ScriptedDamage;
using provider::ScriptedReply;
using std::chrono::milliseconds;

constexpr std::string_view kPage =
    "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>It works!</body></html>\n";

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// The path without query.
std::string path_of(const SeenRequest& seen) {
  return seen.target.substr(0, seen.target.find('?'));
}

const ServedWire* wire_of(const std::string& path) {
  if (path.ends_with("/chat/completions")) return &internal::openai_chat_wire();
  if (path.ends_with("/responses")) return &internal::openai_responses_wire();
  if (path.ends_with("/messages")) return &internal::anthropic_wire();
  if (path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent"))
    return &internal::gemini_wire();
  if (path.ends_with("/api/chat")) return &internal::ollama_wire();
  return nullptr;
}

std::string key_of(const SeenRequest& seen) {
  const std::string bearer = seen.header("authorization");
  if (bearer.starts_with("Bearer ")) return bearer.substr(7);
  for (const char* name : {"x-api-key", "x-goog-api-key", "api-key"}) {
    if (const std::string key = seen.header(name); !key.empty()) return key;
  }
  const std::size_t query = seen.target.find("key=");
  return query == std::string::npos
             ? ""
             : seen.target.substr(query + 4, seen.target.find('&', query) - query - 4);
}

// What was used in the last window.
class Meter {
 public:
  explicit Meter(std::optional<std::int64_t> limit, milliseconds window)
      : limit_(limit), window_(window) {}

  // How long until `amount` fits; zero if it does now.
  milliseconds wait_for(std::int64_t amount, base::TimePoint now) {
    forget(now);
    if (!limit_ || used_ + amount <= *limit_ || uses_.empty()) return milliseconds{0};
    std::int64_t left = used_;
    for (const Use& use : uses_) {
      left -= use.amount;
      if (left + amount <= *limit_) return std::chrono::ceil<milliseconds>(use.at + window_ - now);
    }
    return window_;
  }
  void use(std::int64_t amount, base::TimePoint now) {
    uses_.push_back({now, amount});
    used_ += amount;
  }
  std::optional<LimitState> state(base::TimePoint now) {
    forget(now);
    if (!limit_) return std::nullopt;
    const milliseconds reset =
        uses_.empty() ? milliseconds{0}
                      : std::chrono::ceil<milliseconds>(uses_.back().at + window_ - now);
    return LimitState{*limit_, std::max<std::int64_t>(*limit_ - used_, 0), reset};
  }

 private:
  struct Use {
    base::TimePoint at;
    std::int64_t amount;
  };
  void forget(base::TimePoint now) {
    while (!uses_.empty() && uses_.front().at + window_ <= now) {
      used_ -= uses_.front().amount;
      uses_.pop_front();
    }
  }

  const std::optional<std::int64_t> limit_;
  const milliseconds window_;
  std::deque<Use> uses_;
  std::int64_t used_ = 0;
};

HttpReply json_reply(int status, const json& body) {
  return whole_reply(text_of(body), "application/json", status);
}

void append(std::vector<io::HttpHeader>& headers, std::vector<io::HttpHeader> more) {
  headers.insert(headers.end(), more.begin(), more.end());
}

// JSON with something in the middle that is none; it does not end early, which would be a cut.
std::string broken(std::string text) {
  const std::size_t middle = text.size() - text.size() / 3;
  return text.insert(middle, "}#\"#{");
}

// A good answer, as one body.
HttpReply whole_answer(const ServedWire& wire, const ScriptedReply& reply,
                       const ServedRequest& request) {
  const std::string body = text_of(wire.whole(reply, request));
  HttpReply http = whole_reply(body, "application/json");
  const std::string half = body.substr(0, body.size() / 2);
  if (reply.cut || reply.damage == ScriptedDamage::kLength) {
    http.steps = {Send{half}, Cut{.reset = false}};
    http.content_length = body.size();
  } else if (reply.damage != ScriptedDamage::kNone) {
    http = whole_reply(broken(body) + "\n", "application/json");
  }
  return http;
}

// The frames that the script lets through.
std::vector<Frame> kept_frames(std::vector<Frame> frames, const ScriptedReply& reply) {
  std::size_t count = 0;
  std::vector<Frame> kept;
  for (Frame& frame : frames) {
    if (frame.piece && reply.cut && count == *reply.cut) return kept;
    if (frame.piece && ++count == 1 && reply.damage == ScriptedDamage::kJson) {
      frame.bytes = broken(std::move(frame.bytes));
    }
    kept.push_back(std::move(frame));
  }
  // Cut after the last piece: the end itself is missing.
  if (reply.cut || reply.damage == ScriptedDamage::kLength) kept.pop_back();
  return kept;
}

// A good answer in pieces, with what the script does to it.
HttpReply streamed_answer(const ServedWire& wire, const ScriptedReply& reply,
                          const ServedRequest& request) {
  HttpReply http{
      .headers = {{"content-type", std::string(wire.stream_type())}, {"cache-control", "no-cache"}},
      .framing = Framing::kChunked};
  if (reply.damage == ScriptedDamage::kSse) {
    http.steps = {Send{"this is no event\n\ndata: nothing that could be read\n\n"}};
    return http;
  }
  bool first = true;
  for (Frame& frame : kept_frames(wire.frames(reply, request), reply)) {
    const bool waits = frame.piece && !std::exchange(first, false);
    if (waits && reply.chunk_delay > milliseconds{0})
      http.steps.emplace_back(Wait{reply.chunk_delay});
    http.steps.emplace_back(Send{std::move(frame.bytes)});
  }
  if (reply.cut || reply.damage == ScriptedDamage::kLength) {
    http.steps.emplace_back(Cut{.reset = false});
  }
  return http;
}

}  // namespace

class ModelServer::Service {
 public:
  Service(provider::Script script, ModelServerOptions options)
      : options_(std::move(options)),
        clock_(options_.clock == nullptr ? system_clock_ : *options_.clock),
        start_(clock_.now()),
        player_(std::move(script)),
        state_(std::in_place, options_.limits) {}

  HttpReply handle(const SeenRequest& seen) {
    const std::string path = path_of(seen);
    if (seen.method == "GET") return list(path, seen);
    const ServedWire* wire = wire_of(path);
    if (wire == nullptr) return whole_reply("404 page not found\n", "text/plain", 404);
    HttpReply reply = answer(*wire, seen);
    append(reply.headers, wire->limit_headers(limits()));
    reply.headers.push_back({"x-request-id", "req_" + std::to_string(seen.number)});
    reply.headers.push_back({"request-id", "req_" + std::to_string(seen.number)});
    return reply;
  }
  [[nodiscard]] ModelServerCounts counts() const {
    return state_.with([](const State& state) { return state.counts; });
  }
  [[nodiscard]] std::vector<provider::ModelRequest> understood() const {
    return state_.with([](const State& state) { return state.understood; });
  }

 private:
  struct State {
    explicit State(const ModelLimits& limits)
        : requests(limits.requests, limits.window), tokens(limits.tokens, limits.window) {}
    Meter requests;
    Meter tokens;
    ModelServerCounts counts;
    std::vector<provider::ModelRequest> understood;
  };

  HttpReply list(const std::string& path, const SeenRequest& seen) {
    if (!options_.key.empty() && key_of(seen) != options_.key)
      return json_reply(401, internal::openai_chat_wire().error(FailureKind::kBadKey, 401,
                                                                "Incorrect API key provided.", {}));
    std::vector<std::string> names = options_.models;
    if (names.empty()) names.emplace_back("scripted");
    json models = json::array();
    if (path.ends_with("/api/version")) return json_reply(200, {{"version", "0.6.0"}});
    if (path.ends_with("/health")) return json_reply(200, {{"status", "ok"}});
    for (const std::string& name : names) models.push_back(model_entry(path, seen, name));
    if (path.ends_with("/api/tags") || path.find("v1beta") != std::string::npos)
      return json_reply(200, {{"models", models}});
    if (!path.ends_with("/models")) return whole_reply("404 page not found\n", "text/plain", 404);
    json body{{"object", "list"}, {"data", models}};
    if (!seen.header("anthropic-version").empty())
      body = {{"data", models},
              {"has_more", false},
              {"first_id", names.front()},
              {"last_id", names.back()}};
    return json_reply(200, body);
  }
  static json model_entry(const std::string& path, const SeenRequest& seen,
                          const std::string& name) {
    if (path.ends_with("/api/tags"))
      return {{"name", name}, {"model", name}, {"modified_at", "2026-01-01T00:00:00Z"},
              {"size", 1},    {"digest", "0"}, {"details", json::object()}};
    if (path.find("v1beta") != std::string::npos)
      return {{"name", "models/" + name},
              {"displayName", name},
              {"supportedGenerationMethods", {"generateContent", "countTokens"}}};
    if (!seen.header("anthropic-version").empty())
      return {{"type", "model"},
              {"id", name},
              {"display_name", name},
              {"created_at", "2026-01-01T00:00:00Z"}};
    return {
        {"id", name}, {"object", "model"}, {"created", 1'700'000'000}, {"owned_by", "scripted"}};
  }

  LimitStates limits() {
    const base::TimePoint now = clock_.now();
    return state_.with([&](State& state) {
      return LimitStates{state.requests.state(now), state.tokens.state(now), clock_.wall_now()};
    });
  }

  HttpReply failed(const ServedWire& wire, FailureKind kind, const std::string& message,
                   int status = 0, std::optional<milliseconds> retry_after = {}) {
    if (status == 0) status = wire.status(kind);
    HttpReply reply = json_reply(status, wire.error(kind, status, message, retry_after));
    if (retry_after) append(reply.headers, wire.retry_headers(*retry_after));
    return reply;
  }
  HttpReply rejected(const ServedWire& wire, const std::string& message) {
    state_.with([&](State& state) {
      ++state.counts.rejected;
      state.counts.last_rejection = message;
    });
    return failed(wire, FailureKind::kBadRequest, message, 400);
  }

  HttpReply answer(const ServedWire& wire, const SeenRequest& seen) {
    if (!options_.key.empty() && key_of(seen) != options_.key)
      return failed(wire, FailureKind::kBadKey, "Incorrect API key provided.");
    if (overloaded_now()) {
      state_.with([](State& state) { ++state.counts.overloaded; });
      return failed(wire, FailureKind::kOverloaded, "Overloaded");
    }
    const json body = json::parse(seen.body, nullptr, /*allow_exceptions=*/false);
    if (!body.is_object())
      return rejected(wire, "We could not parse the JSON body of your request.");
    auto request = options_.loose ? internal::read_loosely(seen, body) : wire.read(seen, body);
    if (!request.ok()) return rejected(wire, request.error().message());
    if (!options_.models.empty() &&
        std::ranges::find(options_.models, request->model) == options_.models.end()) {
      return failed(
          wire, FailureKind::kUnknownModel,
          "The model `" + request->model + "` does not exist or you do not have access to it.");
    }
    return limited_answer(wire, *request);
  }

  bool overloaded_now() const {
    const auto time = clock_.now() - start_;
    return std::ranges::any_of(options_.walls, [&](const OverloadWall& wall) {
      return time >= wall.from && time < wall.until;
    });
  }

  HttpReply limited_answer(const ServedWire& wire, const ServedRequest& request) {
    const provider::ScriptQuery query = provider::script_query(request.model, request.request);
    const auto input = static_cast<std::int64_t>(query.bytes / 4);
    const base::TimePoint now = clock_.now();
    const milliseconds wait = state_.with([&](State& state) {
      const milliseconds longest =
          std::max(state.requests.wait_for(1, now), state.tokens.wait_for(input, now));
      if (longest > milliseconds{0}) {
        ++state.counts.above_limit;
      } else {
        state.requests.use(1, now);
        state.understood.push_back(request.request);
      }
      return longest;
    });
    if (wait > milliseconds{0}) {
      const auto retry_after = options_.limits.say_retry_after ? std::optional(wait) : std::nullopt;
      return failed(wire, FailureKind::kRateLimited, "Rate limit reached. Please slow down.", 429,
                    retry_after);
    }
    return scripted_answer(wire, request, query);
  }

  HttpReply scripted_answer(const ServedWire& wire, const ServedRequest& request,
                            const provider::ScriptQuery& query) {
    const auto chosen = player_.answer(query);
    if (const auto* failure = std::get_if<provider::Failure>(&chosen))
      return failed(wire, FailureKind::kBadRequest, failure->message, 400);
    const ScriptedReply& reply = std::get<ScriptedAnswer>(chosen).reply;
    const provider::Usage used = reply.usage.value_or(provider::Usage{});
    state_.with([&](State& state) {
      ++state.counts.answered;
      state.tokens.use(used.input + used.output, clock_.now());
    });
    HttpReply http =
        reply.error ? error_answer(wire, *reply.error) : good_answer(wire, reply, request);
    if (reply.delay > milliseconds{0})
      http.before_head.insert(http.before_head.begin(), Wait{reply.delay});
    return http;
  }
  static HttpReply good_answer(const ServedWire& wire, const ScriptedReply& reply,
                               const ServedRequest& request) {
    if (reply.damage == ScriptedDamage::kHtml) return whole_reply(std::string(kPage), "text/html");
    return request.request.stream ? streamed_answer(wire, reply, request)
                                  : whole_answer(wire, reply, request);
  }
  HttpReply error_answer(const ServedWire& wire, const provider::ScriptedError& error) {
    if (error.status == 0) {
      if (error.kind == FailureKind::kConnection) return {.before_head = {Cut{}}};
      if (error.kind == FailureKind::kTimeout) return {.before_head = {Stall{}}};
      if (error.kind == FailureKind::kCut) return {.framing = Framing::kChunked, .steps = {Cut{}}};
      if (error.kind == FailureKind::kMalformed)
        return whole_reply("{\"half\": #}\n", "application/json");
      if (error.kind == FailureKind::kMisconfigured)
        return whole_reply(std::string(kPage), "text/html");
    }
    const std::string message =
        error.message.empty() ? std::string(to_string(error.kind)) : error.message;
    HttpReply reply = failed(wire, error.kind, message, error.status, error.retry_after);
    if (!error.body.empty()) reply.steps = {Send{error.body}};
    return reply;
  }

  base::SystemClock system_clock_;
  const ModelServerOptions options_;
  base::Clock& clock_;
  const base::TimePoint start_;
  provider::ScriptPlayer player_;
  base::Guarded<State> state_;
};

ModelServer::ModelServer(provider::Script script, ModelServerOptions options) {
  HttpServerOptions http = options.http;
  service_ = std::make_unique<Service>(std::move(script), std::move(options));
  server_ = std::make_unique<HttpServer>(
      [this](const SeenRequest& seen) { return service_->handle(seen); }, std::move(http));
}
ModelServer::~ModelServer() = default;

std::string ModelServer::url(std::string_view path) const {
  std::string url = server_->url(path.empty() ? "/" : path);
  if (path.empty()) url.pop_back();
  return url;
}
HttpServer& ModelServer::http() { return *server_; }
ModelServerCounts ModelServer::counts() const { return service_->counts(); }
std::vector<provider::ModelRequest> ModelServer::understood() const {
  return service_->understood();
}

}  // namespace clever::test
