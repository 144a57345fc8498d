// main() of every test program: GoogleTest, plus --schedule=NAME, which makes explore() run that
// one schedule only (use it together with --gtest_filter).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "explore/explore.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kFlag = "--schedule=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kFlag))
      clever::explore::set_replay(std::string(argument.substr(kFlag.size())));
  }
  // Property tests draw the same cases in every run unless they are told otherwise.
  ::setenv("RC_PARAMS", "seed=1", /*overwrite=*/0);
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  return RUN_ALL_TESTS();
}
