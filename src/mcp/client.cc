#include "mcp/client.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/guarded.h"
#include "mcp/internal/connection.h"
#include "mcp/internal/handshake.h"
#include "mcp/internal/tool_content.h"
#include "mcp/internal/tool_reader.h"

namespace clever::mcp {
namespace {

using internal::CallTable;
using internal::Connection;
using internal::Json;
using internal::member;
using internal::Outcome;
using internal::RpcError;
using internal::ToolList;

constexpr int kMostPages = 200;
constexpr int kMostRounds = 8;
constexpr std::chrono::milliseconds kLongestFreshness = std::chrono::hours{24};

/// A list of tools, and until when it is valid.
struct KnownTools {
  std::shared_ptr<const ToolList> list{};
  std::uint64_t changes = 0;
  /// None: valid until the server announces a change.
  std::optional<base::TimePoint> stale_at{};
};

}  // namespace

class Client::Impl {
 public:
  Impl(std::unique_ptr<Connection> connection, base::Clock& clock, ClientOptions options,
       internal::Agreement agreement)
      : clock_(clock),
        options_(std::move(options)),
        agreement_(std::move(agreement)),
        connection_(std::move(connection)) {}

  [[nodiscard]] ServerFacts facts() const { return agreement_.facts; }
  [[nodiscard]] Era era() const { return agreement_.era; }
  [[nodiscard]] bool alive() const { return connection_->alive(); }
  [[nodiscard]] std::vector<std::string> remarks() const { return connection_->remarks(); }

  base::Result<std::vector<ServerTool>> tools(const base::StopToken& stop,
                                              base::Deadline deadline) {
    CLEVER_ASSIGN(const auto list, listed({.stop = stop, .deadline = deadline, .on_progress = {}}));
    return list->tools;
  }

  base::Result<ToolResult> call(std::string_view tool, std::string_view arguments,
                                const CallOptions& options) {
    auto result = answer(tool, arguments, options);
    return std::move(result).context("calling the tool " + std::string(tool) +
                                     " of the MCP server " + options_.server_name);
  }

  base::Result<void> ping(const base::StopToken& stop, base::Deadline deadline) {
    const CallOptions limits{.stop = stop, .deadline = deadline, .on_progress = {}};
    const std::string_view method = modern() ? "server/discover" : "ping";
    const Outcome outcome = connection_->request(method, params(), limits);
    if (!std::holds_alternative<Json>(outcome)) return failure(outcome, method);
    return {};
  }

 private:
  [[nodiscard]] bool modern() const { return agreement_.era == Era::kModern; }
  [[nodiscard]] bool with_headers() const {
    return modern() && connection_->transport().has_headers();
  }

  [[nodiscard]] Json params() const {
    if (!modern()) return Json::object();
    return {{"_meta", internal::modern_meta(options_)}};
  }

  [[nodiscard]] base::Error failure(const Outcome& outcome, std::string_view doing) const {
    return internal::error_of(outcome, doing);
  }

  // ---- the list of tools

  base::Result<std::shared_ptr<const ToolList>> listed(const CallOptions& limits) {
    if (auto known = fresh()) return known;
    watch_changes();
    // Read before the first page: a change meanwhile makes the list stale.
    KnownTools fetched{.changes = connection_->tool_changes()};
    CLEVER_ASSIGN(fetched.list, fetch(limits, fetched.stale_at));
    known_.with([&](KnownTools& known) { known = fetched; });
    return fetched.list;
  }

  // Null if the list has to be fetched.
  [[nodiscard]] std::shared_ptr<const ToolList> fresh() const {
    const KnownTools known = known_.with([](const KnownTools& held) { return held; });
    if (known.list == nullptr || known.changes != connection_->tool_changes()) return nullptr;
    if (modern() && !watched() && (!known.stale_at || clock_.now() >= *known.stale_at)) {
      return nullptr;
    }
    return known.list;
  }

  [[nodiscard]] bool watched() const {
    return subscription_.with([](const std::optional<CallTable::Opened>& subscription) {
      return subscription.has_value();
    }) && !subscription_ended();
  }

  [[nodiscard]] bool subscription_ended() const {
    const auto subscription =
        subscription_.with([](const std::optional<CallTable::Opened>& held) { return held; });
    return subscription && subscription->call->settled();
  }

  // Asks the server to announce changes of its tools, if it can.
  void watch_changes() {
    if (!internal::truth_of(member(member(agreement_.capabilities, "tools"), "listChanged"),
                            false)) {
      return;
    }
    if (!modern()) return connection_->transport().listen();
    if (watched()) return;
    Json wanted = params();
    wanted["notifications"] = {{"toolsListChanged", true}};
    auto opened = connection_->open("subscriptions/listen", std::move(wanted));
    if (!opened.ok()) return;
    connection_->subscribed(opened->number);
    subscription_.with([&](std::optional<CallTable::Opened>& held) { held = *opened; });
  }

  base::Result<std::shared_ptr<const ToolList>> fetch(const CallOptions& limits,
                                                      std::optional<base::TimePoint>& stale_at) {
    auto list = std::make_shared<ToolList>();
    Json wanted = params();
    for (int page = 0; page < kMostPages; ++page) {
      const Outcome outcome = connection_->request("tools/list", wanted, limits);
      const auto* result = std::get_if<Json>(&outcome);
      if (result == nullptr) return failure(outcome, "tools/list");
      CLEVER_TRY(internal::read_tools(*result, with_headers(), *list));
      note_freshness(*result, stale_at);
      const Json& cursor = member(*result, "nextCursor");
      if (!cursor.is_string()) {
        for (const std::string& remark : list->remarks) connection_->remark(remark);
        return std::shared_ptr<const ToolList>(std::move(list));
      }
      wanted["cursor"] = cursor;
    }
    return base::resource_exhausted("its list of tools has more than " +
                                    std::to_string(kMostPages) + " pages");
  }

  // The shortest validity of all pages counts.
  void note_freshness(const Json& result, std::optional<base::TimePoint>& stale_at) const {
    const Json& ttl = member(result, "ttlMs");
    const double most = static_cast<double>(kLongestFreshness.count());
    const double wanted = ttl.is_number() ? std::clamp(ttl.get<double>(), 0.0, most) : 0.0;
    const auto until = clock_.now() + std::chrono::milliseconds(static_cast<std::int64_t>(wanted));
    stale_at = stale_at ? std::min(*stale_at, until) : until;
  }

  // ---- calls

  base::Result<ToolResult> answer(std::string_view tool, std::string_view text,
                                  const CallOptions& options) {
    CLEVER_ASSIGN(Json arguments, internal::read_object(text, "the arguments of a tool"));
    Json wanted = params();
    wanted["name"] = tool;
    wanted["arguments"] = std::move(arguments);
    bool mended = false;
    for (int round = 0; round < kMostRounds; ++round) {
      CLEVER_ASSIGN(auto extras, extras_of(tool, wanted["arguments"], options));
      const Outcome outcome = connection_->request("tools/call", wanted, options, extras);
      if (headers_changed(outcome) && !std::exchange(mended, true)) {
        known_.with([](KnownTools& known) { known = {}; });
        continue;
      }
      const auto* result = std::get_if<Json>(&outcome);
      if (result == nullptr) return failure(outcome, "tools/call");
      if (!wants_input(*result)) return complete(*result);
      CLEVER_TRY(give_input(*result, wanted));
    }
    return base::unavailable("it asked for more input " + std::to_string(kMostRounds) + " times");
  }

  [[nodiscard]] bool headers_changed(const Outcome& outcome) const {
    const auto* error = std::get_if<RpcError>(&outcome);
    return with_headers() && error != nullptr && error->code == internal::kHeaderMismatch;
  }

  base::Result<internal::RequestExtras> extras_of(std::string_view tool, const Json& arguments,
                                                  const CallOptions& options) {
    internal::RequestExtras extras{.name = std::string(tool)};
    if (!with_headers()) return extras;
    std::shared_ptr<const ToolList> list =
        known_.with([](const KnownTools& known) { return known.list; });
    if (list == nullptr) {
      const CallOptions limits{
          .stop = options.stop, .deadline = options.deadline, .on_progress = {}};
      CLEVER_ASSIGN(list, listed(limits));
    }
    const auto found = list->headers.find(tool);
    if (found != list->headers.end()) {
      extras.parameters = internal::header_values(found->second, arguments);
    }
    return extras;
  }

  [[nodiscard]] bool wants_input(const Json& result) const {
    return modern() && member(result, "resultType") == "input_required";
  }

  [[nodiscard]] base::Result<ToolResult> complete(const Json& result) const {
    const Json& type = member(result, "resultType");
    if (modern() && !type.is_null() && type != "complete") {
      return base::corruption("it answered with the unknown result type " +
                              internal::shown(type.dump(), 100));
    }
    return internal::read_tool_result(result);
  }

  // Puts the requested input into the parameters of the next round.
  base::Result<void> give_input(const Json& result, Json& wanted) const {
    Json responses = Json::object();
    const Json& requests = member(result, "inputRequests");
    if (requests.is_object()) {
      for (const auto& [key, request] : requests.items()) {
        const std::string method = internal::text_of(member(request, "method"));
        if (method != "roots/list" || options_.roots.empty()) {
          return base::unavailable("it asks for " + internal::shown(method, 100) +
                                   ", which this client does not offer");
        }
        responses[key] = connection_->roots();
      }
    }
    wanted.erase("inputResponses");
    wanted.erase("requestState");
    if (!responses.empty()) wanted["inputResponses"] = std::move(responses);
    if (const Json& state = member(result, "requestState"); state.is_string()) {
      wanted["requestState"] = state;
    }
    if (!wanted.contains("inputResponses") && !wanted.contains("requestState")) {
      return base::corruption("it asks for input without saying which");
    }
    return {};
  }

  // Constant after construction.
  base::Clock& clock_;
  const ClientOptions options_;
  const internal::Agreement agreement_;
  // Guarded.
  base::Guarded<KnownTools> known_;
  base::Guarded<std::optional<CallTable::Opened>> subscription_;
  // Declared last: it ends first.
  const std::unique_ptr<Connection> connection_;
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;
ServerFacts Client::facts() const { return impl_->facts(); }
Era Client::era() const { return impl_->era(); }
base::Result<std::vector<ServerTool>> Client::tools(const base::StopToken& stop,
                                                    base::Deadline deadline) {
  return impl_->tools(stop, deadline);
}
base::Result<ToolResult> Client::call(std::string_view tool, std::string_view arguments,
                                      const CallOptions& options) {
  return impl_->call(tool, arguments, options);
}
base::Result<void> Client::ping(const base::StopToken& stop, base::Deadline deadline) {
  return impl_->ping(stop, deadline);
}
bool Client::alive() const { return impl_->alive(); }
std::vector<std::string> Client::remarks() const { return impl_->remarks(); }

base::Result<std::unique_ptr<Client>> Client::connect(std::unique_ptr<Transport> transport,
                                                      base::Clock& clock, ClientOptions options,
                                                      const base::StopToken& stop,
                                                      base::Deadline deadline) {
  auto connection = std::make_unique<Connection>(std::move(transport), clock, options.roots);
  auto agreement = internal::agree(*connection, clock, options, stop, deadline);
  if (!agreement.ok()) {
    return std::move(agreement).error().add_context("connecting to the MCP server " +
                                                    options.server_name);
  }
  return std::unique_ptr<Client>(new Client(std::make_unique<Impl>(
      std::move(connection), clock, std::move(options), std::move(*agreement))));
}

}  // namespace clever::mcp
