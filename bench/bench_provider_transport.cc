// The HTTP client beside bare libcurl, against a server in a process of its own on this machine.
//   latency   a POST of 1 KiB, an answer of 1 KiB, one after the other on one kept connection:
//     bare      curl_easy_perform() with one handle, on the calling thread
//     ours      HttpClient::start() and a wait for the end: two changes of threads
//     chained   each exchange is started by the end of the one before, on the network thread
//   slow      the same where the server takes 20 ms
//   streams   2,000 answers at once of 50 deltas, one every 10 to 30 ms: CPU and resident
//             memory of this process per stream, ours beside curl_multi_poll() and
//             curl_multi_perform()
// Prints JSON; times are in microseconds, medians of interleaved rounds, memory in KiB.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bare_curl.h"
#include "base/monitor.h"
#include "child_server.h"
#include "io/http_client.h"
#include "measure.h"
#include "support/http_server.h"

namespace {

using namespace clever;
using namespace clever::bench;

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

void serve(const ChildServer::Tell& tell, const ChildServer::Next& next) {
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
  tell(server.port());
  while (next()) server.open_gate("go");
}

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

void print_latency(const ChildServer& server, const Curl& curl) {
  constexpr int kCalls = 500;
  io::HttpClient client;
  BareRequest bare(curl, server.url("/quick"), kBody);
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

void print_slow(const ChildServer& server, const Curl& curl) {
  io::HttpClient client;
  BareRequest bare(curl, server.url("/slow"), kBody);
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
  const ChildServer server(serve);
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
  server.command();
  count.wait({}, base::Deadline::never(), [](const auto& c) { return c.ended == kStreams; })
      .value();
  cost.cpu_us = (cpu_microseconds() - cpu) / kStreams;
  return cost;
}

StreamCost bare_streams(const Curl& curl) {
  const ChildServer server(serve);
  const double memory = resident_kib();
  const double cpu = cpu_microseconds();
  CURLM* multi = curl.multi_init();
  std::vector<std::unique_ptr<BareRequest>> requests;
  for (int i = 0; i < kStreams; ++i) {
    requests.push_back(std::make_unique<BareRequest>(curl, server.url("/stream"), kBody));
    curl.multi_add_handle(multi, requests.back()->handle());
  }
  StreamCost cost;
  bool opened = false;
  for (int running = kStreams; running > 0;) {
    curl.multi_perform(multi, &running);
    if (!opened && std::ranges::all_of(requests, [](auto& r) { return r->received() > 0; })) {
      opened = true;
      cost.memory_kib = (resident_kib() - memory) / kStreams;
      server.command();
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
  const ChildServer server(serve);
  print_latency(server, curl);
  print_slow(server, curl);
  std::printf("}\n");
}
