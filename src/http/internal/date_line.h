#pragma once
#include <string>
#include <string_view>

#include "base/clock.h"

namespace clever::http::internal {

/// The Date header, updated once a second. Owned by the network thread.
class DateLine {
 public:
  /// Call before writing answers.
  void update(base::WallTime now);
  /// "Date: Tue, 14 Nov 2023 22:13:20 GMT\r\n"
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  std::chrono::sys_seconds second_{};
  std::string text_{};
};

}  // namespace clever::http::internal
