#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "storage/subscription.h"

namespace clever::storage::internal {

/// Who wants to hear of which topic, within this process. Thread-safe. Subscriptions may outlive
/// it.
class Notifications {
 public:
  Notifications();
  ~Notifications();

  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake);
  /// Calls those who subscribed to one of the topics, each once, on this thread.
  void publish(const std::vector<std::string>& topics);
  /// Calls everybody: something changed, nobody knows what.
  void publish_all();
  [[nodiscard]] bool empty() const;

 private:
  class Listener;
  class Handle;
  using Listeners = std::multimap<std::string, std::shared_ptr<Listener>>;
  struct Shared {
    base::Guarded<Listeners> listeners;
  };

  std::shared_ptr<Shared> shared_;
};

}  // namespace clever::storage::internal
