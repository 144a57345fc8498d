#include "io/line_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "io/file_descriptor.h"
#include "io/output.h"

namespace clever::io {
namespace {

class LineInputTest : public testing::Test {
 protected:
  LineInputTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    input_ = FileDescriptor(ends[0]);
    writer_ = FileDescriptor(ends[1]);
  }
  void type(std::string_view text) { ASSERT_TRUE(write_all(writer_.number(), text).ok()); }
  base::Result<std::optional<std::string>> line() {
    return read_line(input_.number(), stop_.token());
  }

  FileDescriptor input_;
  FileDescriptor writer_;
  base::StopSource stop_;
};

TEST_F(LineInputTest, LinesComeOneByOneWithoutTheirEnd) {
  type("yes\n\nno");
  writer_.reset();
  EXPECT_EQ(line().value(), "yes");
  EXPECT_EQ(line().value(), "");
  EXPECT_EQ(line().value(), "no");
  EXPECT_EQ(line().value(), std::nullopt);
}

TEST_F(LineInputTest, AStopEndsTheWait) {
  stop_.request_stop();
  EXPECT_EQ(line().error().code(), base::ErrorCode::kCancelled);
}

TEST_F(LineInputTest, ALineHasALimit) {
  ASSERT_GT(::fcntl(writer_.number(), F_SETPIPE_SZ, 1 << 18), 1 << 16);
  type(std::string(1 << 16, 'x'));
  EXPECT_EQ(line().error().code(), base::ErrorCode::kResourceExhausted);
}

TEST_F(LineInputTest, TheDescriptorStaysOpen) {
  type("a\n");
  EXPECT_EQ(line().value(), "a");
  type("b\n");
  EXPECT_EQ(line().value(), "b");
}

}  // namespace
}  // namespace clever::io
