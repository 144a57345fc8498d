#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Each shared library costs every start its loading; bench_startup measures the whole. What a
// command needs beyond the C library is linked statically or loaded when it is used.
TEST(StartupTest, NothingButTheCLibraryIsLoadedAtStart) {
  const User user;
  std::istringstream libraries(user.run({"/usr/bin/ldd", agents_program()}).output);
  int count = 0;
  for (std::string line; std::getline(libraries, line); ++count) {
    EXPECT_THAT(line, AnyOf(HasSubstr("linux-vdso.so"), HasSubstr("libc.so"), HasSubstr("libm.so"),
                            HasSubstr("ld-linux")));
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace clever::e2e
