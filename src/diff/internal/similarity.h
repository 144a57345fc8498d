#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace clever::diff::internal {

/// A summary of a text for estimating similarity without comparing texts: the hashes of its lines
/// (long ones in pieces), with their bytes. A value.
class Signature {
 public:
  explicit Signature(std::string_view text);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The common bytes of lines, as a percentage of the larger text.
  [[nodiscard]] std::uint32_t similarity(const Signature& other) const;

 private:
  std::size_t size_;
  std::vector<std::pair<std::size_t, std::size_t>> bytes_by_hash_;  // sorted, each hash once
};

}  // namespace clever::diff::internal
