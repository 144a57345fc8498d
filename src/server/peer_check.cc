#include "server/peer_check.h"

namespace clever::server {

bool PeerCheck::knows(const http::Peer& peer) const {
  return admitted_.with([&](const auto& all) { return all.contains(peer.connection); });
}

bool PeerCheck::admits(const http::Peer& peer) {
  if (knows(peer)) return true;
  if (is_confined_(peer)) return false;
  admitted_.with([&](auto& all) {
    all.insert(peer.connection);
    if (all.size() > kMostConnections) all.erase(all.begin());
  });
  return true;
}

}  // namespace clever::server
