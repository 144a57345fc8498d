#include "confine/internal/remarks.h"

#include <gtest/gtest.h>

namespace clever::confine::internal {
namespace {

Command limited() {
  return {.argv = {"x"},
          .limits = {.memory = std::uint64_t{2} << 30U,
                     .processes = 5,
                     .file_size = 1 << 20U,
                     .open_files = 9}};
}

TEST(Remarks, NetworkThatIsOff) {
  for (const char* text :
       {"curl: (6) Could not resolve host: x", "npm error code EAI_AGAIN",
        "connect: Network is unreachable", "Temporary failure in name resolution",
        "getaddrinfo ENOTFOUND registry.npmjs.org"}) {
    EXPECT_EQ(remark_on(limited(), text), "needed the network, which is off (sandbox.network)");
  }
}

TEST(Remarks, NetworkThatIsOnIsNotBlamed) {
  Command command = limited();
  command.network = Network::kOn;
  EXPECT_EQ(remark_on(command, "Could not resolve host"), "");
}

TEST(Remarks, AHostThatIsNotListed) {
  Command command = limited();
  command.network = Network::kHosts;
  EXPECT_EQ(remark_on(command, "curl: (56) CONNECT tunnel failed, response 403"),
            "needed a host that it may not reach (sandbox.hosts)");
}

TEST(Remarks, Limits) {
  EXPECT_EQ(remark_on(limited(), "std::bad_alloc"), "used up its memory limit of 2 GiB");
  EXPECT_EQ(remark_on(limited(), "sh: Cannot fork"), "reached its limit of 5 processes");
  EXPECT_EQ(remark_on(limited(), "write: File too large"),
            "wrote a file beyond the limit of 1 MiB");
  EXPECT_EQ(remark_on(limited(), "open: Too many open files"), "reached its limit of 9 open files");
}

TEST(Remarks, LimitsThatAreNotSetAreNotBlamed) {
  const Command free{.argv = {"x"}};
  for (const char* text :
       {"std::bad_alloc", "Cannot fork", "File too large", "Too many open files"}) {
    EXPECT_EQ(remark_on(free, text), "");
  }
}

TEST(Remarks, NothingIsSaidOfAnUnconfinedCommand) {
  Command command = limited();
  command.unconfined = true;
  EXPECT_EQ(remark_on(command, "Could not resolve host"), "");
}

TEST(Remarks, OrdinaryFailuresHaveNone) { EXPECT_EQ(remark_on(limited(), "2 tests failed"), ""); }

TEST(SizeText, UsesTheLargestWholeUnit) {
  EXPECT_EQ(size_text(17), "17 bytes");
  EXPECT_EQ(size_text(300 << 10U), "300 KiB");
  EXPECT_EQ(size_text(std::uint64_t{3} << 30U), "3 GiB");
  EXPECT_EQ(size_text(0), "0 bytes");
}

}  // namespace
}  // namespace clever::confine::internal
