#include <cmath>

#include "context/parts/parts.h"

namespace clever::context {
namespace {

class ProportionalAllocator final : public BudgetAllocator {
 public:
  [[nodiscard]] std::vector<std::size_t> allocate(const std::vector<Selected>& selected,
                                                  std::size_t tokens) const override {
    double all = 0;
    for (const auto& one : selected) all += one.weight;
    std::vector<std::size_t> shares;
    std::size_t left = tokens;
    for (const auto& one : selected) {
      const double share = all > 0 ? std::floor(static_cast<double>(tokens) * one.weight / all) : 0;
      // Rounding must not give out more than there is.
      shares.push_back(std::min(left, static_cast<std::size_t>(share)));
      left -= shares.back();
    }
    return shares;
  }
};

class EqualAllocator final : public BudgetAllocator {
 public:
  [[nodiscard]] std::vector<std::size_t> allocate(const std::vector<Selected>& selected,
                                                  std::size_t tokens) const override {
    return std::vector<std::size_t>(selected.size(),
                                    selected.empty() ? 0 : tokens / selected.size());
  }
};

}  // namespace

std::shared_ptr<const BudgetAllocator> proportional_allocator() {
  return std::make_shared<ProportionalAllocator>();
}
std::shared_ptr<const BudgetAllocator> equal_allocator() {
  return std::make_shared<EqualAllocator>();
}

}  // namespace clever::context
