#include "server/peer_check.h"

namespace clever::server {

bool PeerCheck::admits(const http::Peer& peer) {
  using Numbers = std::set<std::uint64_t>;
  const auto known = [&](const Numbers& all) { return all.contains(peer.connection); };
  if (admitted_.with(known)) return true;
  if (is_confined_(peer)) return false;
  admitted_.with([&](Numbers& all) {
    all.insert(peer.connection);
    if (all.size() > kMostConnections) all.erase(all.begin());
  });
  return true;
}

}  // namespace clever::server
