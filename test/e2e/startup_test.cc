#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using Clock = std::chrono::steady_clock;

// The best of many: what the program itself needs, whatever else the machine is doing.
Clock::duration fastest(const User& user, const std::vector<std::string>& argv) {
  Clock::duration best = Clock::duration::max();
  for (int i = 0; i < 40; ++i) {
    const auto begin = Clock::now();
    static_cast<void>(user.run(argv));
    best = std::min(best, Clock::now() - begin);
  }
  return best;
}

TEST(StartupTest, VersionAndHelpTakeAtMostTenMillisecondsMoreThanTrue) {
  const User user;
  const auto limit = fastest(user, {"/bin/true"}) + std::chrono::milliseconds{10};
  EXPECT_LE(fastest(user, {agents_program(), "version"}), limit);
  EXPECT_LE(fastest(user, {agents_program(), "--help"}), limit);
}

}  // namespace
}  // namespace clever::e2e
