#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "io/http.h"
#include "mcp/transport.h"

namespace clever::mcp {

struct HttpTransportOptions {
  std::string server_name;
  std::string url;
  /// The user's headers, such as credentials. The protocol's own override them.
  std::map<std::string, std::string> headers{};
  std::size_t largest_message = std::size_t{32} << 20U;
};

/// Streamable HTTP: each message is a POST, each answer a JSON text or an event stream. Revisions
/// before 2026-07-28 also have a session id, a GET stream for the server's own messages, the
/// resumption of broken streams (Last-Event-ID), and DELETE at the end.
///
/// Has no thread of its own: the client's network thread calls the sink. Must not be made or
/// destroyed on that thread. The client must outlive it.
[[nodiscard]] std::unique_ptr<Transport> make_http_transport(io::Http& http,
                                                             HttpTransportOptions options);

}  // namespace clever::mcp
