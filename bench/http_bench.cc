// The HTTP server by itself, for bench/http:
//   http_bench serve           answers GET /healthz, streams GET /events; POST /event sends one to
//   all http_bench watch PORT N    opens N streams there, has one event sent, waits until all have
//   it
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/guarded.h"
#include "http/server.h"
#include "io/file_descriptor.h"

namespace {

using namespace clever;

void allow_many_files() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

long resident_kib() {
  std::ifstream file("/proc/self/statm");
  long size = 0;
  long resident = 0;
  file >> size >> resident;
  return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

long processor_us() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000 + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

class Site {
 public:
  void handle(const http::Request& request, http::Responder responder) {
    if (request.target == "/events") {
      http::Stream stream = responder.stream({.headers = {{"Content-Type", "text/event-stream"}}});
      streams_.with([&](auto& streams) { streams.push_back(std::move(stream)); });
    } else if (request.target == "/event") {
      streams_.with([](auto& streams) {
        for (http::Stream& stream : streams) stream.send("data: an event of usual length\n\n");
      });
      responder.answer({});
    } else if (request.target == "/usage") {
      responder.answer(
          {.body = std::to_string(resident_kib()) + " " + std::to_string(processor_us()) + ".\n"});
    } else {
      responder.answer({.headers = {{"Content-Type", "text/plain"}}, .body = "ok\n"});
    }
  }

 private:
  base::Guarded<std::vector<http::Stream>, base::LockRank::kComponent> streams_;
};

int serve() {
  allow_many_files();
  base::SystemClock clock;
  Site site;
  base::ThreadPool pool({.name = "handlers", .threads = 2});
  http::Limits limits;
  limits.connections = limits.connections_per_address = limits.streams = 60'000;
  const auto server = http::Server::open(
      {.listen = {{.host = "127.0.0.1"}}, .limits = limits},
      [&](const std::shared_ptr<const http::Request>& request, http::Responder responder) {
        site.handle(*request, std::move(responder));
      },
      pool, clock);
  CLEVER_CHECK(server.ok(), "cannot listen");
  std::printf("%d\n", (*server)->addresses()[0].port);
  std::fflush(stdout);
  // Until the script that started this ends.
  char end = 0;
  while (::read(STDIN_FILENO, &end, 1) > 0) {
  }
  return 0;
}

class Watcher {
 public:
  explicit Watcher(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CLEVER_CHECK(::connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address),
                           sizeof(address)) == 0,
                 "cannot connect");
  }
  std::string ask(std::string_view method, std::string_view target, std::string_view until) {
    const std::string request = std::string(method) + " " + std::string(target) +
                                " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
    CLEVER_CHECK(::write(socket_.number(), request.data(), request.size()) ==
                     static_cast<ssize_t>(request.size()),
                 "cannot send");
    return read_until(until);
  }
  std::string read_until(std::string_view end) {
    std::array<char, 4096> buffer{};
    while (!text_.contains(end)) {
      const ssize_t size = ::read(socket_.number(), buffer.data(), buffer.size());
      CLEVER_CHECK(size > 0, "the server has closed");
      text_.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return std::exchange(text_, {});
  }

 private:
  io::FileDescriptor socket_;
  std::string text_{};
};

struct Usage {
  long resident_kib = 0;
  long processor_us = 0;
};

Usage usage_of(Watcher& client) {
  const std::string answer = client.ask("GET", "/usage", ".\n");
  const std::string numbers = answer.substr(answer.find("\r\n\r\n") + 4);
  Usage usage;
  char* end = nullptr;
  usage.resident_kib = std::strtol(numbers.c_str(), &end, 10);
  usage.processor_us = std::strtol(end, nullptr, 10);
  return usage;
}

int watch(int port, int count) {
  allow_many_files();
  Watcher control(port);
  const Usage before = usage_of(control);
  std::vector<Watcher> watchers;
  watchers.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    watchers.emplace_back(port);
    watchers.back().ask("GET", "/events", "\r\n\r\n");
  }
  const Usage idle = usage_of(control);
  control.ask("POST", "/event", "\r\n\r\n");
  for (Watcher& watcher : watchers) watcher.read_until("\n\n");
  const Usage after = usage_of(control);
  std::printf("{\"watchers\": %d, \"kib_each\": %.2f, \"event_to_all_ms_of_processor\": %.1f}\n",
              count, static_cast<double>(idle.resident_kib - before.resident_kib) / count,
              static_cast<double>(after.processor_us - idle.processor_us) / 1000);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "serve") return serve();
  if (arguments.size() == 3 && arguments[0] == "watch") {
    return watch(std::atoi(arguments[1].c_str()), std::atoi(arguments[2].c_str()));
  }
  std::fputs("usage: http_bench serve | http_bench watch PORT COUNT\n", stderr);
  return 2;
}
