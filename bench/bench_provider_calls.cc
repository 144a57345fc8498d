// A call of a model through everything we have (registry, governor, circuit, wire format, client),
// beside bare libcurl that sends the same bytes to the same server, which is a process of its own.
//   latency   one call after the other, streamed:
//     bare      curl_easy_perform() with one handle, the answer unread
//     ours      ModelClient::call_and_wait()
//     chained   each call is started by the end of the one before
//   slow      the same with a first byte after 20 ms
//   streams   2,000 calls at once of 50 deltas: processor time and memory of this process per
//             stream, and calls per second of processor time
//   --gateway URL --calls N --at-once M: only calls, of whole answers, to an OpenAI-compatible
//             address, for bench/peers/gateway; --model-server prints the server's and waits
// No store takes part: the reservation's commit is the storage benchmark's. Prints JSON.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "bare_curl.h"
#include "base/monitor.h"
#include "base/thread_pool.h"
#include "child_server.h"
#include "io/http_client.h"
#include "measure.h"
#include "provider/http_backend.h"
#include "provider/model_service.h"
#include "support/model_server.h"

namespace {

using namespace clever;
using namespace clever::bench;

constexpr int kStreams = 2000;
constexpr int kDeltas = 50;

// Fifty deltas of eight bytes, with pauses if a question asks for them.
std::string script_text() {
  std::string text;
  for (int i = 0; i < kDeltas; ++i) text += "12345678";
  return "rules:\n"
         "- match: {user: slow}\n  reply: ok\n  delay: 20ms\n"
         "- match: {user: stream}\n  reply: '" +
         text +
         "'\n  chunk: 8\n  chunk_delay: 20ms\n"
         "- match: {user: burst}\n  reply: '" +
         text +
         "'\n  chunk: 8\n"
         "- reply: ok\n";
}

test::ModelServerOptions server_options() {
  test::ModelServerOptions options;
  options.http.keep_requests = false;
  return options;
}

void serve(const ChildServer::Tell& tell, const ChildServer::Next& next) {
  test::allow_many_connections();
  test::ModelServer server(provider::Script::parse(script_text(), "bench").value(),
                           server_options());
  tell(server.http().port());
  while (next()) {
  }
}

provider::ModelRequest question(const std::string& text, bool stream = true) {
  provider::ModelRequest request;
  request.stream = stream;
  request.messages = {{model::Role::kUser, {model::Text{text}}}};
  return request;
}

// Everything between a question and its answer.
class Stack {
 public:
  explicit Stack(const std::string& base_url, std::vector<io::HttpHeader> headers = {})
      : service_({clock_, random_, timers_, pool_, nullptr},
                 [this](const provider::Endpoint& endpoint) {
                   return base::Result<std::shared_ptr<provider::Backend>>(
                       std::make_shared<provider::HttpBackend>(*provider::adapter(endpoint.wire),
                                                               endpoint, http_));
                 }) {
    provider::ProviderConfig config;
    config.endpoint = {.provider = "bench", .base_url = base_url, .key = "none"};
    config.endpoint.headers = std::move(headers);
    config.limits.max_concurrency = kStreams;
    config.default_model = "m";
    provider::ProviderSettings settings;
    settings.providers.push_back(config);
    if (!service_.registry().reconfigure(settings).ok()) std::abort();
  }

  [[nodiscard]] provider::ModelClient& client() { return service_.client(); }
  /// The body that a question becomes.
  [[nodiscard]] std::string body(const std::string& text) {
    const auto model = service_.registry().snapshot()->resolve("").value();
    const provider::Endpoint& endpoint = model.provider->endpoint();
    return provider::adapter(endpoint.wire)->encode(endpoint, "m", question(text)).body;
  }

  void call(const std::string& text) {
    if (!client().call_and_wait({.request = question(text)}, {}).answered()) std::abort();
  }

 private:
  base::SystemClock clock_;
  base::SystemRandom random_;
  base::ThreadPool pool_{{.name = "models", .threads = 1}};
  base::TimerQueue timers_{clock_};
  io::HttpClient http_;
  provider::ModelService service_;
};

// Makes calls, so many at once. Whoever waits is woken twice, not for each call.
class Calls {
 public:
  struct Passed {
    bool all_begun = false;
    bool all_ended = false;
  };
  Calls(provider::ModelClient& client, std::string text, int all, bool stream = true)
      : client_(client), text_(std::move(text)), stream_(stream), all_(all), left_(all) {}

  void start(int at_once) {
    for (int i = 0; i < at_once; ++i) next();
  }
  void wait_until_begun() {
    passed_.wait({}, base::Deadline::never(), [](const Passed& p) { return p.all_begun; }).value();
  }
  void wait_until_ended() {
    passed_.wait({}, base::Deadline::never(), [](const Passed& p) { return p.all_ended; }).value();
  }

 private:
  class Sink final : public provider::CallSink {
   public:
    explicit Sink(Calls& calls) : calls_(calls) {}
    void on_delta(const provider::Delta&) override {
      if (!std::exchange(began_, true)) calls_.begin();
    }
    void on_end(provider::CallEnd end) override {
      if (const auto* failure = std::get_if<provider::Failure>(&end.result)) {
        std::fprintf(stderr, "a call failed: %s\n", failure->message.c_str());
        std::_Exit(1);
      }
      calls_.next();
      calls_.end();
    }

   private:
    Calls& calls_;
    bool began_ = false;
  };

  void next() {
    if (left_.fetch_sub(1) <= 0) return;
    client_.call({.request = question(text_, stream_)}, std::make_shared<Sink>(*this));
  }
  void begin() {
    if (begun_.fetch_add(1) + 1 == all_) passed_.update([](Passed& p) { p.all_begun = true; });
  }
  void end() {
    if (ended_.fetch_add(1) + 1 == all_) passed_.update([](Passed& p) { p.all_ended = true; });
  }

  provider::ModelClient& client_;
  const std::string text_;
  const bool stream_;
  const int all_;
  // They count only.
  base::Atomic<int> left_;
  base::Atomic<int> begun_{0};
  base::Atomic<int> ended_{0};
  base::Monitor<Passed> passed_;
};

void run_calls(provider::ModelClient& client, const std::string& text, int all, int at_once,
               bool stream = true) {
  Calls calls(client, text, all, stream);
  calls.start(at_once);
  calls.wait_until_ended();
}

void print_latency(const ChildServer& server, const Curl& curl) {
  constexpr int kCalls = 300;
  Stack stack(server.url("/v1"));
  BareRequest bare(curl, server.url("/v1/chat/completions"), stack.body("quick"));
  std::vector<double> bare_times;
  std::vector<double> our_times;
  std::vector<double> chained_times;
  for (int round = 0; round < 15; ++round) {
    bare_times.push_back(per_call(kCalls, [&] { bare.perform(); }));
    our_times.push_back(per_call(kCalls, [&] { stack.call("quick"); }));
    chained_times.push_back(per_call(1, [&] { run_calls(stack.client(), "quick", kCalls, 1); }) /
                            kCalls);
  }
  std::printf(
      ", \"latency\": {\"bare_us\": %.1f, \"ours_us\": %.1f, \"added_us\": %.1f, "
      "\"chained_us\": %.1f, \"chained_added_us\": %.1f}",
      median(bare_times), median(our_times), median(our_times) - median(bare_times),
      median(chained_times), median(chained_times) - median(bare_times));
}

void print_slow(const ChildServer& server, const Curl& curl) {
  Stack stack(server.url("/v1"));
  BareRequest bare(curl, server.url("/v1/chat/completions"), stack.body("slow"));
  std::vector<double> bare_times;
  std::vector<double> our_times;
  for (int round = 0; round < 40; ++round) {
    bare_times.push_back(per_call(1, [&] { bare.perform(); }));
    our_times.push_back(per_call(1, [&] { stack.call("slow"); }));
  }
  std::printf(", \"slow\": {\"bare_us\": %.0f, \"ours_us\": %.0f, \"ratio\": %.4f}",
              median(bare_times), median(our_times), median(our_times) / median(bare_times));
}

void print_streams(const ChildServer& server) {
  Stack stack(server.url("/v1"));
  stack.call("quick");
  const double memory = resident_kib();
  // Opens the window of concurrent calls, as the first calls of a day would.
  run_calls(stack.client(), "burst", 3 * kStreams, kStreams);
  const double cpu = cpu_microseconds();
  Calls calls(stack.client(), "stream", kStreams);
  calls.start(kStreams);
  calls.wait_until_begun();
  const double held = (resident_kib() - memory) / kStreams;
  calls.wait_until_ended();
  const double used = cpu_microseconds() - cpu;
  std::printf(
      "\"streams\": {\"count\": %d, \"deltas\": %d, \"cpu_us_per_stream\": %.0f, "
      "\"memory_kib_per_stream\": %.1f, \"calls_per_cpu_second\": %.0f}",
      kStreams, kDeltas, used / kStreams, held, kStreams / used * 1e6);
}

int number(const char* text) {
  int value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

// Calls through another's address; its own processor time is not ours to see.
int run_through(const std::string& url, int calls, int at_once,
                const std::vector<io::HttpHeader>& headers) {
  Stack stack(url, headers);
  run_calls(stack.client(), "quick", 1, 1, false);
  const auto begin = SteadyClock::now();
  const double cpu = cpu_microseconds();
  run_calls(stack.client(), "burst", calls, at_once, false);
  std::printf(
      "{\"calls\": %d, \"at_once\": %d, \"seconds\": %.3f, \"our_cpu_seconds\": %.3f, "
      "\"our_calls_per_cpu_second\": %.0f}\n",
      calls, at_once, microseconds_since(begin) / 1e6, (cpu_microseconds() - cpu) / 1e6,
      calls / (cpu_microseconds() - cpu) * 1e6);
  return 0;
}

}  // namespace

int main(int count, char** values) {
  test::allow_many_connections();
  std::string gateway;
  int calls = 2000;
  int at_once = 64;
  std::vector<io::HttpHeader> headers;
  for (int i = 1; i < count; ++i) {
    const std::string name = values[i];
    if (name == "--model-server") {
      test::ModelServer server(provider::Script::parse(script_text(), "bench").value(),
                               server_options());
      std::cout << server.url() << std::endl;
      while (std::cin.get() != std::char_traits<char>::eof()) {
      }
      return 0;
    }
    if (i + 1 >= count) return 2;
    const char* value = values[++i];
    if (name == "--gateway") gateway = value;
    if (name == "--calls") calls = number(value);
    if (name == "--at-once") at_once = number(value);
    if (name == "--header") {
      const std::string header = value;
      const std::size_t colon = header.find(": ");
      headers.push_back({header.substr(0, colon), header.substr(colon + 2)});
    }
  }
  if (!gateway.empty()) return run_through(gateway, calls, at_once, headers);
  const ChildServer server(serve);
  const Curl curl;
  std::printf("{");
  print_streams(server);
  print_latency(server, curl);
  print_slow(server, curl);
  std::printf("}\n");
  return 0;
}
