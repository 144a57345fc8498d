// The HTTP client beside bare libcurl, against a server in a process of its own on this machine.
//   latency   a POST of 1 KiB, an answer of 1 KiB, one after the other on one kept connection:
//     bare      curl_easy_perform() with one handle, on the calling thread
//     ours      HttpClient::start() and a wait for the end: two changes of threads
//     chained   each exchange is started by the end of the one before, on the network thread
//   slow      the same where the server takes 20 ms
//   streams   2,000 answers at once of 50 deltas, one every 10 to 30 ms: CPU and resident memory of
//   this
//             process per stream, ours beside curl_multi_poll() and curl_multi_perform()
// Prints JSON; times are in microseconds, medians of interleaved rounds, memory in KiB.
#include <curl/curl.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "io/http_client.h"
#include "support/http_server.h"

namespace {

using namespace clever;
using SteadyClock = std::chrono::steady_clock;

constexpr int kStreams = 2000;
constexpr int kDeltas = 50;
const std::string kBody(1024, 'x');

// ---- the server

// Streams of different requests do not keep step with each other.
std::chrono::milliseconds pause(std::size_t stream, int delta) {
  return std::chrono::milliseconds(10 + (stream * 7 + static_cast<std::size_t>(delta) * 13) % 21);
}

test::HttpReply stream_reply(std::size_t stream) {
  static const std::string kDelta = "data: {\"delta\":\"" + std::string(80, 'x') + "\"}\n\n";
  test::HttpReply reply{.framing = test::Framing::kChunked};
  reply.steps.emplace_back(test::Send{kDelta});
  reply.steps.emplace_back(test::WaitFor{"go"});
  for (int i = 1; i < kDeltas; ++i) {
    reply.steps.emplace_back(test::Wait{pause(stream, i)});
    reply.steps.emplace_back(test::Send{kDelta});
  }
  return reply;
}

// Serves until its standard input ends; says its port first.
[[noreturn]] void serve(int commands, int answers) {
  test::allow_many_connections();
  test::HttpServer server(
      [](const test::SeenRequest& request) {
        if (request.target == "/stream") return stream_reply(request.number);
        test::HttpReply reply = test::whole_reply(kBody);
        if (request.target == "/slow") {
          reply.before_head.emplace_back(test::Wait{std::chrono::milliseconds(20)});
        }
        return reply;
      },
      {.keep_requests = false});
  const int port = server.port();
  if (::write(answers, &port, sizeof(port)) != sizeof(port)) std::_Exit(1);
  for (char command = 0; ::read(commands, &command, 1) == 1;) server.open_gate("go");
  std::_Exit(0);
}

class Server {
 public:
  Server() {
    int to[2];
    int from[2];
    if (::pipe(to) != 0 || ::pipe(from) != 0) std::abort();
    process_ = ::fork();
    if (process_ == 0) {
      ::close(to[1]);
      serve(to[0], from[1]);
    }
    ::close(to[0]);
    ::close(from[1]);
    commands_ = to[1];
    if (::read(from[0], &port_, sizeof(port_)) != sizeof(port_)) std::abort();
    ::close(from[0]);
  }
  ~Server() {
    ::close(commands_);
    ::waitpid(process_, nullptr, 0);
  }
  [[nodiscard]] std::string url(const char* path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  void open_gate() const {
    if (::write(commands_, "g", 1) != 1) std::abort();
  }

 private:
  pid_t process_ = -1;
  int commands_ = -1;
  int port_ = 0;
};

// ---- bare libcurl

struct Curl {
  template <class F>
  void find(F& function, const char* name) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (function == nullptr) std::abort();
  }
  Curl() {
    if (library == nullptr) std::abort();
    find(global_init, "curl_global_init");
    find(easy_init, "curl_easy_init");
    find(easy_cleanup, "curl_easy_cleanup");
    find(easy_setopt, "curl_easy_setopt");
    find(easy_perform, "curl_easy_perform");
    find(multi_init, "curl_multi_init");
    find(multi_cleanup, "curl_multi_cleanup");
    find(multi_add_handle, "curl_multi_add_handle");
    find(multi_remove_handle, "curl_multi_remove_handle");
    find(multi_perform, "curl_multi_perform");
    find(multi_poll, "curl_multi_poll");
    global_init(CURL_GLOBAL_DEFAULT);
  }
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&::curl_multi_perform) multi_perform = nullptr;
  decltype(&::curl_multi_poll) multi_poll = nullptr;
};

std::size_t append(char* bytes, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(bytes, size * count);
  return size * count;
}

class BareRequest {
 public:
  BareRequest(const Curl& curl, const std::string& url) : curl_(curl), handle_(curl.easy_init()) {
    curl_.easy_setopt(handle_, CURLOPT_URL, url.c_str());
    curl_.easy_setopt(handle_, CURLOPT_NOSIGNAL, 1L);
    curl_.easy_setopt(handle_, CURLOPT_POSTFIELDS, kBody.data());
    curl_.easy_setopt(handle_, CURLOPT_POSTFIELDSIZE, static_cast<long>(kBody.size()));
    curl_.easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &append);
    curl_.easy_setopt(handle_, CURLOPT_WRITEDATA, static_cast<void*>(&text_));
  }
  ~BareRequest() { curl_.easy_cleanup(handle_); }
  BareRequest(const BareRequest&) = delete;
  BareRequest& operator=(const BareRequest&) = delete;

  void perform() {
    text_.clear();
    if (curl_.easy_perform(handle_) != CURLE_OK || text_ != kBody) std::abort();
  }
  [[nodiscard]] CURL* handle() const { return handle_; }
  [[nodiscard]] std::size_t received() const { return text_.size(); }

 private:
  const Curl& curl_;
  CURL* handle_;
  std::string text_;
};

// ---- ours

class Sink final : public io::HttpSink {
 public:
  explicit Sink(std::function<void()> on_end) : on_end_(std::move(on_end)) {}
  void on_head(const io::HttpHead& /*head*/) override {}
  void on_data(std::string_view bytes) override { text_.append(bytes); }
  void on_end(const io::HttpEnd& end) override {
    if (!end.whole()) std::abort();
    on_end_();
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::function<void()> on_end_;
  std::string text_;
};

io::HttpRequest request_for(const std::string& url) {
  return {.url = url, .headers = {{"Content-Type", "application/json"}}, .body = kBody};
}

void perform(io::Http& http, const std::string& url) {
  base::Monitor<bool> done;
  const auto sink = std::make_shared<Sink>([&] { done.update([](bool& d) { d = true; }); });
  const auto exchange = http.start(request_for(url), sink);
  done.wait({}, base::Deadline::never(), [](bool d) { return d; }).value();
  if (sink->text() != kBody) std::abort();
}

void perform_chain(io::Http& http, const std::string& url, int count) {
  base::Monitor<bool> done;
  std::function<void()> next = [&] {
    if (count-- == 0) return done.update([](bool& d) { d = true; });
    http.start(request_for(url), std::make_shared<Sink>(next));
  };
  next();
  done.wait({}, base::Deadline::never(), [](bool d) { return d; }).value();
}

// ---- measuring

double microseconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::micro>(SteadyClock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double per_call(int calls, const std::function<void()>& call) {
  const auto begin = SteadyClock::now();
  for (int i = 0; i < calls; ++i) call();
  return microseconds_since(begin) / calls;
}

void print_latency(const Server& server, const Curl& curl) {
  constexpr int kCalls = 500;
  io::HttpClient client;
  BareRequest bare(curl, server.url("/quick"));
  const std::string url = server.url("/quick");
  std::vector<double> bare_times;
  std::vector<double> our_times;
  std::vector<double> chained_times;
  for (int round = 0; round < 15; ++round) {
    bare_times.push_back(per_call(kCalls, [&] { bare.perform(); }));
    our_times.push_back(per_call(kCalls, [&] { perform(client, url); }));
    chained_times.push_back(per_call(1, [&] { perform_chain(client, url, kCalls); }) / kCalls);
  }
  std::printf(
      ", \"latency\": {\"bare_us\": %.1f, \"ours_us\": %.1f, \"added_us\": %.1f, \"chained_us\": "
      "%.1f, "
      "\"chained_added_us\": %.1f}",
      median(bare_times), median(our_times), median(our_times) - median(bare_times),
      median(chained_times), median(chained_times) - median(bare_times));
}

void print_slow(const Server& server, const Curl& curl) {
  io::HttpClient client;
  BareRequest bare(curl, server.url("/slow"));
  const std::string url = server.url("/slow");
  std::vector<double> bare_times;
  std::vector<double> our_times;
  for (int round = 0; round < 40; ++round) {
    bare_times.push_back(per_call(1, [&] { bare.perform(); }));
    our_times.push_back(per_call(1, [&] { perform(client, url); }));
  }
  std::printf(", \"slow\": {\"bare_us\": %.0f, \"ours_us\": %.0f, \"ratio\": %.4f}",
              median(bare_times), median(our_times), median(our_times) / median(bare_times));
}

double cpu_microseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double resident_kib() {
  std::ifstream statm("/proc/self/statm");
  long all = 0;
  long resident = 0;
  statm >> all >> resident;
  return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1024;
}

struct StreamCost {
  double cpu_us = 0;
  double memory_kib = 0;
};

// Counts the streams that have begun, and those that have ended.
class StreamSink final : public io::HttpSink {
 public:
  struct Count {
    int begun = 0;
    int ended = 0;
  };
  explicit StreamSink(base::Monitor<Count>& count) : count_(count) {}
  void on_head(const io::HttpHead& /*head*/) override {
    count_.update([](Count& c) { ++c.begun; });
  }
  void on_data(std::string_view bytes) override { received_ += bytes.size(); }
  void on_end(const io::HttpEnd& end) override {
    if (!end.whole()) std::abort();
    count_.update([](Count& c) { ++c.ended; });
  }

 private:
  base::Monitor<Count>& count_;
  std::size_t received_ = 0;
};

StreamCost our_streams() {
  const Server server;
  io::HttpClient client;
  perform(client, server.url("/quick"));
  const double memory = resident_kib();
  const double cpu = cpu_microseconds();
  base::Monitor<StreamSink::Count> count;
  for (int i = 0; i < kStreams; ++i) {
    client.start(request_for(server.url("/stream")), std::make_shared<StreamSink>(count));
  }
  count.wait({}, base::Deadline::never(), [](const auto& c) { return c.begun == kStreams; })
      .value();
  StreamCost cost{.memory_kib = (resident_kib() - memory) / kStreams};
  server.open_gate();
  count.wait({}, base::Deadline::never(), [](const auto& c) { return c.ended == kStreams; })
      .value();
  cost.cpu_us = (cpu_microseconds() - cpu) / kStreams;
  return cost;
}

StreamCost bare_streams(const Curl& curl) {
  const Server server;
  const double memory = resident_kib();
  const double cpu = cpu_microseconds();
  CURLM* multi = curl.multi_init();
  std::vector<std::unique_ptr<BareRequest>> requests;
  for (int i = 0; i < kStreams; ++i) {
    requests.push_back(std::make_unique<BareRequest>(curl, server.url("/stream")));
    curl.multi_add_handle(multi, requests.back()->handle());
  }
  StreamCost cost;
  bool opened = false;
  for (int running = kStreams; running > 0;) {
    curl.multi_perform(multi, &running);
    if (!opened && std::ranges::all_of(requests, [](auto& r) { return r->received() > 0; })) {
      opened = true;
      cost.memory_kib = (resident_kib() - memory) / kStreams;
      server.open_gate();
    }
    if (running > 0) curl.multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
  cost.cpu_us = (cpu_microseconds() - cpu) / kStreams;
  for (const auto& request : requests) curl.multi_remove_handle(multi, request->handle());
  requests.clear();
  curl.multi_cleanup(multi);
  return cost;
}

void print_streams(const Curl& curl) {
  const StreamCost ours = our_streams();
  const StreamCost bare = bare_streams(curl);
  std::printf(
      "\"streams\": {\"count\": %d, \"deltas\": %d, \"cpu_us_per_stream\": %.0f, "
      "\"memory_kib_per_stream\": %.1f, \"bare_cpu_us_per_stream\": %.0f, "
      "\"bare_memory_kib_per_stream\": %.1f, \"cpu_ratio\": %.2f}",
      kStreams, kDeltas, ours.cpu_us, ours.memory_kib, bare.cpu_us, bare.memory_kib,
      bare.cpu_us / ours.cpu_us);
}

}  // namespace

int main() {
  test::allow_many_connections();
  const Curl curl;
  std::printf("{");
  // First: memory that others leave behind would hide what a stream needs.
  print_streams(curl);
  const Server server;
  print_latency(server, curl);
  print_slow(server, curl);
  std::printf("}\n");
}
