#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace clever::diff::internal {

/// What a text is made of, for estimating how alike two texts are without comparing them: the
/// hashes of its lines (long ones in pieces) and how many bytes each makes up. A value.
class Signature {
 public:
  explicit Signature(std::string_view text);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// How many bytes of lines the two have in common, of a hundred bytes of the larger.
  [[nodiscard]] std::uint32_t similarity(const Signature& other) const;

 private:
  std::size_t size_;
  std::vector<std::pair<std::size_t, std::size_t>> bytes_by_hash_;  // sorted, each hash once
};

}  // namespace clever::diff::internal
