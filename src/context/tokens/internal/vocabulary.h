#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::context::internal {

/// The tokens of a tokeniser: which byte strings are one, and their priority when bytes are joined.
/// Immutable, thread-safe.
class Vocabulary {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// `corruption` for anything that tokens/pack did not write.
  [[nodiscard]] static base::Result<Vocabulary> unpack(std::string_view packed);

  /// The rank, which is the token's number; kNone if the bytes are not a token.
  [[nodiscard]] std::uint32_t rank(std::string_view bytes) const;
  [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  Vocabulary() = default;
  [[nodiscard]] bool take_tokens(std::string_view lists, std::size_t count);
  void make_table();
  [[nodiscard]] std::string_view token(std::uint32_t rank) const {
    return std::string_view(bytes_).substr(begins_[rank], begins_[rank + 1] - begins_[rank]);
  }

  /// Half of the token's hash beside its rank plus one; 0 is a free place. The hash alone shows
  /// that bytes are no token, without a look at any token.
  struct Entry {
    std::uint32_t hash = 0;
    std::uint32_t token = 0;
  };

  // Constant after unpacking.
  std::string bytes_;
  std::vector<std::uint32_t> begins_{0};
  std::vector<Entry> table_;
  std::size_t longest_ = 0;
};

}  // namespace clever::context::internal
