#include "io/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/thread.h"
#include "io/file_descriptor.h"
#include "support/child_process.h"

namespace clever::io {
namespace {

using base::ErrorCode;

struct TestPipe {
  FileDescriptor reading;
  FileDescriptor writing;
};

TestPipe make_pipe(int flags = 0) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC | flags), 0);
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = ::read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

TEST(WriteAll, WritesEverything) {
  TestPipe pipe = make_pipe();
  ASSERT_TRUE(write_all(pipe.writing.number(), "hello").ok());
  pipe.writing.reset();
  EXPECT_EQ(read_to_end(pipe.reading.number()), "hello");
}

TEST(WriteAll, WritesNothing) { EXPECT_TRUE(write_all(STDOUT_FILENO, "").ok()); }

TEST(WriteAll, WaitsForANonBlockingReader) {
  TestPipe pipe = make_pipe();
  ASSERT_EQ(::fcntl(pipe.writing.number(), F_SETFL, O_NONBLOCK), 0);
  const std::string text(1'000'000, 'x');
  std::string seen;
  {
    base::Thread reader("reader",
                        [&](const base::StopToken&) { seen = read_to_end(pipe.reading.number()); });
    EXPECT_TRUE(write_all(pipe.writing.number(), text).ok());
    pipe.writing.reset();
  }
  EXPECT_EQ(seen, text);
}

TEST(WriteAll, SurvivesAReaderThatWentAway) {
  EXPECT_EQ(test::in_child([] {
              ::signal(SIGPIPE, SIG_DFL);
              TestPipe pipe = make_pipe();
              pipe.reading.reset();
              const auto result = write_all(pipe.writing.number(), "hello");
              return !result.ok() && result.error().code() == ErrorCode::kUnavailable ? 0 : 1;
            }),
            0);
}

TEST(WriteAll, KeepsAPipeSignalThatWasThereBefore) {
  EXPECT_EQ(test::in_child([] {
              ::signal(SIGPIPE, SIG_DFL);
              sigset_t set;
              sigemptyset(&set);
              sigaddset(&set, SIGPIPE);
              ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
              ::raise(SIGPIPE);
              TestPipe pipe = make_pipe();
              pipe.reading.reset();
              const auto result = write_all(pipe.writing.number(), "hello");
              sigset_t pending;
              ::sigpending(&pending);
              return !result.ok() && sigismember(&pending, SIGPIPE) == 1 ? 0 : 1;
            }),
            0);
}

TEST(WriteAll, SaysThatTheDiskIsFull) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  const auto result = write_all(full.number(), "hello");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kResourceExhausted);
}

TEST(WriteAll, SaysThatTheDescriptorIsNone) {
  const auto result = write_all(-1, "hello");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kInternal);
}

TEST(FileDescriptor, ClosesOnAssignment) {
  TestPipe pipe = make_pipe();
  pipe.writing = FileDescriptor();
  EXPECT_FALSE(pipe.writing.valid());
  EXPECT_EQ(read_to_end(pipe.reading.number()), "");
}

}  // namespace
}  // namespace clever::io
