#include "server/event_streams.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "base/strand.h"
#include "model/document_json.h"
#include "storage/access.h"
#include "storage/subscription.h"

namespace clever::server {
namespace {

using model::Document;

constexpr std::size_t kEventsPerRead = 50;
// Reads more only when the reader has taken nearly all of the last page.
constexpr std::size_t kLittle = std::size_t{32} << 10U;
constexpr std::chrono::milliseconds kLookAgainAfter{20};
constexpr std::string_view kStopping = "the server stops";
constexpr std::string_view kNoMore = "the token of this stream is no longer valid";

std::string sse(std::string_view kind, const Document& data) {
  return "event: " + std::string(kind) + "\ndata: " + model::to_json(data) + "\n\n";
}

std::string sse(std::string_view kind, const EventSource::Item& item) {
  return "id: " + item.id + "\n" + sse(kind, item.event);
}

http::Response head() {
  return {.headers = {{"Content-Type", "text/event-stream"},
                      {"Cache-Control", "no-store"},
                      {"X-Accel-Buffering", "no"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

}  // namespace

/// The state of all streams: the table of open ones.
class EventStreams::Registry : public std::enable_shared_from_this<Registry> {
 public:
  explicit Registry(const Parts& parts) : parts_(parts) {
    checks_.emplace(parts.pool);
    rights_ = parts.store.subscribe(std::string(storage::Access::kTopic), [this] {
      if (checking_.exchange(true)) return;
      static_cast<void>(checks_->post([this] { check_readers(); }));
    });
  }

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

  void open(std::unique_ptr<EventSource> source, const Reader& reader, http::Responder responder);
  // Callable from any thread: the stream goes to the pool, where it may wait for its task.
  void remove_later(std::uint64_t number) {
    static_cast<void>(parts_.pool.post([weak = weak_from_this(), number] {
      if (const auto self = weak.lock()) self->remove(number);
    }));
  }
  [[nodiscard]] std::size_t count() const {
    return streams_.with([](const Streams& streams) { return streams.open.size(); });
  }
  void drain();
  void close() {
    rights_.reset();
    checks_.reset();
    streams_.with([](Streams& streams) { return std::exchange(streams.open, {}); }).clear();
  }

 private:
  struct Streams {
    std::uint64_t last = 0;
    bool draining = false;
    std::map<std::uint64_t, std::shared_ptr<EventStream>> open{};
  };

  void remove(std::uint64_t number) {
    // Ends the stream without the lock.
    const auto gone = streams_.with([number](Streams& streams) {
      const auto found = streams.open.find(number);
      if (found == streams.open.end()) return std::shared_ptr<EventStream>();
      std::shared_ptr<EventStream> stream = std::move(found->second);
      streams.open.erase(found);
      return stream;
    });
  }

  void check_readers();
  [[nodiscard]] std::vector<std::shared_ptr<EventStream>> all() const {
    return streams_.with([](const Streams& streams) {
      std::vector<std::shared_ptr<EventStream>> all;
      for (const auto& [number, stream] : streams.open) all.push_back(stream);
      return all;
    });
  }

  // Constant after construction.
  const Parts parts_;
  // Shared.
  base::Guarded<Streams> streams_;
  // Publishes nothing: a task that checks all readers is queued.
  base::Atomic<bool> checking_{false};
  // Valid until close().
  std::optional<base::Strand> checks_;
  std::unique_ptr<storage::Subscription> rights_;
};

/// One stream. All its work runs on its strand.
class EventStreams::EventStream : public std::enable_shared_from_this<EventStream> {
 public:
  EventStream(const std::shared_ptr<Registry>& registry, std::uint64_t number,
              std::unique_ptr<EventSource> source, const Reader& reader)
      : registry_(registry),
        parts_(registry->parts()),
        number_(number),
        reader_(reader),
        source_(std::move(source)),
        strand_(parts_.pool) {}

  /// Called once, by the thread that made it.
  void begin(http::Responder responder) {
    post([this, responder = std::move(responder)]() mutable { answer(std::move(responder)); });
  }

  [[nodiscard]] const std::string& token() const noexcept { return reader_.token; }

  void say_bye(std::string_view reason) {
    post([this, reason] { end_with(reason); });
  }

 private:
  void post(base::Task task) { static_cast<void>(strand_.post(std::move(task))); }

  void answer(http::Responder responder) {
    const std::weak_ptr<Registry> registry = registry_;
    stream_ = responder.stream(head(), [registry, number = number_](http::StreamEnd) {
      if (const auto open = registry.lock()) open->remove_later(number);
    });
    if (!source_->begin().ok()) return end();
    send(sse("hello", source_->hello().set("heartbeat_ms", parts_.heartbeat.count())));
    // The token may have ended between the request and now.
    if (!reader_.token.empty() && !parts_.admits(reader_.token)) return end_with(kNoMore);
    arm_expiry();
    subscription_ = parts_.store.subscribe(source_->topic(), [this] { wake(); });
    pump();
    arm_heartbeat();
  }

  // Called after each commit; at most one task is queued.
  void wake() {
    if (woken_.exchange(true)) return;
    post([this] { pump(); });
  }

  void pump() {
    woken_.store(false);
    while (!over_) {
      if (stream_.unread() > kLittle) return look_later();
      const auto page = source_->next(kEventsPerRead);
      // Either the database returns, or its end cuts the stream and the client resumes.
      if (!page.ok()) return end();
      if (page->reset) send(sse("reset", *page->reset));
      for (const EventSource::Item& item : page->events) send(sse("event", item));
      if (!page->has_more) return;
    }
  }

  void look_later() {
    again_ = after(kLookAgainAfter, [](EventStream& stream) { stream.pump(); });
  }

  void arm_expiry() {
    if (!reader_.until) return;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*reader_.until - parts_.clock.wall_now());
    expiry_ = after(std::max(left, std::chrono::milliseconds(0)),
                    [](EventStream& stream) { stream.end_with(kNoMore); });
  }

  void arm_heartbeat() {
    if (over_) return;
    heartbeat_ = after(parts_.heartbeat, [](EventStream& stream) {
      stream.send(sse("heartbeat", Document::map().set("last", stream.source_->last())));
      stream.arm_heartbeat();
    });
  }

  // Runs on the strand, unless the stream is gone by then.
  base::Timer after(std::chrono::milliseconds delay, void (*work)(EventStream&)) {
    auto timer = parts_.timers.after(delay, parts_.pool, [weak = weak_from_this(), work] {
      if (const auto self = weak.lock()) self->post([self = self.get(), work] { work(*self); });
    });
    return timer.ok() ? *std::move(timer) : base::Timer();
  }

  void send(std::string_view bytes) {
    if (over_) return;
    if (stream_.send(bytes) != http::Stream::Sent::kAccepted) end();
  }

  void end_with(std::string_view reason) {
    if (over_) return;
    static_cast<void>(stream_.send(sse("bye", Document::map().set("reason", reason))));
    end();
  }

  void end() {
    if (std::exchange(over_, true)) return;
    stream_.close();
    if (const auto registry = registry_.lock()) registry->remove_later(number_);
  }

  // Constant after construction.
  const std::weak_ptr<Registry> registry_;
  const Parts parts_;
  const std::uint64_t number_;
  const Reader reader_;
  // Publishes nothing: a task that reads the journal is queued.
  base::Atomic<bool> woken_{false};
  // Strand-owned.
  http::Stream stream_;
  bool over_ = false;
  const std::unique_ptr<EventSource> source_;
  // Later members post to the strand; it is destroyed before what its tasks use.
  base::Strand strand_;
  base::Timer again_;
  base::Timer heartbeat_;
  base::Timer expiry_;
  std::unique_ptr<storage::Subscription> subscription_;
};

void EventStreams::Registry::open(std::unique_ptr<EventSource> source, const Reader& reader,
                                  http::Responder responder) {
  const std::uint64_t number = streams_.with([](Streams& streams) { return ++streams.last; });
  const auto stream =
      std::make_shared<EventStream>(shared_from_this(), number, std::move(source), reader);
  const bool draining = streams_.with([&](Streams& streams) {
    streams.open.emplace(number, stream);
    return streams.draining;
  });
  stream->begin(std::move(responder));
  if (draining) stream->say_bye(kStopping);
}

void EventStreams::Registry::check_readers() {
  checking_.store(false);
  const auto open = all();
  std::set<std::string> tokens;
  for (const auto& stream : open) tokens.insert(stream->token());
  std::erase_if(tokens,
                [this](const std::string& token) { return token.empty() || parts_.admits(token); });
  for (const auto& stream : open) {
    if (tokens.contains(stream->token())) stream->say_bye(kNoMore);
  }
}

void EventStreams::Registry::drain() {
  streams_.with([](Streams& streams) { streams.draining = true; });
  for (const auto& stream : all()) stream->say_bye(kStopping);
}

EventStreams::EventStreams(const Parts& parts) : registry_(std::make_shared<Registry>(parts)) {}

EventStreams::~EventStreams() { registry_->close(); }

void EventStreams::open(std::unique_ptr<EventSource> source, const Reader& reader,
                        http::Responder responder) {
  registry_->open(std::move(source), reader, std::move(responder));
}

std::size_t EventStreams::count() const { return registry_->count(); }

void EventStreams::drain() { registry_->drain(); }

}  // namespace clever::server
