#include "io/socket_watch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace clever::io {
namespace {

// Two connected sockets; what is written to one can be read from the other.
struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ours = FileDescriptor(ends[0]);
    theirs = FileDescriptor(ends[1]);
  }
  void write() const { EXPECT_EQ(::write(theirs.number(), "x", 1), 1); }
  FileDescriptor ours;
  FileDescriptor theirs;
};

class SocketWatchTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::size_t events() { return watch_.wait(0).size(); }

  SocketWatch watch_ = SocketWatch::create().value();
  Pair pair_;
};

TEST_F(SocketWatchTest, TellsWhatCanBeRead) {
  watch_.opened(pair_.ours.number());
  watch_.want(pair_.ours.number(), EPOLLIN);
  EXPECT_EQ(events(), 0U);
  pair_.write();
  const auto found = watch_.wait(-1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].data.fd, pair_.ours.number());
  EXPECT_NE(found[0].events & EPOLLIN, 0U);
}

TEST_F(SocketWatchTest, IsSilentAboutUnwantedEvents) {
  watch_.opened(pair_.ours.number());
  watch_.want(pair_.ours.number(), EPOLLIN);
  EXPECT_EQ(events(), 0U);
  watch_.want(pair_.ours.number(), 0);
  pair_.write();
  EXPECT_EQ(events(), 0U);
  watch_.want(pair_.ours.number(), EPOLLIN);
  EXPECT_EQ(events(), 1U);
}

TEST_F(SocketWatchTest, ASocketTakenOutAndPutInAgainIsStillWatched) {
  watch_.opened(pair_.ours.number());
  watch_.want(pair_.ours.number(), EPOLLIN);
  EXPECT_EQ(events(), 0U);
  watch_.want(pair_.ours.number(), 0);
  watch_.want(pair_.ours.number(), EPOLLIN);
  pair_.write();
  EXPECT_EQ(events(), 1U);
}

TEST_F(SocketWatchTest, WantsMayChange) {
  watch_.opened(pair_.ours.number());
  watch_.want(pair_.ours.number(), EPOLLIN);
  EXPECT_EQ(events(), 0U);
  watch_.want(pair_.ours.number(), EPOLLIN | EPOLLOUT);
  EXPECT_EQ(events(), 1U);
}

TEST_F(SocketWatchTest, ANumberMayBeUsedAgain) {
  const int number = pair_.ours.number();
  watch_.opened(number);
  watch_.want(number, EPOLLIN);
  EXPECT_EQ(events(), 0U);
  watch_.closed(number);
  Pair next;
  ASSERT_EQ(::dup3(next.ours.number(), number, O_CLOEXEC), number);
  watch_.opened(number);
  watch_.want(number, EPOLLIN);
  next.write();
  EXPECT_EQ(events(), 1U);
}

// libcurl closes the descriptors of its name lookups itself, after it took them out.
TEST_F(SocketWatchTest, ForgetsAReusedDescriptorAtOnce) {
  const int number = pair_.ours.number();
  watch_.want(number, EPOLLIN);
  watch_.want(number, 0);
  Pair next;
  ASSERT_EQ(::dup3(next.ours.number(), number, O_CLOEXEC), number);
  watch_.want(number, EPOLLIN);
  next.write();
  EXPECT_EQ(events(), 1U);
}

TEST_F(SocketWatchTest, AWakeEndsTheNextWait) {
  watch_.wake();
  watch_.wake();
  EXPECT_EQ(watch_.wait(-1).size(), 0U);
  watch_.wake();
  EXPECT_EQ(watch_.wait(-1).size(), 0U);
}

}  // namespace
}  // namespace clever::io
