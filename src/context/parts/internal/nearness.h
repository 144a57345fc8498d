#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context/strategy.h"

namespace clever::context::internal {

/// The hierarchy of a score: how near a path is to what the question is certainly about, from 0 to
/// 1. The focus has 1, every hit its own strength; what is next to the focus or to one of the five
/// strongest hits has at least that one's strength times
///   0.5   a test and what it tests: the same name but for "test", "spec"
///   edge  what it imports, uses, or is used by: 0.4 times the weight of the edge
///   0.1   the same folder
/// and the best of these counts. Built for one question; used by one thread.
class Nearness {
 public:
  /// Paths with their strength, from 0 to 1, strongest first.
  Nearness(const Question& question, const std::vector<std::pair<std::string, double>>& hits);
  [[nodiscard]] double of(std::string_view path) const;

 private:
  void add(const Question& question, const std::string& path, double strength);

  std::map<std::string, double, std::less<>> paths_;
  std::map<std::string, double, std::less<>> folders_;
  std::map<std::string, double, std::less<>> subjects_;
};

/// What a file is about by its name: "src/plan_test.cc", "test/test_plan.py" and "lib/plan.rb" are
/// all about "plan".
[[nodiscard]] std::string subject_of(std::string_view path);

}  // namespace clever::context::internal
