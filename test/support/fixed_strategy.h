#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context/strategy.h"

namespace clever::test {

/// A strategy that is as good and as sure as it is told to be, and proposes nothing.
class FixedStrategy final : public context::Strategy {
 public:
  explicit FixedStrategy(std::string name, double quality = 0.5, double confidence = 1)
      : name_(std::move(name)), quality_(quality), confidence_(confidence) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] double quality() const override { return quality_; }
  [[nodiscard]] double confidence(const context::Question& /*question*/) const override {
    return confidence_;
  }
  [[nodiscard]] base::Result<std::vector<context::Candidate>> propose(
      const context::Question& /*question*/, std::size_t /*budget*/,
      const base::StopToken& /*stop*/, base::Deadline /*deadline*/) override {
    return std::vector<context::Candidate>{};
  }

 private:
  const std::string name_;
  const double quality_;
  const double confidence_;
};

}  // namespace clever::test
