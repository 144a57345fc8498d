#include <algorithm>

#include "context/parts/parts.h"
#include "context/strategies/strategies.h"

namespace clever::context {
namespace {

double zero_to_one(double value) { return value > 0 ? std::min(value, 1.0) : 0; }

void add_keyword_search(const std::vector<std::shared_ptr<Strategy>>& strategies,
                        std::vector<Selected>& selected) {
  for (const auto& strategy : strategies) {
    if (strategy->name() != kSimpleKeyword) continue;
    selected.push_back({.strategy = strategy, .weight = zero_to_one(strategy->quality())});
  }
}

class WeighingSelector final : public StrategySelector {
 public:
  [[nodiscard]] std::vector<Selected> select(
      const Question& question,
      const std::vector<std::shared_ptr<Strategy>>& strategies) const override {
    std::vector<Selected> selected;
    for (const auto& strategy : strategies) {
      const double weight =
          zero_to_one(strategy->confidence(question)) * zero_to_one(strategy->quality());
      if (weight > 0) selected.push_back({.strategy = strategy, .weight = weight});
    }
    std::ranges::sort(selected, [](const Selected& a, const Selected& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.strategy->name() < b.strategy->name();
    });
    if (selected.empty() && !question.text.empty()) add_keyword_search(strategies, selected);
    return selected;
  }
};

class KeywordSelector final : public StrategySelector {
 public:
  [[nodiscard]] std::vector<Selected> select(
      const Question& question,
      const std::vector<std::shared_ptr<Strategy>>& strategies) const override {
    std::vector<Selected> selected;
    if (!question.text.empty()) add_keyword_search(strategies, selected);
    return selected;
  }
};

}  // namespace

std::shared_ptr<const StrategySelector> weighing_selector() {
  return std::make_shared<WeighingSelector>();
}
std::shared_ptr<const StrategySelector> keyword_selector() {
  return std::make_shared<KeywordSelector>();
}

}  // namespace clever::context
