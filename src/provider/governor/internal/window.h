#pragma once
#include <algorithm>
#include <cstdint>

namespace clever::provider::governor {

/// How many calls may run at once: one until the first answer or report of what the provider bears,
/// then as many as it bears. Grows by one with each answer up to the size at the last pushback,
/// slower beyond, and only while it is full; a pushback halves it.
///
/// A pure value.
class Window {
 public:
  explicit Window(std::int64_t most) : most_(std::max<std::int64_t>(most, 1)) { reset(); }

  [[nodiscard]] std::int64_t size() const noexcept {
    return cold_ ? 1 : static_cast<std::int64_t>(size_);
  }
  /// Something is known about the provider.
  void warm() noexcept { cold_ = false; }
  [[nodiscard]] bool is_cold() const noexcept { return cold_; }

  /// Starts at a size that worked before, or that a person set; later experience counts for more.
  void start_at(std::int64_t size) noexcept {
    if (has_moved_) return;
    warm();
    size_ = std::clamp(static_cast<double>(size), size_, static_cast<double>(most_));
  }

  void on_answer(bool used_up) noexcept {
    warm();
    if (!used_up) return;
    has_moved_ = true;
    size_ += size_ < threshold_ ? 1.0 : 1.0 / size_;
    size_ = std::min(size_, static_cast<double>(most_));
  }
  void on_pushback() noexcept {
    has_moved_ = true;
    threshold_ = std::max(size_ / 2, 1.0);
    size_ = threshold_;
  }
  /// After an idle time: begins with one again, and grows quickly to the former size.
  void restart() noexcept { size_ = 1; }
  void limit(std::int64_t most) noexcept {
    most_ = std::max<std::int64_t>(most, 1);
    size_ = std::min(size_, static_cast<double>(most_));
  }
  void reset() noexcept {
    size_ = 1;
    threshold_ = static_cast<double>(most_);
    cold_ = true;
    has_moved_ = false;
  }

 private:
  std::int64_t most_;
  double size_ = 1;
  double threshold_ = 1;
  bool cold_ = true;
  bool has_moved_ = false;
};

}  // namespace clever::provider::governor
