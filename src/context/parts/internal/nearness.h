#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context/strategy.h"

namespace clever::context::internal {

/// The hierarchy part of a score: how near a path is to what the question is certainly about, from
/// 0 to 1. The focus has 1, every hit its own strength. A neighbour of the focus or of one of the
/// five strongest hits has at least that hit's strength times
///   0.5   a test and its subject: the same name except for "test", "spec"
///   edge  an import or use in either direction: 0.4 times the weight of the edge
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

/// The subject of a file by its name: "src/plan_test.cc", "test/test_plan.py" and "lib/plan.rb" all
/// have "plan".
[[nodiscard]] std::string subject_of(std::string_view path);

}  // namespace clever::context::internal
