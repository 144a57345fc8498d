#pragma once
#include <cstddef>
#include <vector>

#include "context/pipeline.h"

namespace clever::context::internal {

inline constexpr std::size_t kFewestTokens = 10;
inline constexpr std::size_t kNotShown = static_cast<std::size_t>(-1);

/// What is shown of each thing, by its number among Resolved::depths; kNotShown: nothing. A file in
/// full and a piece of it are never both shown: the piece is part of it.
class Choice {
 public:
  Choice(const std::vector<Scored>& scored, std::size_t tokens);

  /// Shows it so deep instead of as it is shown now. False, and nothing changes, if there is no
  /// room, fewer tokens than are worth it, or it is on the page already.
  bool show(std::size_t thing, std::size_t depth);
  [[nodiscard]] std::size_t shown(std::size_t thing) const { return chosen_[thing]; }
  [[nodiscard]] std::size_t left() const { return left_; }
  /// Part of a file that is shown in full.
  [[nodiscard]] bool covered(std::size_t thing) const;

  /// What is shown, best first; counts what is neither shown nor covered.
  [[nodiscard]] std::vector<Fragment> fragments(std::size_t& left_out) const;

 private:
  [[nodiscard]] const Candidate& candidate(std::size_t thing) const;
  [[nodiscard]] bool has_full_piece(std::size_t whole) const;

  const std::vector<Scored>& scored_;
  std::size_t left_;
  std::vector<std::size_t> chosen_;
  /// The things of one path.
  std::vector<std::vector<std::size_t>> siblings_;
};

}  // namespace clever::context::internal
