#include "http/internal/admission.h"

namespace clever::http::internal {

bool Admission::enter(const Peer& peer) {
  if (count_ >= limits_.connections) return false;
  if (!peer.unix_socket) {
    const auto [at, added] = by_address_.try_emplace(peer.address, 0);
    if (at->second >= limits_.connections_per_address) return false;
    ++at->second;
  }
  ++count_;
  return true;
}

void Admission::leave(const Peer& peer) {
  --count_;
  if (peer.unix_socket) return;
  const auto at = by_address_.find(peer.address);
  if (--at->second == 0) by_address_.erase(at);
}

}  // namespace clever::http::internal
