#pragma once
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "provider/governor/alarms.h"

namespace clever::sim {

/// Alarms that ring when the test says so, due or not. Thread-safe.
class HandAlarms final : public provider::Alarms {
 public:
  [[nodiscard]] std::unique_ptr<provider::Alarm> make(std::function<void()> ring) override {
    rings_.with([&](std::vector<std::function<void()>>& all) { all.push_back(std::move(ring)); });
    return std::make_unique<HandAlarm>();
  }
  void ring() {
    const auto all =
        rings_.with([](const std::vector<std::function<void()>>& rings) { return rings; });
    for (const auto& each : all) each();
  }

 private:
  class HandAlarm final : public provider::Alarm {
   public:
    void set(base::TimePoint) override {}
  };
  base::Guarded<std::vector<std::function<void()>>> rings_;
};

}  // namespace clever::sim
