#include "io/descriptor_wait.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "io/internal/pipe.h"

namespace clever::io {
namespace {

struct Ends {
  Ends() : pipe(internal::Pipe::create().value()) {
    make_nonblocking(pipe.reading).value();
    make_nonblocking(pipe.writing).value();
  }
  internal::Pipe pipe;
  std::array<char, 65'536> buffer{};
};

TEST(DescriptorWait, NothingToReadIsNotAnEnd) {
  Ends ends;
  EXPECT_FALSE(read_some(ends.pipe.reading, ends.buffer).value().has_value());
}

TEST(DescriptorWait, ReadsWhatWasWritten) {
  Ends ends;
  EXPECT_EQ(write_some(ends.pipe.writing, "abc").value(), 3U);
  EXPECT_EQ(read_some(ends.pipe.reading, ends.buffer).value(), 3U);
  EXPECT_EQ(std::string(ends.buffer.data(), 3), "abc");
}

TEST(DescriptorWait, TheEndIsZero) {
  Ends ends;
  ends.pipe.writing.reset();
  EXPECT_EQ(read_some(ends.pipe.reading, ends.buffer).value(), 0U);
}

TEST(DescriptorWait, AFullPipeTakesNothing) {
  Ends ends;
  const std::string much(1 << 20, 'x');
  const std::size_t first = write_some(ends.pipe.writing, much).value();
  EXPECT_LT(first, much.size());
  EXPECT_EQ(write_some(ends.pipe.writing, much).value(), 0U);
}

TEST(DescriptorWait, AReaderThatWentAwayIsUnavailable) {
  Ends ends;
  ends.pipe.reading.reset();
  EXPECT_EQ(write_some(ends.pipe.writing, "x").error().code(), base::ErrorCode::kUnavailable);
}

TEST(DescriptorWait, AnInvalidDescriptorIsAnError) {
  const FileDescriptor none;
  std::array<char, 1> buffer{};
  EXPECT_FALSE(read_some(none, buffer).ok());
  EXPECT_FALSE(make_nonblocking(none).ok());
}

TEST(DescriptorWait, NamesWhoIsReady) {
  Ends quiet;
  Ends loud;
  write_some(loud.pipe.writing, "x").value();
  std::array<Awaited, 4> files{Awaited{.file = &quiet.pipe.reading},
                               Awaited{.file = &loud.pipe.reading},
                               Awaited{.file = &quiet.pipe.writing, .to_write = true}, Awaited{}};
  wait_for_any(files, -1).value();
  EXPECT_FALSE(files[0].ready);
  EXPECT_TRUE(files[1].ready);
  EXPECT_TRUE(files[2].ready);
  EXPECT_FALSE(files[3].ready);
}

TEST(DescriptorWait, ABellRingsUntilItIsSilenced) {
  const Bell bell = Bell::create().value();
  bell.ring();
  bell.ring();
  std::array<Awaited, 1> files{Awaited{.file = &bell.descriptor()}};
  wait_for_any(files, -1).value();
  EXPECT_TRUE(files[0].ready);
  bell.silence();
  wait_for_any(files, 0).value();
  EXPECT_FALSE(files[0].ready);
}

}  // namespace
}  // namespace clever::io
