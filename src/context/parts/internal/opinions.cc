#include "context/parts/internal/opinions.h"

#include <algorithm>
#include <cmath>

namespace clever::context::internal {
namespace {

/// Later places count less: 10/(10+place).
constexpr double kSoftness = 10;

/// One strategy's opinion of one path.
struct Voice {
  double relevance = 0;
  std::size_t place = 0;
};

struct Voter {
  Evidence evidence = Evidence::kOther;
  double authority = 0;
  std::map<std::string, Voice> paths{};
};

std::map<std::string, Voter> voters_of(const std::vector<Proposal>& proposals) {
  std::map<std::string, Voter> voters;
  for (const auto& proposal : proposals) {
    Voter& voter = voters[proposal.strategy];
    voter.evidence = proposal.evidence;
    // A strategy that claims no authority still counts.
    voter.authority = std::max(proposal.authority, 0.05);
    Voice voice{.relevance = proposal.candidate.relevance, .place = proposal.rank};
    auto [at, added] = voter.paths.try_emplace(proposal.candidate.path, voice);
    if (added) continue;
    at->second.relevance = std::max(at->second.relevance, voice.relevance);
    at->second.place = std::min(at->second.place, voice.place);
  }
  return voters;
}

/// Turns ranks of pieces into places of paths: the third piece of the first file is not the third
/// file.
void number_paths(Voter& voter) {
  std::vector<std::pair<std::size_t, Voice*>> order;
  for (auto& [path, voice] : voter.paths) order.emplace_back(voice.place, &voice);
  std::ranges::sort(order, {}, [](const auto& entry) { return entry.first; });
  for (std::size_t place = 0; place < order.size(); ++place) order[place].second->place = place;
}

void scale_to_one(std::map<std::string, double>& values) {
  double best = 0;
  for (const auto& [path, value] : values) best = std::max(best, value);
  if (!(best > 0)) return;
  for (auto& [path, value] : values) value /= best;
}

using Values = std::map<std::string, double>;

/// One kind's opinion: a sum weighted by authority, scaled so that the best path has 1.
void add_kind(const std::vector<const Voter*>& kind, Values& relevance, Values& quality) {
  Values strong;
  Values high;
  for (const Voter* voter : kind) {
    for (const auto& [path, voice] : voter->paths) {
      strong[path] += voter->authority * voice.relevance;
      high[path] += voter->authority * kSoftness / (kSoftness + static_cast<double>(voice.place));
    }
  }
  scale_to_one(strong);
  scale_to_one(high);
  for (const auto& [path, value] : strong) relevance[path] += value;
  for (const auto& [path, value] : high) quality[path] += value;
}

}  // namespace

std::map<std::string, Opinion> opinions_of(const std::vector<Proposal>& proposals) {
  auto voters = voters_of(proposals);
  std::map<std::pair<Evidence, std::string>, std::vector<const Voter*>> kinds;
  for (auto& [name, voter] : voters) {
    number_paths(voter);
    // A strategy of unknown kind forms a kind of its own.
    const std::string kind = voter.evidence == Evidence::kOther ? name : std::string{};
    kinds[{voter.evidence, kind}].push_back(&voter);
  }
  Values relevance;
  Values quality;
  for (const auto& [kind, members] : kinds) add_kind(members, relevance, quality);
  scale_to_one(relevance);
  scale_to_one(quality);
  std::map<std::string, Opinion> opinions;
  for (const auto& [path, value] : relevance) {
    opinions[path] = {.relevance = value, .quality = quality[path]};
  }
  return opinions;
}

double strength_of(const Merged& merged) {
  double strength = 0;
  for (const auto& proposal : merged.from)
    strength = std::max(strength, proposal.candidate.relevance);
  return strength;
}

double share_of(const Merged& merged, double best_of_path) {
  if (merged.candidate.range == syntax::Range{} || !(best_of_path > 0)) return 1;
  return 0.5 + 0.5 * std::min(1.0, strength_of(merged) / best_of_path);
}

}  // namespace clever::context::internal
