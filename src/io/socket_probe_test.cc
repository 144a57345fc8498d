#include "io/socket_probe.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <chrono>

#include "io/file_descriptor.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::ErrorCode;
using testing::HasSubstr;

// A loopback port chosen by the system; it listens only on request.
class Port {
 public:
  explicit Port(bool listening, int backlog = 1) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    void* bytes = &address;
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.number(), static_cast<sockaddr*>(bytes), size), 0);
    if (listening) {
      EXPECT_EQ(::listen(socket_.number(), backlog), 0);
    }
    EXPECT_EQ(::getsockname(socket_.number(), static_cast<sockaddr*>(bytes), &size), 0);
    number_ = ntohs(address.sin_port);
  }
  [[nodiscard]] std::uint16_t number() const { return number_; }

 private:
  FileDescriptor socket_;
  std::uint16_t number_ = 0;
};

base::Deadline soon(base::Clock& clock) {
  return base::Deadline::after(clock, std::chrono::seconds{10});
}

TEST(ProbeTcp, FindsAListener) {
  base::SystemClock clock;
  const Port port(true);
  EXPECT_TRUE(probe_tcp("127.0.0.1", port.number(), soon(clock)).ok());
}

// A name would need /etc/hosts or a server to resolve it; the short form of an address does not.
TEST(ProbeTcp, AsksTheSystemWhatAHostMeans) {
  base::SystemClock clock;
  const Port port(true);
  EXPECT_TRUE(probe_tcp("127.1", port.number(), soon(clock)).ok());
}

TEST(ProbeTcp, SaysWhoRefused) {
  base::SystemClock clock;
  const Port port(false);
  const auto outcome = probe_tcp("127.0.0.1", port.number(), soon(clock));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(outcome.error().message(), HasSubstr("cannot connect to 127.0.0.1 port "));
  EXPECT_THAT(outcome.error().message(), HasSubstr("refused"));
}

TEST(ProbeTcp, GivesUpOnANameAtTheDeadline) {
  base::SystemClock clock;
  const auto outcome =
      probe_tcp("name.invalid", 1, base::Deadline::after(clock, base::Duration::zero()));
  ASSERT_FALSE(outcome.ok());
  // A resolver that knows the answer at once may be faster than a deadline that has passed.
  EXPECT_THAT(outcome.error().code(),
              testing::AnyOf(ErrorCode::kDeadlineExceeded, ErrorCode::kNotFound));
}

TEST(ProbeTcp, AnImpossibleNameIsNotFound) {
  base::SystemClock clock;
  const auto outcome = probe_tcp("", 1, soon(clock));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::kNotFound);
}

sockaddr_un address_of(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path.native(), static_cast<char*>(address.sun_path));
  return address;
}

TEST(ProbeUnixSocket, FindsAListener) {
  base::SystemClock clock;
  const test::TemporaryDirectory folder;
  const auto path = folder / "socket";
  const sockaddr_un address = address_of(path);
  const void* bytes = &address;
  const FileDescriptor server(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(::bind(server.number(), static_cast<const sockaddr*>(bytes), sizeof address), 0);
  EXPECT_EQ(probe_unix_socket(path, soon(clock)).error().code(), ErrorCode::kUnavailable);
  ASSERT_EQ(::listen(server.number(), 1), 0);
  EXPECT_TRUE(probe_unix_socket(path, soon(clock)).ok());
}

TEST(ProbeUnixSocket, NamesAPathThatIsNotThereOrTooLong) {
  base::SystemClock clock;
  const auto missing = probe_unix_socket("/nonexistent/socket", soon(clock));
  EXPECT_EQ(missing.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(missing.error().message(), HasSubstr("/nonexistent/socket"));
  const auto long_one = probe_unix_socket("/" + std::string(200, 'x'), soon(clock));
  EXPECT_EQ(long_one.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(long_one.error().message(), HasSubstr("at most 107 bytes"));
}

}  // namespace
}  // namespace clever::io
