#include "mcp/internal/handshake.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace clever::mcp::internal {
namespace {

constexpr std::string_view kPrefix = "io.modelcontextprotocol/";

Json client_info() { return {{"name", "cleveragents"}, {"version", CLEVER_VERSION}}; }

Json capabilities(const ClientOptions& options) {
  Json offered = Json::object();
  if (!options.roots.empty()) offered["roots"] = Json::object();
  return offered;
}

std::string key(std::string_view name) { return std::string(kPrefix).append(name); }

ServerFacts facts_of(std::string_view revision, const Json& info, const Json& result) {
  return {.protocol = std::string(revision),
          .name = shown(text_of(member(info, "name")), 200),
          .version = shown(text_of(member(info, "version")), 200),
          .instructions = text_of(member(result, "instructions")).substr(0, 16 << 10)};
}

bool contains(const Json& list, std::string_view revision) {
  return std::ranges::any_of(list, [&](const Json& item) { return item == revision; });
}

base::Error no_common_revision(std::string_view theirs) {
  return base::unavailable("it speaks revision " + shown(theirs, 200) +
                           " of the protocol; this client speaks 2026-07-28, 2025-11-25 and "
                           "2025-06-18");
}

/// What the first request showed.
struct Verdict {
  enum class Kind : std::uint8_t { kModern, kLegacy, kFailed };
  Kind kind = Kind::kLegacy;
  /// The revision for `initialize`.
  std::string revision{kLegacyRevisions[0]};
  std::optional<Agreement> agreement{};
  std::optional<base::Error> error{};
};

Verdict failed(base::Error error) {
  return {.kind = Verdict::Kind::kFailed, .error = std::move(error)};
}

// Returns the newest legacy revision in a modern server's list.
Verdict older(const Json& supported) {
  for (const std::string_view revision : kLegacyRevisions) {
    if (contains(supported, revision)) return {.revision = std::string(revision)};
  }
  return failed(no_common_revision(supported.dump()));
}

Verdict judge_result(const Json& result) {
  const Json& supported = member(result, "supportedVersions");
  if (!supported.is_array()) return {};
  if (!contains(supported, kModernRevision)) return older(supported);
  const Json& info = member(member(result, "_meta"), key("serverInfo"));
  Agreement agreement{.era = Era::kModern,
                      .facts = facts_of(kModernRevision, info, result),
                      .capabilities = member(result, "capabilities")};
  return {.kind = Verdict::Kind::kModern, .agreement = std::move(agreement)};
}

Verdict judge_refusal(const RpcError& error) {
  if (error.code == kUnsupportedProtocol) {
    const Json& supported = member(error.data, "supported");
    if (supported.is_array() && !contains(supported, kModernRevision)) return older(supported);
  }
  const bool modern = error.code == kUnsupportedProtocol || error.code == kMissingCapability ||
                      error.code == kHeaderMismatch;
  return modern ? failed(error_of(error, "server/discover")) : Verdict{};
}

Verdict judge_loss(const RequestLoss& loss) {
  const bool legacy = loss.status == 400 || loss.status == 404 || loss.status == 405 ||
                      loss.status == 406 || loss.status == 415 || loss.status == 422;
  return legacy ? Verdict{} : failed(loss.error);
}

Verdict judge(const Outcome& outcome) {
  if (const auto* result = std::get_if<Json>(&outcome)) return judge_result(*result);
  if (const auto* error = std::get_if<RpcError>(&outcome)) return judge_refusal(*error);
  return judge_loss(std::get<RequestLoss>(outcome));
}

/// One attempt to agree on a revision.
class Handshake {
 public:
  Handshake(Connection& connection, base::Clock& clock, const ClientOptions& options,
            const base::StopToken& stop, base::Deadline deadline)
      : connection_(connection),
        clock_(clock),
        options_(options),
        limits_{.stop = stop, .deadline = deadline, .on_progress = {}} {}

  base::Result<Agreement> run() {
    if (options_.era == Era::kLegacy) return initialize(kLegacyRevisions[0]);
    connection_.transport().use_protocol(kModernRevision);
    CLEVER_ASSIGN(auto probe,
                  connection_.open("server/discover", {{"_meta", modern_meta(options_)}}));
    auto outcome = connection_.wait(probe, probe_limits());
    if (outcome.ok()) return follow(judge(*outcome));
    if (limits_.stop.stop_requested() || limits_.deadline.passed()) {
      return std::move(outcome).error();
    }
    return initialize_silent(probe);
  }

 private:
  [[nodiscard]] CallOptions probe_limits() const {
    CallOptions limits = limits_;
    // A program may stay silent; an HTTP server answers.
    if (!connection_.transport().has_headers()) {
      const auto patience = base::Deadline::after(clock_, options_.probe_timeout);
      limits.deadline = limits.deadline.earlier(patience);
    }
    return limits;
  }

  base::Result<Agreement> follow(Verdict verdict) {
    if (verdict.kind == Verdict::Kind::kFailed) return std::move(*verdict.error);
    if (verdict.kind == Verdict::Kind::kLegacy) return initialize(verdict.revision);
    return std::move(*verdict.agreement);
  }

  // A slow modern server refuses `initialize`, but has answered the probe by then.
  base::Result<Agreement> initialize_silent(const CallTable::Opened& probe) {
    auto agreement = initialize(kLegacyRevisions[0]);
    if (connection_.forget(probe) || agreement.ok()) return agreement;
    auto outcome = connection_.wait(probe, {});
    if (!outcome.ok()) return agreement;
    Verdict verdict = judge(*outcome);
    if (verdict.kind != Verdict::Kind::kModern) return agreement;
    connection_.answer_requests(false);
    connection_.transport().use_protocol(kModernRevision);
    return std::move(*verdict.agreement);
  }

  base::Result<Agreement> initialize(std::string_view revision) {
    connection_.answer_requests(true);
    connection_.transport().use_protocol({});
    const Json params = {{"protocolVersion", revision},
                         {"capabilities", capabilities(options_)},
                         {"clientInfo", client_info()}};
    // Cannot be cancelled: giving up here ends the connection.
    CLEVER_ASSIGN(auto opened, connection_.open("initialize", params));
    CLEVER_ASSIGN(auto outcome, connection_.wait(opened, limits_));
    const auto* result = std::get_if<Json>(&outcome);
    if (result == nullptr) return error_of(outcome, "initialize");
    return accept(*result);
  }

  base::Result<Agreement> accept(const Json& result) {
    const std::string revision = text_of(member(result, "protocolVersion"));
    if (std::ranges::find(kLegacyRevisions, revision) == std::end(kLegacyRevisions)) {
      return no_common_revision(revision);
    }
    connection_.transport().use_protocol(revision);
    connection_.notify("notifications/initialized", Json::object());
    connection_.transport().listen();
    return Agreement{.era = Era::kLegacy,
                     .facts = facts_of(revision, member(result, "serverInfo"), result),
                     .capabilities = member(result, "capabilities")};
  }

  Connection& connection_;
  base::Clock& clock_;
  const ClientOptions& options_;
  const CallOptions limits_;
};

base::ErrorCode answer_code(std::int64_t code) {
  const bool bad_request = code >= -32602 && code <= -32600;
  return bad_request ? base::ErrorCode::kInvalidArgument : base::ErrorCode::kInternal;
}

}  // namespace

base::Result<Agreement> agree(Connection& connection, base::Clock& clock,
                              const ClientOptions& options, const base::StopToken& stop,
                              base::Deadline deadline) {
  return Handshake(connection, clock, options, stop, deadline).run();
}

Json modern_meta(const ClientOptions& options) {
  return {{key("protocolVersion"), kModernRevision},
          {key("clientInfo"), client_info()},
          {key("clientCapabilities"), capabilities(options)}};
}

base::Error error_of(const Outcome& outcome, std::string_view doing) {
  if (const auto* error = std::get_if<RpcError>(&outcome)) {
    return {answer_code(error->code), "it refused " + std::string(doing) + ": " + error->message +
                                          " (code " + std::to_string(error->code) + ")"};
  }
  if (const auto* loss = std::get_if<RequestLoss>(&outcome)) return loss->error;
  return base::corruption("it answered " + std::string(doing) + " with an unexpected message");
}

}  // namespace clever::mcp::internal
