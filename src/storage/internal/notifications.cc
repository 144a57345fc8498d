#include "storage/internal/notifications.h"

#include <algorithm>
#include <utility>

#include "base/monitor.h"
#include "base/sha256.h"

namespace clever::storage::internal {

std::uint64_t topic_key(std::string_view topic) {
  const base::Sha256Digest digest = base::sha256(topic);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < sizeof key; ++i) key = key << 8U | digest.bytes()[i];
  return std::max<std::uint64_t>(key, 1);
}

// A callback that can be silenced. After silence() returns, the callback is not running and is
// destroyed, even while a publisher still holds the listener.
class Notifications::Listener {
 public:
  explicit Listener(std::function<void()> wake) : wake_(std::move(wake)) {}

  void call() {
    const bool may = calls_.update([](Calls& calls) {
      if (calls.silenced) return false;
      ++calls.running;
      return true;
    });
    if (!may) return;
    wake_();
    calls_.update([](Calls& calls) { --calls.running; });
  }

  void silence() {
    calls_.update([](Calls& calls) { calls.silenced = true; });
    calls_.wait({}, base::Deadline::never(), [](const Calls& calls) { return calls.running == 0; })
        .value();
    wake_ = nullptr;
  }

 private:
  struct Calls {
    bool silenced = false;
    int running = 0;
  };
  // Read while running > 0; cleared when no thread can run it any more.
  std::function<void()> wake_;
  base::Monitor<Calls> calls_;
};

class Notifications::Handle final : public Subscription {
 public:
  Handle(std::shared_ptr<Shared> shared, const std::string& topic,
         std::shared_ptr<Listener> listener)
      : shared_(std::move(shared)), listener_(std::move(listener)) {
    shared_->listeners.with(
        [&](Listeners& listeners) { position_ = listeners.emplace(topic_key(topic), listener_); });
  }
  ~Handle() override {
    shared_->listeners.with([&](Listeners& listeners) { listeners.erase(position_); });
    listener_->silence();
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

 private:
  const std::shared_ptr<Shared> shared_;
  const std::shared_ptr<Listener> listener_;
  Listeners::iterator position_;
};

Notifications::Notifications() : shared_(std::make_shared<Shared>()) {}
Notifications::~Notifications() = default;

std::unique_ptr<Subscription> Notifications::subscribe(std::string topic,
                                                       std::function<void()> wake) {
  return std::make_unique<Handle>(shared_, topic, std::make_shared<Listener>(std::move(wake)));
}

void Notifications::publish(const std::vector<std::string>& topics) {
  std::vector<std::uint64_t> keys;
  keys.reserve(topics.size());
  for (const std::string& topic : topics) keys.push_back(topic_key(topic));
  publish_keys(keys);
}

void Notifications::publish_keys(const std::vector<std::uint64_t>& keys) {
  if (keys.empty()) return;
  std::vector<std::shared_ptr<Listener>> called;
  shared_->listeners.with([&](const Listeners& listeners) {
    if (listeners.empty()) return;
    for (const std::uint64_t key : keys) {
      const auto [first, last] = listeners.equal_range(key);
      for (auto listener = first; listener != last; ++listener) called.push_back(listener->second);
    }
  });
  std::ranges::sort(called);
  const auto repeated = std::ranges::unique(called);
  called.erase(repeated.begin(), repeated.end());
  for (const auto& listener : called) listener->call();
}

void Notifications::publish_all() {
  std::vector<std::shared_ptr<Listener>> called;
  shared_->listeners.with([&](const Listeners& listeners) {
    for (const auto& [topic, listener] : listeners) called.push_back(listener);
  });
  for (const auto& listener : called) listener->call();
}

bool Notifications::empty() const {
  return shared_->listeners.with([](const Listeners& listeners) { return listeners.empty(); });
}

}  // namespace clever::storage::internal
