#include "context/parts/internal/packing.h"

#include <algorithm>
#include <map>

namespace clever::context::internal {
namespace {

bool is_whole(const Candidate& candidate) { return candidate.range == syntax::Range{}; }

Fragment fragment_of(const Scored& scored, const Shown& shown) {
  const auto& merged = scored.resolved.merged;
  Fragment fragment{.path = merged.candidate.path,
                    .range = merged.candidate.range,
                    .depth = shown.depth,
                    .content = shown.content,
                    .tokens = shown.tokens,
                    .score = scored.score,
                    .parts = scored.parts,
                    .why = merged.candidate.why};
  for (const auto& proposal : merged.from) fragment.strategies.push_back(proposal.strategy);
  if (!fragment.strategies.empty()) fragment.strategy = fragment.strategies.front();
  std::ranges::sort(fragment.strategies);
  const auto same = std::ranges::unique(fragment.strategies);
  fragment.strategies.erase(same.begin(), same.end());
  return fragment;
}

}  // namespace

Choice::Choice(const std::vector<Scored>& scored, std::size_t tokens)
    : scored_(scored), left_(tokens), chosen_(scored.size(), kNotShown), siblings_(scored.size()) {
  std::map<std::string_view, std::vector<std::size_t>> paths;
  for (std::size_t i = 0; i < scored.size(); ++i) paths[candidate(i).path].push_back(i);
  for (const auto& [path, things] : paths) {
    for (const std::size_t thing : things) siblings_[thing] = things;
  }
}

const Candidate& Choice::candidate(std::size_t thing) const {
  return scored_[thing].resolved.merged.candidate;
}

bool Choice::covered(std::size_t thing) const {
  if (is_whole(candidate(thing))) return false;
  return std::ranges::any_of(siblings_[thing], [&](std::size_t other) {
    return is_whole(candidate(other)) && chosen_[other] != kNotShown &&
           scored_[other].resolved.depths[chosen_[other]].depth == syntax::Depth::kFull;
  });
}

bool Choice::has_full_piece(std::size_t whole) const {
  return std::ranges::any_of(siblings_[whole], [&](std::size_t other) {
    return other != whole && chosen_[other] != kNotShown;
  });
}

bool Choice::show(std::size_t thing, std::size_t depth) {
  const auto& depths = scored_[thing].resolved.depths;
  const std::size_t tokens = depths[depth].tokens;
  const std::size_t held = chosen_[thing] == kNotShown ? 0 : depths[chosen_[thing]].tokens;
  if (tokens < kFewestTokens || tokens > left_ + held || covered(thing)) return false;
  const bool full = depths[depth].depth == syntax::Depth::kFull;
  if (full && is_whole(candidate(thing)) && has_full_piece(thing)) return false;
  left_ = left_ + held - tokens;
  chosen_[thing] = depth;
  return true;
}

std::vector<Fragment> Choice::fragments(std::size_t& left_out) const {
  std::vector<Fragment> fragments;
  left_out = 0;
  for (std::size_t i = 0; i < scored_.size(); ++i) {
    if (chosen_[i] != kNotShown) {
      fragments.push_back(fragment_of(scored_[i], scored_[i].resolved.depths[chosen_[i]]));
    } else if (!covered(i)) {
      ++left_out;
    }
  }
  return fragments;
}

}  // namespace clever::context::internal
