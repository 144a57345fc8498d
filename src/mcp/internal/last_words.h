#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace clever::mcp::internal {

/// The end of a process's error output. Used by one thread.
class LastWords {
 public:
  static constexpr std::size_t kLimit = 4096;

  void add(std::string_view bytes);
  /// At most the last ten lines, without terminal control sequences.
  [[nodiscard]] std::string lines() const;

 private:
  std::string text_{};
};

}  // namespace clever::mcp::internal
