#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/guarded.h"
#include "mcp/transport.h"

namespace clever::engine::internal {

/// A server of tests, without process or network: it answers on the thread of who asks. Its one
/// tool `echo` says what it is given. `silent`: it never answers anything.
class FakeMcpServer final : public mcp::Transport {
 public:
  explicit FakeMcpServer(bool silent = false) : silent_(silent) {}

  void start(mcp::TransportSink& sink) override {
    sink_.with([&](mcp::TransportSink*& own) { own = &sink; });
  }
  base::Result<void> send(mcp::Outgoing message) override {
    const auto request = nlohmann::json::parse(message.text);
    if (silent_ || !request.contains("id")) return {};
    const nlohmann::json answer = answer_to(request, message.method);
    mcp::TransportSink* sink = sink_.with([](mcp::TransportSink* own) { return Ear{own}; }).sink;
    if (sink != nullptr) sink->on_message(answer.dump(), {});
    return {};
  }
  bool abandon(mcp::RequestNumber) override { return false; }
  void use_protocol(std::string_view) override {}
  [[nodiscard]] bool has_headers() const override { return false; }

 private:
  struct Ear {
    mcp::TransportSink* sink = nullptr;
  };

  static nlohmann::json answer_to(const nlohmann::json& request, const std::string& method) {
    nlohmann::json answer{{"jsonrpc", "2.0"}, {"id", request["id"]}};
    if (method == "initialize") {
      answer["result"] = {{"protocolVersion", "2025-11-25"},
                          {"capabilities", {{"tools", nlohmann::json::object()}}},
                          {"serverInfo", {{"name", "fake"}, {"version", "1"}}}};
    } else if (method == "tools/list") {
      answer["result"]["tools"] = {
          {{"name", "echo"}, {"description", "Says it"}, {"inputSchema", {{"type", "object"}}}}};
    } else if (method == "tools/call") {
      const std::string text = request["params"]["arguments"].dump();
      answer["result"]["content"] = {{{"type", "text"}, {"text", "echo " + text}}};
    } else {
      answer["error"] = {{"code", -32601}, {"message", "no such method"}};
    }
    return answer;
  }

  // Constant after construction.
  const bool silent_;

  base::Guarded<mcp::TransportSink*> sink_{std::in_place, nullptr};
};

}  // namespace clever::engine::internal
