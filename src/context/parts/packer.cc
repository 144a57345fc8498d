#include <algorithm>
#include <tuple>

#include "context/parts/internal/packing.h"
#include "context/parts/parts.h"

namespace clever::context {
namespace {

using internal::Choice;
using internal::kNotShown;

/// The worth of a depth, as a share of the full source.
double worth(syntax::Depth depth) {
  switch (depth) {
    case syntax::Depth::kFull:
      return 1;
    case syntax::Depth::kSignatures:
      return 0.55;
    case syntax::Depth::kMembers:
      return 0.3;
    case syntax::Depth::kListing:
      return 0.05;
  }
  return 0;
}

/// Showing a fragment deeper: what that adds, and what it costs.
struct Step {
  std::size_t thing = 0;
  std::size_t depth = 0;
  double per_token = 0;
};

/// From nothing to the listing, then to the members, and so on: each step by what it adds per
/// token.
void add_steps(const std::vector<Scored>& scored, std::size_t thing, std::vector<Step>& steps) {
  const auto& depths = scored[thing].resolved.depths;
  // One fragment twice as good is worth more than two.
  const double value = scored[thing].score * scored[thing].score;
  double before = 0;
  double paid = 0;
  for (std::size_t depth = depths.size(); depth-- > 0;) {
    const double gain = value * worth(depths[depth].depth) - before;
    const double cost = std::max(1.0, static_cast<double>(depths[depth].tokens) - paid);
    steps.push_back({.thing = thing, .depth = depth, .per_token = gain / cost});
    before = value * worth(depths[depth].depth);
    paid = static_cast<double>(depths[depth].tokens);
  }
}

/// Goes as deep as there is room for. Returns false if that is no deeper than now.
bool deepen(Choice& choice, const std::vector<Scored>& scored, std::size_t thing) {
  const std::size_t now = choice.shown(thing);
  const std::size_t end = now == kNotShown ? scored[thing].resolved.depths.size() : now;
  for (std::size_t depth = 0; depth < end; ++depth) {
    if (choice.show(thing, depth)) return true;
  }
  return false;
}

void deepen_all(Choice& choice, const std::vector<Scored>& scored) {
  for (std::size_t thing = 0; thing < scored.size(); ++thing) deepen(choice, scored, thing);
}

/// What a page is worth.
double value_of(const Choice& choice, const std::vector<Scored>& scored) {
  double value = 0;
  for (std::size_t thing = 0; thing < scored.size(); ++thing) {
    if (choice.shown(thing) == kNotShown) continue;
    const auto depth = scored[thing].resolved.depths[choice.shown(thing)].depth;
    value += scored[thing].score * scored[thing].score * worth(depth);
  }
  return value;
}

/// Orders steps by what they add per token; then fills the remaining room, best first.
Choice by_steps(const std::vector<Scored>& scored, std::size_t tokens) {
  Choice choice(scored, tokens);
  std::vector<Step> steps;
  for (std::size_t thing = 0; thing < scored.size(); ++thing) add_steps(scored, thing, steps);
  std::ranges::sort(steps, [](const Step& a, const Step& b) {
    return std::tuple(-a.per_token, a.thing, b.depth) < std::tuple(-b.per_token, b.thing, a.depth);
  });
  for (const auto& step : steps) {
    const std::size_t now = choice.shown(step.thing);
    if (now == kNotShown || step.depth < now) choice.show(step.thing, step.depth);
  }
  deepen_all(choice, scored);
  return choice;
}

Choice fill_best_first(const std::vector<Scored>& scored, std::size_t tokens) {
  Choice choice(scored, tokens);
  deepen_all(choice, scored);
  return choice;
}

/// Steps per token miss a large fragment that is worth its room; best first misses many small ones.
/// The better of both is never far from the optimum.
class KnapsackPacker final : public Packer {
 public:
  [[nodiscard]] std::vector<Fragment> pack(std::vector<Scored> scored, std::size_t tokens,
                                           std::size_t& left_out) const override {
    const Choice many = by_steps(scored, tokens);
    const Choice few = fill_best_first(scored, tokens);
    const bool better = value_of(many, scored) >= value_of(few, scored);
    return (better ? many : few).fragments(left_out);
  }
};

class GreedyPacker final : public Packer {
 public:
  [[nodiscard]] std::vector<Fragment> pack(std::vector<Scored> scored, std::size_t tokens,
                                           std::size_t& left_out) const override {
    return fill_best_first(scored, tokens).fragments(left_out);
  }
};

}  // namespace

std::shared_ptr<const Packer> knapsack_packer() { return std::make_shared<KnapsackPacker>(); }
std::shared_ptr<const Packer> greedy_packer() { return std::make_shared<GreedyPacker>(); }

}  // namespace clever::context
