#pragma once
#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "base/sha256.h"
#include "engine/plan_store.h"
#include "model/id.h"
#include "model/message.h"
#include "provider/conversation.h"

namespace clever::engine::internal {

/// The words behind the hashes that plans keep, with the last read ones in memory: a turn asks for
/// what the turn before asked for, and two messages more.
///
/// Thread-safe; reading blocks. The store must outlive it.
class Messages {
 public:
  using Loaded = std::shared_ptr<const model::Message>;

  /// Keeps at most so many bytes of JSON, as much again of what wires made of it, and the messages
  /// of the last few conversations.
  Messages(PlanStore& store, std::size_t limit) : store_(store), limit_(limit) {}

  /// In the order asked for. `not_found`, `corruption`.
  [[nodiscard]] base::Result<std::vector<Loaded>> load(
      const std::vector<base::Sha256Digest>& hashes);
  [[nodiscard]] base::Result<Loaded> load(const base::Sha256Digest& hash);
  /// The same, sharing what is kept; `plan` is whose conversation it is, which is expected to be
  /// asked for again, a little longer.
  [[nodiscard]] base::Result<provider::Conversation> conversation(
      const model::PlanId& plan, std::vector<base::Sha256Digest> hashes);
  /// What is about to be stored need not be read from there.
  void remember(const model::Message& message);

 private:
  using Shared = std::shared_ptr<const provider::SharedMessage>;
  struct Entry {
    base::Sha256Digest hash{};
    Shared message{};
    std::size_t bytes = 0;
  };
  struct Kept {
    /// The last used one first.
    std::list<Entry> entries{};
    std::unordered_map<base::Sha256Digest, std::list<Entry>::iterator> by_hash{};
    std::size_t bytes = 0;
  };
  /// A conversation as it was asked for last.
  struct Thread {
    model::PlanId plan{};
    std::vector<base::Sha256Digest> hashes{};
    std::vector<Shared> messages{};
  };
  static constexpr std::size_t kThreads = 16;
  [[nodiscard]] Thread take_thread(const model::PlanId& plan);
  void keep_thread(Thread thread);
  [[nodiscard]] base::Result<std::vector<Shared>> shared(
      const std::vector<base::Sha256Digest>& hashes);
  [[nodiscard]] std::vector<Shared> find(const std::vector<base::Sha256Digest>& hashes);
  void keep(std::vector<Entry> entries);

  PlanStore& store_;
  const std::size_t limit_;
  base::Guarded<Kept> kept_;
  /// The last used one last.
  base::Guarded<std::vector<Thread>> threads_;
};

}  // namespace clever::engine::internal
