#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "mcp/internal/message.h"
#include "mcp/transport.h"

namespace clever::mcp::internal {

/// A test server without process or network: passes what it receives to a function, on the sender's
/// thread; the test says what it sends. Thread-safe. Shared by the test and the transport made from
/// it.
class ScriptedServer : public std::enable_shared_from_this<ScriptedServer> {
 public:
  using React = std::function<void(ScriptedServer&, const Json& message)>;

  explicit ScriptedServer(React react, bool over_http = false)
      : over_http_(over_http), react_(std::move(react)) {}

  [[nodiscard]] std::unique_ptr<Transport> transport() {
    return std::make_unique<Way>(shared_from_this());
  }

  void say_text(std::string_view text, std::optional<RequestNumber> stream = {}) {
    if (TransportSink* sink = ear().sink) sink->on_message(text, stream);
  }
  void say(const Json& message) { say_text(message.dump()); }
  void answer(const Json& request, const Json& result) {
    say({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}});
  }
  void refuse(const Json& request, std::int64_t code, const Json& data = {}) {
    say({{"jsonrpc", "2.0"},
         {"id", request["id"]},
         {"error", {{"code", code}, {"message", "no"}, {"data", data}}}});
  }
  void notify(std::string_view method, const Json& params = Json::object()) {
    say({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  void lose(const Json& request, RequestLoss loss) {
    ear().sink->on_loss(request["id"].get<RequestNumber>(), std::move(loss));
  }
  void pause(const Json& request, std::chrono::milliseconds time) {
    ear().sink->on_pause(request["id"].get<RequestNumber>(), time);
  }
  void die(base::Error why) { ear().sink->on_close(std::move(why)); }

  /// All received requests of one method.
  [[nodiscard]] std::vector<Json> heard(std::string_view method) const {
    return state_.read([&](const State& state) {
      std::vector<Json> found;
      for (const Outgoing& message : state.heard) {
        if (message.method == method) found.push_back(Json::parse(message.text));
      }
      return found;
    });
  }
  [[nodiscard]] std::vector<Outgoing> sent() const {
    return state_.read([](const State& state) { return state.heard; });
  }
  [[nodiscard]] std::string revision() const {
    return state_.read([](const State& state) { return state.revision; });
  }
  [[nodiscard]] std::vector<RequestNumber> resumed() const {
    return state_.read([](const State& state) { return state.resumed; });
  }
  void wait_for(std::string_view method, std::size_t count) {
    state_
        .wait({}, base::Deadline::never(),
              [&](const State& state) {
                std::size_t seen = 0;
                for (const Outgoing& message : state.heard) seen += message.method == method;
                return seen >= count;
              })
        .value();
  }
  /// Refuses everything from now on.
  void stuff() {
    state_.update([](State& state) { state.stuffed = true; });
  }

 private:
  struct Ear {
    TransportSink* sink = nullptr;
  };
  struct State {
    Ear ear{};
    std::vector<Outgoing> heard{};
    std::string revision{};
    std::vector<RequestNumber> resumed{};
    bool stuffed = false;
  };

  class Way final : public Transport {
   public:
    explicit Way(std::shared_ptr<ScriptedServer> server) : server_(std::move(server)) {}
    ~Way() override {
      server_->state_.update([](State& state) { state.ear = {}; });
    }
    void start(TransportSink& sink) override {
      server_->state_.update([&](State& state) { state.ear.sink = &sink; });
    }
    base::Result<void> send(Outgoing message) override { return server_->hear(message); }
    bool abandon(RequestNumber) override { return server_->over_http_; }
    void use_protocol(std::string_view revision) override {
      server_->state_.update([&](State& state) { state.revision = revision; });
    }
    void resume(RequestNumber number) override {
      server_->state_.update([&](State& state) { state.resumed.push_back(number); });
    }
    [[nodiscard]] bool has_headers() const override { return server_->over_http_; }

   private:
    const std::shared_ptr<ScriptedServer> server_;
  };

  [[nodiscard]] Ear ear() const {
    return state_.read([](const State& state) { return state.ear; });
  }

  base::Result<void> hear(const Outgoing& message) {
    const bool stuffed = state_.update([&](State& state) {
      if (!state.stuffed) state.heard.push_back(message);
      return state.stuffed;
    });
    if (stuffed) return base::resource_exhausted("it does not read");
    react_(*this, Json::parse(message.text));
    return {};
  }

  const bool over_http_;
  const React react_;
  base::Monitor<State> state_;
};

/// Answers the handshake of 2025-11-25, and forwards everything else.
inline ScriptedServer::React legacy(ScriptedServer::React react,
                                    std::string revision = "2025-11-25") {
  return [react = std::move(react), revision = std::move(revision)](ScriptedServer& server,
                                                                    const Json& message) {
    const std::string method = text_of(member(message, "method"));
    if (method == "server/discover") {
      server.refuse(message, kMethodNotFound);
    } else if (method == "initialize") {
      server.answer(message, {{"protocolVersion", revision},
                              {"capabilities", {{"tools", {{"listChanged", true}}}}},
                              {"serverInfo", {{"name", "old"}, {"version", "1"}}},
                              {"instructions", "be kind"}});
    } else if (method != "notifications/initialized") {
      react(server, message);
    }
  };
}

/// Answers server/discover of 2026-07-28, and forwards everything else.
inline ScriptedServer::React modern(ScriptedServer::React react, bool list_changed = false) {
  return [react = std::move(react), list_changed](ScriptedServer& server, const Json& message) {
    if (member(message, "method") != "server/discover") return react(server, message);
    server.answer(
        message,
        {{"resultType", "complete"},
         {"supportedVersions", {"2026-07-28", "2025-11-25"}},
         {"capabilities", {{"tools", {{"listChanged", list_changed}}}}},
         {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "new"}, {"version", "2"}}}}}});
  };
}

inline Json tool_json(std::string_view name) {
  return {{"name", name}, {"inputSchema", {{"type", "object"}}}};
}
inline Json text_result(std::string_view text) {
  return {{"content", {{{"type", "text"}, {"text", text}}}}};
}

}  // namespace clever::mcp::internal
