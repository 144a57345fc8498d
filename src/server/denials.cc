#include "server/denials.h"

#include "base/text.h"

namespace clever::server {

void Denials::note(const http::Request& request, const std::string& caller,
                   const std::string& why) {
  if (caller.empty() && strangers_.add(request.peer.address)) return;
  const std::string from = request.peer.unix_socket ? "the unix socket" : request.peer.address;
  static_cast<void>(log_.append({.caller = caller,
                                 .action = request.method,
                                 .target = "/" + base::joined(request.path, "/"),
                                 .outcome = "denied",
                                 .detail = why + " (from " + from + ")"},
                                {}, stop_));
}

}  // namespace clever::server
