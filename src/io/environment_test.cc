#include "io/environment.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "support/child_process.h"

namespace clever::io {
namespace {

TEST(Environment, HoldsWhatItWasGiven) {
  const Environment environment(Environment::Entries{{"A", "1"}, {"EMPTY", ""}});
  EXPECT_EQ(environment.value("A"), "1");
  EXPECT_EQ(environment.value("EMPTY"), "");
  EXPECT_EQ(environment.value("B"), std::nullopt);
  EXPECT_EQ(environment.entries().size(), 2U);
}

TEST(Environment, ReadsTheProcess) {
  EXPECT_EQ(test::in_child([] {
              ::setenv("CLEVER_TEST_VARIABLE", "a=b", 1);
              return Environment::of_process().value("CLEVER_TEST_VARIABLE") == "a=b" ? 0 : 1;
            }),
            0);
}

TEST(Environment, TakesTheFirstOfEqualsAndSkipsWhatHasNoName) {
  EXPECT_EQ(test::in_child([] {
              // What runs when the child ends may still read them.
              static std::array<std::string, 3> texts = {"A=first", "A=second", "nonsense"};
              static std::array<char*, 4> variables = {texts[0].data(), texts[1].data(),
                                                       texts[2].data(), nullptr};
              environ = variables.data();
              const Environment environment = Environment::of_process();
              return environment.value("A") == "first" && environment.entries().size() == 1 ? 0 : 1;
            }),
            0);
}

TEST(Environment, CanBeEmpty) {
  EXPECT_EQ(test::in_child([] {
              environ = nullptr;
              return Environment::of_process().entries().empty() ? 0 : 1;
            }),
            0);
}

TEST(UserHome, IsHome) {
  EXPECT_EQ(user_home(Environment(Environment::Entries{{"HOME", "/home/me"}})), "/home/me");
}

TEST(UserHome, FallsBackOnTheUserDatabase) {
  const passwd* entry = ::getpwuid(::getuid());
  const std::filesystem::path expected = entry == nullptr ? "/" : entry->pw_dir;
  EXPECT_EQ(user_home(Environment()), expected);
  EXPECT_EQ(user_home(Environment(Environment::Entries{{"HOME", ""}})), expected);
}

TEST(UserHome, IsTheRootForAnUnknownUser) {
  EXPECT_EQ(test::in_child([] {
              constexpr uid_t kUnknown = 3'999'999;
              if (::geteuid() != 0)
                return user_home(Environment(Environment::Entries{{"HOME", "/"}})) == "/" ? 0 : 1;
              if (::setuid(kUnknown) != 0) return 2;
              return user_home(Environment()) == "/" ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace clever::io
