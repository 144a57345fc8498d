#include <chrono>
#include <utility>

#include "base/text.h"
#include "io/http_fetch.h"
#include "model/document_json.h"
#include "service/commands/login.h"
#include "service/wire/server_logins.h"
#include "service/wire/wire_document.h"

namespace clever::service {
namespace {

constexpr std::chrono::seconds kLoginAnswerTakes{30};
constexpr std::size_t kLongestAnswer = std::size_t{1} << 20U;

}  // namespace

base::Result<ServerReply> ask_server(const ServerRequest& request, Context& context) {
  io::HttpRequest http{.method = request.method,
                       .url = server_url(request.address) + request.path,
                       .headers = {{"Accept", "application/json"}},
                       .answer_limit = kLongestAnswer};
  if (!request.token.empty()) {
    context.redactor().add(request.token);
    http.headers.push_back({"Authorization", "Bearer " + request.token});
  }
  if (request.method != "GET") {
    http.headers.push_back({"Content-Type", "application/json"});
    http.body = model::to_json(request.body.is_null() ? model::Document::map() : request.body);
  }
  auto answer = io::fetch(context.models().http(), std::move(http), context.stop(),
                          base::Deadline::after(context.clock(), kLoginAnswerTakes));
  if (!answer.ok()) return std::move(answer).error().add_context(request.address);
  auto body = model::parse_document(answer->body);
  if (!body.ok() || !body->is_map()) {
    return base::unavailable(request.address + " does not answer like an agents server (HTTP " +
                             std::to_string(answer->head.status) + ")");
  }
  return ServerReply{answer->head.status, *std::move(body)};
}

base::Error refusal_of(const ServerReply& reply) {
  const auto code = base::error_code_from_string(text_at(reply.body, "code"));
  std::string text = text_at(reply.body, "detail");
  if (text.empty()) text = "the server answered with HTTP " + std::to_string(reply.status);
  return {code.value_or(base::ErrorCode::kPermissionDenied), std::move(text)};
}

base::Result<std::string> named_server(const Invocation& invocation, const Context& context) {
  if (!invocation.words().empty()) return server_address(invocation.word(0));
  if (const auto named = invocation.value("server")) return server_address(*named);
  const auto variable = context.environment().value("CLEVERAGENTS_SERVER");
  if (variable && !variable->empty()) return server_address(*variable);
  CLEVER_ASSIGN(const auto known, servers_with_login(context.home()));
  if (known.size() == 1) return known[0];
  return base::invalid_argument(known.empty() ? "no login is stored: `agents login URL` stores one"
                                              : "name the server: " + base::joined(known));
}

}  // namespace clever::service
