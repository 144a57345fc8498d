#include "support/http2_front.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "io/file_descriptor.h"
#include "support/child_process.h"
#include "support/internal/bound_port.h"
#include "support/temporary_directory.h"

namespace clever::test {
namespace {

// The program listens on our socket, so the port is known and taken before it runs.
io::FileDescriptor listener() {
  io::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(socket.number(), 1024) != 0) {
    std::abort();
  }
  return socket;
}

}  // namespace

struct Http2Front::State {
  TemporaryDirectory folder;
  io::FileDescriptor socket = listener();
  int port = internal::bound_port(socket.number());
  std::optional<ChildProcess> child;
};

Http2Front::Http2Front(int backend_port, const Certificate& certificate)
    : state_(std::make_unique<State>()) {
  const std::string key = state_->folder.write("key.pem", certificate.key).string();
  const std::string chain = state_->folder.write("chain.pem", certificate.certificate).string();
  const std::string front = "--frontend=127.0.0.1," + std::to_string(state_->port);
  const std::string back = "--backend=127.0.0.1," + std::to_string(backend_port);
  const std::string inherited = "tcp," + std::to_string(state_->socket.number());
  const std::array<const char*, 12> arguments{"nghttpx",
                                              "--conf=/dev/null",
                                              front.c_str(),
                                              back.c_str(),
                                              "--workers=1",
                                              "--single-process",
                                              "--no-ocsp",
                                              "--errorlog-file=/dev/null",
                                              "--accesslog-file=/dev/null",
                                              key.c_str(),
                                              chain.c_str(),
                                              nullptr};
  state_->child.emplace([&] {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::fcntl(state_->socket.number(), F_SETFD, 0);
    ::setenv("NGHTTPX_ACCEPT_1", inherited.c_str(), 1);
    const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(null, STDERR_FILENO);
    ::execvp("nghttpx", const_cast<char* const*>(arguments.data()));
    // Debian's place for it, which is not in everybody's PATH.
    ::execv("/usr/sbin/nghttpx", const_cast<char* const*>(arguments.data()));
    return 127;
  });
}

Http2Front::~Http2Front() = default;

std::string Http2Front::url(std::string_view path) const {
  return "https://localhost:" + std::to_string(state_->port) + std::string(path);
}

}  // namespace clever::test
