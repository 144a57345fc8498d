#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "storage/engine.h"

namespace clever::storage {

/// Waits for notifications of a topic, without polling and without missing any:
///
///   for (;;) {
///     const auto seen = watch.changes();   // before looking
///     if (look()) break;
///     CLEVER_TRY(watch.wait(seen, stop, deadline));
///   }
///
/// Thread-safe. The engine must outlive it.
class TopicWatch {
 public:
  TopicWatch(Engine& engine, std::string topic);

  /// How often the topic was notified so far.
  [[nodiscard]] std::uint64_t changes() const;
  /// Returns once it was notified more often than `seen`. `cancelled`, `deadline_exceeded`.
  base::Result<void> wait(std::uint64_t seen, const base::StopToken& stop, base::Deadline deadline);

 private:
  base::Monitor<std::uint64_t> changes_;
  // Declared last: after its end no callback comes.
  std::unique_ptr<Subscription> subscription_;
};

}  // namespace clever::storage
