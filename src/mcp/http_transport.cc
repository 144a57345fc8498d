#include "mcp/http_transport.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/guarded.h"
#include "base/text.h"
#include "io/http_fetch.h"
#include "io/sse.h"
#include "mcp/internal/handshake.h"
#include "mcp/internal/http_exchanges.h"
#include "mcp/internal/http_failure.h"
#include "mcp/internal/parameter_headers.h"

namespace clever::mcp {
namespace {

using internal::HttpExchanges;

constexpr std::size_t kLongestErrorBody = std::size_t{64} << 10U;
constexpr std::size_t kLongestSessionId = 1024;
constexpr std::chrono::milliseconds kUsualPause{1000};
constexpr std::chrono::milliseconds kShortestPause{10};

bool is_session_id(std::string_view id) {
  return !id.empty() && id.size() <= kLongestSessionId &&
         std::ranges::all_of(id, [](char c) { return c >= 0x21 && c <= 0x7E; });
}

/// The state of the GET on which the server may send messages of its own.
enum class Listening : std::uint8_t { kNo, kYes, kRefused };

/// Shared by the transport and its exchanges.
struct Shared {
  struct State {
    std::string revision{};
    std::string session{};
    Listening listening = Listening::kNo;
    /// Streams that broke off, by request: the last event received.
    std::map<RequestNumber, std::string> broken{};
    std::string last_heard{};  // on the stream of the GET
  };

  Shared(io::Http& http_client, HttpTransportOptions transport_options)
      : http(http_client), options(std::move(transport_options)) {}

  // Constant after the start.
  io::Http& http;
  const HttpTransportOptions options;
  TransportSink* sink = nullptr;
  HttpExchanges exchanges{};
  base::Guarded<State> state{};

  [[nodiscard]] State snapshot() const {
    return state.with([](const State& held) { return held; });
  }
  [[nodiscard]] static bool modern(const State& held) {
    return held.revision == internal::kModernRevision;
  }
};

enum class Purpose : std::uint8_t { kRequest, kMessage, kListening };

/// Reads one answer. The network thread calls it, one call at a time.
class Answer final : public io::HttpSink {
 public:
  Answer(std::shared_ptr<Shared> shared, HttpExchanges::Serial serial, Purpose purpose,
         std::optional<RequestNumber> request, Shared::State sent)
      : shared_(std::move(shared)),
        serial_(serial),
        purpose_(purpose),
        request_(request),
        sent_(std::move(sent)),
        events_(shared_->options.largest_message) {}

  void on_head(const io::HttpHead& head) override {
    head_ = head;
    const std::string type = base::lower_case(head.header("content-type").value_or(""));
    streams_ = succeeded() && type.starts_with("text/event-stream");
    const auto session = head.header("mcp-session-id");
    if (succeeded() && session && is_session_id(*session) && !Shared::modern(sent_)) {
      shared_->state.with([&](Shared::State& state) { state.session = *session; });
    }
  }

  void on_data(std::string_view bytes) override {
    if (done_) return;
    if (streams_) return read_events(bytes);
    const std::size_t limit = succeeded() ? shared_->options.largest_message : kLongestErrorBody;
    const bool too_long = body_.size() + bytes.size() > limit;
    if (too_long && succeeded()) return too_large();
    body_.append(bytes.substr(0, limit - std::min(limit, body_.size())));
    // The rest of an error page adds nothing, and may be endless.
    if (too_long) shared_->exchanges.cancel(serial_);
  }

  void on_end(const io::HttpEnd& end) override {
    // It reports to the sink before its end, which the transport's destructor waits for.
    finish(end);
    shared_->exchanges.end(serial_);
  }

 private:
  [[nodiscard]] bool succeeded() const { return head_.status >= 200 && head_.status < 300; }

  void read_events(std::string_view bytes) {
    const bool fits = events_.feed(bytes, [this](const io::SseEvent& event) {
      last_event_ = event.id;
      if (done_ || event.data.empty() || event.name != "message") return;
      done_ = shared_->sink->on_message(event.data, request_);
      // Some servers leave the stream open after the answer.
      if (done_) shared_->exchanges.cancel(serial_);
    });
    if (!fits) too_large();
  }

  void too_large() {
    lose(base::resource_exhausted("the server sent a message of more than " +
                                  std::to_string(shared_->options.largest_message) + " bytes"));
    shared_->exchanges.cancel(serial_);
  }

  void lose(base::Error error) {
    done_ = true;
    if (request_) {
      shared_->sink->on_loss(*request_, {.error = std::move(error),
                                         .status = head_.status,
                                         .body = succeeded() ? std::string() : body_});
    }
  }

  void finish(const io::HttpEnd& end) {
    if (purpose_ == Purpose::kListening) stop_listening(end);
    if (done_) return;
    if (head_.status != 0 && !succeeded()) return refused();
    if (streams_) return broke_off(end);
    if (!end.whole()) return lose(internal::error_of_end(end));
    if (request_ && !shared_->sink->on_message(body_, request_)) {
      lose(base::corruption("the server's message does not answer the request"));
    }
  }

  void refused() {
    const bool in_session = !sent_.session.empty();
    base::Error error = internal::error_of_status(head_, body_, in_session);
    const bool over = error.code() == base::ErrorCode::kConflict;
    lose(error);
    if (over) shared_->sink->on_close(base::unavailable(error.message()));
  }

  void stop_listening(const io::HttpEnd& end) {
    const bool refused = !succeeded() && head_.status != 0;
    if (!refused && end.failure == io::HttpFailure::kCancelled) return;
    shared_->state.with([&](Shared::State& state) {
      state.listening = refused ? Listening::kRefused : Listening::kNo;
      if (!last_event_.empty()) state.last_heard = last_event_;
    });
    done_ = done_ || head_.status != 404;
  }

  // The stream ended without the answer.
  void broke_off(const io::HttpEnd& end) {
    const bool resumable = request_ && !last_event_.empty() && !Shared::modern(sent_) &&
                           end.failure != io::HttpFailure::kCancelled;
    if (!resumable) {
      return lose(end.whole() ? base::unavailable("the server ended the stream without an answer")
                              : internal::error_of_end(end));
    }
    shared_->state.with([&](Shared::State& state) { state.broken[*request_] = last_event_; });
    const std::chrono::milliseconds wanted(events_.retry_milliseconds());
    shared_->sink->on_pause(*request_,
                            wanted.count() < 0 ? kUsualPause : std::max(wanted, kShortestPause));
  }

  // Constant after construction.
  const std::shared_ptr<Shared> shared_;
  const HttpExchanges::Serial serial_;
  const Purpose purpose_;
  const std::optional<RequestNumber> request_;
  const Shared::State sent_;
  // Owned by the network thread.
  io::HttpHead head_{};
  io::SseParser events_;
  std::string last_event_{};
  std::string body_{};
  bool streams_ = false;
  bool done_ = false;
};

class HttpTransport final : public Transport {
 public:
  HttpTransport(io::Http& http, HttpTransportOptions options)
      : shared_(std::make_shared<Shared>(http, std::move(options))) {}

  ~HttpTransport() override {
    shared_->exchanges.close();
    shared_->exchanges.wait();
    end_session();
  }

  void start(TransportSink& sink) override { shared_->sink = &sink; }

  base::Result<void> send(Outgoing message) override {
    const Shared::State state = shared_->snapshot();
    const bool asks = message.number.has_value();
    io::HttpRequest request = make_request("POST", state);
    request.headers.push_back({"Content-Type", "application/json"});
    request.headers.push_back({"Accept", "application/json, text/event-stream"});
    if (Shared::modern(state) && asks) add_mirrored(message, request.headers);
    request.body = std::move(message.text);
    exchange(std::move(request), asks ? Purpose::kRequest : Purpose::kMessage, message.number,
             state);
    return {};
  }

  bool abandon(RequestNumber number) override {
    shared_->exchanges.cancel_request(number);
    return shared_->state.with([&](Shared::State& state) {
      state.broken.erase(number);
      return Shared::modern(state);
    });
  }

  void use_protocol(std::string_view revision) override {
    shared_->state.with([&](Shared::State& state) { state.revision = revision; });
  }

  void listen() override {
    const bool wanted = shared_->state.with([](Shared::State& state) {
      if (Shared::modern(state) || state.listening != Listening::kNo) return false;
      state.listening = Listening::kYes;
      return true;
    });
    if (!wanted) return;
    const Shared::State state = shared_->snapshot();
    get(state.last_heard, Purpose::kListening, std::nullopt, state);
  }

  void resume(RequestNumber number) override {
    const auto last_event = shared_->state.with([&](Shared::State& state) {
      auto node = state.broken.extract(number);
      return node.empty() ? std::string() : std::move(node.mapped());
    });
    if (last_event.empty()) return;
    get(last_event, Purpose::kRequest, number, shared_->snapshot());
  }

  [[nodiscard]] bool has_headers() const override { return true; }

 private:
  [[nodiscard]] io::HttpRequest make_request(std::string method, const Shared::State& state) const {
    io::HttpRequest request{.method = std::move(method), .url = shared_->options.url};
    // Each call has its own deadline.
    request.deadlines.first_byte = {};
    request.deadlines.idle = {};
    request.answer_limit = std::numeric_limits<std::size_t>::max();
    for (const auto& [name, value] : shared_->options.headers) {
      const std::string known = base::lower_case(name);
      if (known.starts_with("mcp-") || known == "accept" || known == "content-type") continue;
      request.headers.push_back({name, value});
    }
    if (!state.revision.empty()) {
      request.headers.push_back({"MCP-Protocol-Version", state.revision});
    }
    if (!state.session.empty()) request.headers.push_back({"Mcp-Session-Id", state.session});
    return request;
  }

  static void add_mirrored(Outgoing& message, std::vector<io::HttpHeader>& headers) {
    headers.push_back({"Mcp-Method", message.method});
    if (!message.name.empty()) {
      headers.push_back({"Mcp-Name", internal::header_value(message.name)});
    }
    std::ranges::move(message.parameters, std::back_inserter(headers));
  }

  void get(const std::string& last_event, Purpose purpose, std::optional<RequestNumber> number,
           const Shared::State& state) {
    io::HttpRequest request = make_request("GET", state);
    request.headers.push_back({"Accept", "text/event-stream"});
    if (!last_event.empty()) request.headers.push_back({"Last-Event-ID", last_event});
    exchange(std::move(request), purpose, number, state);
  }

  void exchange(io::HttpRequest request, Purpose purpose, std::optional<RequestNumber> number,
                const Shared::State& state) {
    const auto serial = shared_->exchanges.begin(number);
    if (!serial) return;
    auto answer = std::make_shared<Answer>(shared_, *serial, purpose, number, state);
    shared_->exchanges.started(*serial, shared_->http.start(std::move(request), std::move(answer)));
  }

  // Best effort with a short deadline: the server drops the session eventually.
  void end_session() {
    const Shared::State state = shared_->snapshot();
    if (state.session.empty()) return;
    io::HttpRequest request = make_request("DELETE", state);
    request.deadlines.total = std::chrono::seconds{2};
    request.answer_limit = kLongestErrorBody;
    const auto answered = io::fetch(shared_->http, std::move(request), {}, base::Deadline::never());
  }

  const std::shared_ptr<Shared> shared_;
};

}  // namespace

std::unique_ptr<Transport> make_http_transport(io::Http& http, HttpTransportOptions options) {
  return std::make_unique<HttpTransport>(http, std::move(options));
}

}  // namespace clever::mcp
