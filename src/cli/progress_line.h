#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace clever::cli {

/// One line at a terminal that shows the progress of long work, overwrites itself, and disappears
/// at the end. Needs only a carriage return of the terminal.
///
/// Used by one thread at a time. Ignores a terminal that accepts no text.
class ProgressLine {
 public:
  using Write = std::function<base::Result<void>(std::string_view)>;
  /// `width`: the terminal's columns.
  ProgressLine(Write write, const base::Clock& clock, std::size_t width);

  /// Shows only some calls, so a hundred thousand a second are fine.
  void show(std::string_view doing, std::uint64_t done, std::uint64_t all);
  void clear();

  /// "verifying plans: 42 % (420 of 1000)"
  [[nodiscard]] static std::string text_of(std::string_view doing, std::uint64_t done,
                                           std::uint64_t all);

 private:
  void draw(const std::string& text);

  // Constant after construction.
  const Write write_;
  const base::Clock& clock_;
  const std::size_t width_;
  // Owned by the showing thread.
  std::string doing_;
  std::optional<base::TimePoint> drawn_;
  std::size_t columns_ = 0;
};

}  // namespace clever::cli
