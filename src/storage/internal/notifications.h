#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded.h"
#include "storage/subscription.h"

namespace clever::storage::internal {

/// A topic as a number, the same in every process; never 0. Two topics may share one: a wake-up is
/// a hint.
[[nodiscard]] std::uint64_t topic_key(std::string_view topic);

/// The subscriptions of this process. Thread-safe. Subscriptions may outlive it.
class Notifications {
 public:
  Notifications();
  ~Notifications();

  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake);
  /// Calls each subscriber of one of the topics once, on this thread.
  void publish(const std::vector<std::string>& topics);
  /// The same, by topic_key().
  void publish_keys(const std::vector<std::uint64_t>& keys);
  /// Calls every subscriber: something unknown changed.
  void publish_all();
  [[nodiscard]] bool empty() const;

 private:
  class Listener;
  class Handle;
  using Listeners = std::multimap<std::uint64_t, std::shared_ptr<Listener>>;
  struct Shared {
    base::Guarded<Listeners> listeners;
  };

  std::shared_ptr<Shared> shared_;
};

}  // namespace clever::storage::internal
