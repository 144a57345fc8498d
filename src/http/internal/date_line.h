#pragma once
#include <string>
#include <string_view>

#include "base/clock.h"

namespace clever::http::internal {

/// The Date header, written anew once a second. Owned by the network thread.
class DateLine {
 public:
  /// To be called before the answers of a moment are written.
  void update(base::WallTime now);
  /// "Date: Tue, 14 Nov 2023 22:13:20 GMT\r\n"
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  std::chrono::sys_seconds second_{};
  std::string text_{};
};

}  // namespace clever::http::internal
