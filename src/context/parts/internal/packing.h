#pragma once
#include <cstddef>
#include <vector>

#include "context/pipeline.h"

namespace clever::context::internal {

inline constexpr std::size_t kFewestTokens = 10;
inline constexpr std::size_t kNotShown = static_cast<std::size_t>(-1);

/// The shown depth of each thing, as an index into Resolved::depths; kNotShown: nothing. A file in
/// full and a piece of it are never both shown, because the file includes the piece.
class Choice {
 public:
  Choice(const std::vector<Scored>& scored, std::size_t tokens);

  /// Changes the depth of a thing. Returns false, and changes nothing, if there is no room, too few
  /// tokens to be worth it, or the page has it already.
  bool show(std::size_t thing, std::size_t depth);
  [[nodiscard]] std::size_t shown(std::size_t thing) const { return chosen_[thing]; }
  [[nodiscard]] std::size_t left() const { return left_; }
  /// Whether it is part of a file shown in full.
  [[nodiscard]] bool covered(std::size_t thing) const;

  /// The shown things, best first; counts those neither shown nor covered.
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
