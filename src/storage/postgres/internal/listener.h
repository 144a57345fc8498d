#pragma once
#include <string>

#include "base/monitor.h"
#include "storage/internal/notifications.h"
#include "storage/postgres/internal/connector.h"

namespace clever::storage::postgres {

/// Hears what other engines announce and passes it on within this process, from when it is first
/// wanted. Whenever it begins to listen, first or again, it wakes everybody: what was announced
/// before that it cannot know. Thread-safe, but run() is for one thread.
class Listener {
 public:
  /// What `name` itself announces is not passed on: its own were told already.
  Listener(const Connector& connector, internal::Notifications& notifications, std::string name)
      : connector_(connector), notifications_(notifications), name_(std::move(name)) {}

  void want();
  /// Until the stop; a lost connection is replaced, for as long as that takes.
  void run(const base::StopToken& stop);

 private:
  [[nodiscard]] base::Result<void> listen(const Patience& patience, unsigned& attempts);
  void pass_on(const Announcement& announcement);

  // Constant after construction.
  const Connector& connector_;
  internal::Notifications& notifications_;
  const std::string name_;
  // Guarded.
  base::Monitor<bool> wanted_;
};

}  // namespace clever::storage::postgres
