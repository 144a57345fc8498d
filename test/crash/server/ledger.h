#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "crash/server/server_victim.h"
#include "model/document.h"

namespace clever::server::crash {

/// What clients know to be done, because the server said so. A value.
struct Entries {
  /// By id, with the task.
  std::map<std::string, std::string> plans{};
  /// By the session's id, in their order.
  std::map<std::string, std::vector<std::string>> messages{};
  /// By plan: what else it was told, and the approvals it was given.
  std::map<std::string, std::vector<std::string>> prompts{};
  std::map<std::string, std::size_t> approvals{};
  /// Requests whose outcome the server could not tell after it was killed.
  std::size_t unknown = 0;
  /// Answers that no client should get.
  std::vector<std::string> strange{};

  [[nodiscard]] std::size_t size() const;
};

/// The ledger of all clients. Thread-safe.
class Ledger {
 public:
  template <class F>
  void write(F&& entry) {
    entries_.with([&](Entries& entries) { entry(entries); });
  }
  [[nodiscard]] Entries read() const {
    return entries_.with([](const Entries& entries) { return entries; });
  }

 private:
  base::Guarded<Entries> entries_;
};

/// What of these a server does not have, or has more than once.
[[nodiscard]] std::vector<std::string> missing_in(const ServerVictim& server,
                                                  const Entries& entries);
/// The same of work that should be done: each plan at rest, each file written once; and no task was
/// taken twice.
[[nodiscard]] std::vector<std::string> undone_in(const ServerVictim& server,
                                                 const Entries& entries);

[[nodiscard]] std::string text_of(const model::Document& document, std::string_view key);

}  // namespace clever::server::crash
