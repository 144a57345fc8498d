#include "server/client_command.h"

#include <utility>

#include "model/document_json.h"

namespace clever::server {
namespace {

using model::Document;

constexpr std::size_t kKeptBytes = std::size_t{8} << 20U;
constexpr std::size_t kMostUnread = std::size_t{1} << 20U;

http::Response head() {
  return {.headers = {{"Content-Type", "application/x-ndjson"},
                      {"Cache-Control", "no-store"},
                      {"X-Accel-Buffering", "no"},
                      {"X-Content-Type-Options", "nosniff"}}};
}

using Typed = base::Result<std::optional<std::string>>;

Typed answer_or_none(std::optional<Typed> answer) {
  return answer ? *std::move(answer) : Typed(std::optional<std::string>());
}

}  // namespace

ClientCommand::ClientCommand(const Parts& parts, std::string owner, io::TerminalSize size)
    : parts_(parts),
      owner_(std::move(owner)),
      first_(parts.stop),
      second_(parts.stop),
      strand_(parts.pool) {
  typing_.update([size](Typing& typing) { typing.size = size; });
}

void ClientCommand::post(base::Task task) { static_cast<void>(strand_.post(std::move(task))); }

void ClientCommand::emit(Document event) {
  post([this, event = std::move(event)]() mutable { keep(std::move(event)); });
}

void ClientCommand::end(Document event) {
  post([this, event = std::move(event)]() mutable {
    keep(std::move(event));
    over_ = true;
    stream_.close();
    away_ = after(parts_.grace, [this] { parts_.on_forgotten(); });
  });
}

void ClientCommand::keep(Document event) {
  Document numbered = Document::map().set("n", ++last_);
  for (auto& [key, value] : std::get<Document::Map>(event.value())) numbered.set(key, value);
  events_.push_back({last_, model::to_json(numbered) + "\n"});
  bytes_ += events_.back().line.size();
  send(events_.back().line);
  while (bytes_ > kKeptBytes && events_.size() > 1) {
    bytes_ -= events_.front().line.size();
    events_.pop_front();
  }
}

// A reader who is too slow is cut off, and comes back for what it has not seen.
void ClientCommand::send(std::string_view line) { static_cast<void>(stream_.send(line)); }

void ClientCommand::attach(std::int64_t after, http::Responder responder) {
  post([this, after, responder = std::move(responder)]() mutable {
    begin(after, std::move(responder));
  });
}

void ClientCommand::begin(std::int64_t after, http::Responder responder) {
  if (!events_.empty() && events_.front().number > after + 1) {
    responder.answer({.status = 410});
    return;
  }
  const std::uint64_t reader = ++reader_;
  stream_.close();
  if (!over_) away_.cancel();
  stream_ = responder.stream(head(), [weak = weak_from_this(), reader](http::StreamEnd) {
    if (const auto self = weak.lock()) {
      self->post([self = self.get(), reader] { self->reader_left(reader); });
    }
  });
  for (const Event& event : events_) {
    if (event.number > after) send(event.line);
  }
  if (over_) return stream_.close();
  arm_heartbeat(reader);
  if (parts_.lasts && reader == 1) expiry_ = this->after(*parts_.lasts, [this] { cut(); });
}

void ClientCommand::cut() {
  abandon();
  if (parts_.only_looks) interrupt();
  post([this] { stream_.close(); });
}

void ClientCommand::reader_left(std::uint64_t reader) {
  if (over_ || reader != reader_) return;
  away_ = after(parts_.grace, [this, reader] {
    if (reader != reader_) return;
    abandon();
    if (parts_.only_looks) interrupt();
  });
}

void ClientCommand::arm_heartbeat(std::uint64_t reader) {
  heartbeat_ = after(parts_.heartbeat, [this, reader] {
    if (over_ || reader != reader_) return;
    send("{\"heartbeat\":true}\n");
    arm_heartbeat(reader);
  });
}

// On the strand, unless the command is gone by then.
base::Timer ClientCommand::after(std::chrono::milliseconds delay,
                                 std::move_only_function<void()> work) {
  auto timer = parts_.timers.after(delay, parts_.pool,
                                   [weak = weak_from_this(), work = std::move(work)]() mutable {
                                     if (const auto self = weak.lock()) self->post(std::move(work));
                                   });
  return timer.ok() ? *std::move(timer) : base::Timer();
}

base::Result<std::optional<std::string>> ClientCommand::ask(std::string_view kind,
                                                            const base::StopToken& stop,
                                                            Document details) {
  const auto number = questions_.update([](Questions& questions) {
    questions.answer.reset();
    questions.open = !questions.abandoned;
    return ++questions.last;
  });
  emit(Document::map().set("question", details.set("number", number).set("kind", kind)));
  const auto is_settled = [](const Questions& questions) {
    return questions.answer.has_value() || questions.abandoned;
  };
  auto answered = questions_.update_when(
      stop, base::Deadline::never(), is_settled,
      [](Questions& questions) { return std::exchange(questions.answer, std::nullopt); });
  if (answered.ok()) return answer_or_none(*std::move(answered));
  // An answer that was taken counts, though the stop came first.
  auto late = questions_.update([](Questions& questions) {
    questions.open = false;
    return std::exchange(questions.answer, std::nullopt);
  });
  if (!late) return answered.error();
  return *std::move(late);
}

bool ClientCommand::answer(std::int64_t question, base::Result<std::optional<std::string>> text) {
  return questions_.update([&](Questions& questions) {
    if (!questions.open || question != questions.last) return false;
    questions.open = false;
    questions.answer = std::move(text);
    return true;
  });
}

base::Result<io::TerminalInput> ClientCommand::wait_for_typing(base::Deadline deadline) {
  const auto has_news = [](const Typing& typing) {
    const io::TerminalInput& unread = typing.unread;
    return !unread.bytes.empty() || unread.resized || unread.woken || unread.ended;
  };
  auto input = typing_.update_when({}, deadline, has_news, [](Typing& typing) {
    // The end of the input stays.
    return std::exchange(typing.unread, {.ended = typing.unread.ended});
  });
  if (!input.ok() && input.error().code() == base::ErrorCode::kDeadlineExceeded) {
    return io::TerminalInput();
  }
  return input;
}

void ClientCommand::wake_terminal() {
  typing_.update([](Typing& typing) { typing.unread.woken = true; });
}

io::TerminalSize ClientCommand::terminal_size() const {
  return typing_.read([](const Typing& typing) { return typing.size; });
}

bool ClientCommand::typed(std::int64_t number, const io::TerminalInput& input,
                          io::TerminalSize size) {
  return typing_.update([&](Typing& typing) {
    if (number <= typing.last) return true;
    if (typing.unread.bytes.size() + input.bytes.size() > kMostUnread) return false;
    typing.last = number;
    typing.size = size;
    typing.unread.bytes += input.bytes;
    typing.unread.resized = typing.unread.resized || input.resized;
    typing.unread.ended = typing.unread.ended || input.ended;
    return true;
  });
}

void ClientCommand::interrupt() {
  if (!first_.request_stop()) second_.request_stop();
}

void ClientCommand::abandon() {
  questions_.update([](Questions& questions) {
    questions.abandoned = true;
    questions.open = false;
  });
  typing_.update([](Typing& typing) { typing.unread.ended = true; });
}

}  // namespace clever::server
