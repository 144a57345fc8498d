#pragma once
#include <optional>
#include <utility>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"

namespace clever::storage {

/// Waits for an answer that comes on another thread.
template <class T>
class LateAnswer {
 public:
  [[nodiscard]] auto taker() {
    return [this](base::Result<T> answer) {
      answer_.update([&](auto& slot) { slot.emplace(std::move(answer)); });
    };
  }
  [[nodiscard]] base::Result<T> wait() {
    std::optional<base::Result<T>> taken;
    answer_
        .update_when(
            {}, base::Deadline::never(), [](const auto& slot) { return slot.has_value(); },
            [&](auto& slot) { taken = std::move(slot); })
        .value();
    return *std::move(taken);
  }

 private:
  base::Monitor<std::optional<base::Result<T>>> answer_;
};

}  // namespace clever::storage
