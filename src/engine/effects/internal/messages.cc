#include "engine/effects/internal/messages.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace clever::engine::internal {
namespace {

base::Result<std::shared_ptr<const provider::SharedMessage>> parsed(const storage::Body& body) {
  auto messages = model::messages_from_json(body.content);
  if (!messages.ok() || messages->size() != 1) {
    return base::corruption("the message " + body.hash.to_hex() + " cannot be read");
  }
  return std::make_shared<const provider::SharedMessage>(std::move(messages->front()));
}

}  // namespace

base::Result<std::vector<Messages::Loaded>> Messages::load(
    const std::vector<base::Sha256Digest>& hashes) {
  CLEVER_ASSIGN(const std::vector<Shared> found, shared(hashes));
  std::vector<Loaded> loaded;
  loaded.reserve(found.size());
  for (const Shared& each : found) loaded.emplace_back(each, &each->message());
  return loaded;
}

base::Result<provider::Conversation> Messages::conversation(
    const model::PlanId& plan, std::vector<base::Sha256Digest> hashes) {
  Thread thread = take_thread(plan);
  const auto [known, asked] = std::ranges::mismatch(thread.hashes, hashes);
  const auto same = std::distance(thread.hashes.begin(), known);
  thread.messages.resize(static_cast<std::size_t>(same));
  CLEVER_ASSIGN(std::vector<Shared> more, shared({asked, hashes.end()}));
  std::ranges::move(more, std::back_inserter(thread.messages));
  thread.hashes = std::move(hashes);
  provider::Conversation conversation;
  conversation.reserve(thread.messages.size() + 1);
  for (const Shared& each : thread.messages) conversation.push_back(each);
  keep_thread(std::move(thread));
  return conversation;
}

Messages::Thread Messages::take_thread(const model::PlanId& plan) {
  return threads_.with([&](std::vector<Thread>& threads) {
    Thread taken{.plan = plan};
    const auto found = std::ranges::find(threads, plan, &Thread::plan);
    if (found == threads.end()) return taken;
    taken = std::move(*found);
    threads.erase(found);
    return taken;
  });
}

void Messages::keep_thread(Thread thread) {
  const std::vector<Thread> dropped = threads_.with([&](std::vector<Thread>& threads) {
    std::vector<Thread> gone;
    if (threads.size() >= kThreads) {
      gone.push_back(std::move(threads.front()));
      threads.erase(threads.begin());
    }
    threads.push_back(std::move(thread));
    return gone;
  });
}

base::Result<std::vector<Messages::Shared>> Messages::shared(
    const std::vector<base::Sha256Digest>& hashes) {
  std::vector<Shared> found = find(hashes);
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

void Messages::remember(const model::Message& message) {
  // Keeps the message as readers of the JSON will see it.
  const storage::Body body = storage::Body::of(model::to_json({message}));
  auto read = parsed(body);
  if (read.ok()) keep({{body.hash, std::move(read).value(), body.content.size()}});
}

std::vector<Messages::Shared> Messages::find(const std::vector<base::Sha256Digest>& hashes) {
  return kept_.with([&](Kept& kept) {
    std::vector<Shared> found;
    found.reserve(hashes.size());
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
