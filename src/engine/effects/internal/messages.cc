#include "engine/effects/internal/messages.h"

namespace clever::engine::internal {
namespace {

base::Result<Messages::Loaded> parsed(const storage::Body& body) {
  auto messages = model::messages_from_json(body.content);
  if (!messages.ok() || messages->size() != 1) {
    return base::corruption("the message " + body.hash.to_hex() + " cannot be read");
  }
  return std::make_shared<const model::Message>(std::move(messages->front()));
}

}  // namespace

base::Result<std::vector<Messages::Loaded>> Messages::load(
    const std::vector<base::Sha256Digest>& hashes) {
  std::vector<Loaded> found = find(hashes);
  std::vector<base::Sha256Digest> missing;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (found[i] != nullptr) continue;
    missing.push_back(hashes[i]);
    places.push_back(i);
  }
  if (missing.empty()) return found;
  CLEVER_ASSIGN(const std::vector<storage::Body> bodies, store_.bodies(missing));
  std::vector<Entry> read;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    CLEVER_ASSIGN(found[places[i]], parsed(bodies[i]));
    read.push_back({bodies[i].hash, found[places[i]], bodies[i].content.size()});
  }
  keep(std::move(read));
  return found;
}

base::Result<Messages::Loaded> Messages::load(const base::Sha256Digest& hash) {
  CLEVER_ASSIGN(auto found, load(std::vector{hash}));
  return std::move(found.front());
}

std::vector<Messages::Loaded> Messages::find(const std::vector<base::Sha256Digest>& hashes) {
  return kept_.with([&](Kept& kept) {
    std::vector<Loaded> found;
    for (const base::Sha256Digest& hash : hashes) {
      const auto entry = kept.by_hash.find(hash);
      if (entry == kept.by_hash.end()) {
        found.emplace_back();
        continue;
      }
      kept.entries.splice(kept.entries.begin(), kept.entries, entry->second);
      found.push_back(entry->second->message);
    }
    return found;
  });
}

void Messages::keep(std::vector<Entry> entries) {
  const std::list<Entry> dropped = kept_.with([&](Kept& kept) {
    for (Entry& entry : entries) {
      if (entry.bytes > limit_ || kept.by_hash.contains(entry.hash)) continue;
      kept.bytes += entry.bytes;
      kept.entries.push_front(std::move(entry));
      kept.by_hash.emplace(kept.entries.front().hash, kept.entries.begin());
    }
    std::list<Entry> gone;
    while (kept.bytes > limit_) {
      kept.bytes -= kept.entries.back().bytes;
      kept.by_hash.erase(kept.entries.back().hash);
      gone.splice(gone.begin(), kept.entries, std::prev(kept.entries.end()));
    }
    return gone;
  });
}

}  // namespace clever::engine::internal
