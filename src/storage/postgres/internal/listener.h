#pragma once
#include <string>

#include "base/monitor.h"
#include "storage/internal/notifications.h"
#include "storage/postgres/internal/connector.h"

namespace clever::storage::postgres {

/// Receives the announcements of other engines and forwards them within this process, from the
/// first subscription on. Whenever it starts to listen, it wakes every subscriber, because it
/// missed earlier announcements. Thread-safe, but run() is for one thread.
class Listener {
 public:
  /// Does not forward announcements of `name` itself: its subscribers were notified already.
  Listener(const Connector& connector, internal::Notifications& notifications, std::string name)
      : connector_(connector), notifications_(notifications), name_(std::move(name)) {}

  void want();
  /// Runs until the stop; replaces a lost connection, however long that takes.
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
