#include "io/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/child_process.h"

namespace clever::io {
namespace {

TEST(StandardStreams, AMissingOneIsTakenAndRefusesWriting) {
  EXPECT_EQ(test::in_child([] {
              ::close(0);
              ::close(1);
              hold_standard_streams();
              const bool refused = ::write(1, "x", 1) < 0;
              return refused && ::open("/dev/null", O_RDONLY) > 2 ? 0 : 1;
            }),
            0);
}

TEST(StandardStreams, ThoseThatAreOpenStay) {
  EXPECT_EQ(test::in_child([] {
              const int before = ::fcntl(1, F_GETFL);
              hold_standard_streams();
              return ::fcntl(1, F_GETFL) == before ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace clever::io
