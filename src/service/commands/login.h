#pragma once
// What the login commands share. Private to the module.
#include <string>

#include "base/result.h"
#include "model/document.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"

namespace clever::service {

/// A question to a server's own routes. A value.
struct ServerRequest {
  /// server_address()
  std::string address{};
  std::string method = "GET";
  std::string path{};
  /// Empty: without.
  std::string token{};
  model::Document body{};
};
struct ServerReply {
  int status = 0;
  model::Document body{};
};
/// Any status is a reply; `unavailable` says that the server cannot be reached.
[[nodiscard]] base::Result<ServerReply> ask_server(const ServerRequest& request, Context& context);
/// A reply that is a refusal, in the server's words.
[[nodiscard]] base::Error refusal_of(const ServerReply& reply);

/// The server that is typed, or named by --server, else CLEVERAGENTS_SERVER, else the only one with
/// a login.
[[nodiscard]] base::Result<std::string> named_server(const Invocation& invocation,
                                                     const Context& context);

[[nodiscard]] Command login_approve_command();

}  // namespace clever::service
