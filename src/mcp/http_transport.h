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
  /// Of the user: credentials and the like. Those of the protocol win.
  std::map<std::string, std::string> headers{};
  std::size_t largest_message = std::size_t{32} << 20U;
};

/// Streamable HTTP: each message a POST, each answer a JSON text or an event stream. With the
/// revisions before 2026-07-28 also a session id, a GET stream for what the server says by itself,
/// the resumption of streams that broke off (Last-Event-ID), and DELETE at the end.
///
/// Without a thread of its own: the sink is called on the client's network thread. Neither made nor
/// destroyed there. The client must outlive it.
[[nodiscard]] std::unique_ptr<Transport> make_http_transport(io::Http& http,
                                                             HttpTransportOptions options);

}  // namespace clever::mcp
