#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace clever::confine::internal {

/// A command's output on one stream, of which the first and the last half of a limit are kept. Used
/// by one thread.
class KeptOutput {
 public:
  explicit KeptOutput(std::size_t limit) : head_limit_(limit - limit / 2), tail_limit_(limit / 2) {}

  void add(std::string_view text);
  [[nodiscard]] bool truncated() const noexcept { return dropped_ > 0; }
  /// Both halves, with a line between them that says how much is missing.
  [[nodiscard]] std::string text() const;
  /// At most this many bytes of its end, from the start of a line if possible.
  [[nodiscard]] std::string last_lines(std::size_t limit) const;

 private:
  // The end of what follows the head; up to twice the limit, so that cuts are rare.
  void add_to_tail(std::string_view text);
  [[nodiscard]] std::size_t surplus() const noexcept {
    return tail_.size() > tail_limit_ ? tail_.size() - tail_limit_ : 0;
  }

  const std::size_t head_limit_;
  const std::size_t tail_limit_;
  std::string head_;
  std::string tail_;
  std::size_t cut_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace clever::confine::internal
