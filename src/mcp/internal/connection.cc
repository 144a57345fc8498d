#include "mcp/internal/connection.h"

#include <tuple>
#include <utility>

#include "mcp/internal/uri.h"

namespace clever::mcp::internal {
namespace {

std::string reason(const base::Error& why) {
  return why.code() == base::ErrorCode::kDeadlineExceeded ? "the deadline passed" : "stopped";
}

base::Deadline patience_from_now(const CallOptions& options, base::Clock& clock) {
  return options.patience.count() > 0 ? base::Deadline::after(clock, options.patience)
                                      : base::Deadline::never();
}

bool ran_out_of_patience(const base::Error& error, const CallOptions& options) {
  return error.code() == base::ErrorCode::kDeadlineExceeded && !options.deadline.passed();
}

base::Error silent(const CallOptions& options) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(options.patience).count();
  return base::deadline_exceeded("it sent neither an answer nor progress for " +
                                 std::to_string(seconds) +
                                 " s, which is the longest this call may be silent");
}

// Returns the refusal that an HTTP error carries.
std::optional<RpcError> refusal(const RequestLoss& loss) {
  if (loss.status != 400 && loss.status != 404) return std::nullopt;
  auto message = read_message(loss.body);
  if (!message.ok() || message->kind != Message::Kind::kError) return std::nullopt;
  return std::move(message->error);
}

}  // namespace

Connection::Connection(std::unique_ptr<Transport> transport, base::Clock& clock,
                       std::vector<std::filesystem::path> roots)
    : clock_(clock), roots_(std::move(roots)), transport_(std::move(transport)) {
  transport_->start(*this);
}

Connection::~Connection() { calls_.close(base::cancelled("the connection was closed")); }

base::Result<CallTable::Opened> Connection::open(std::string_view method, Json params,
                                                 RequestExtras extras, bool with_progress) {
  CLEVER_ASSIGN(auto opened, calls_.open());
  if (with_progress) params["_meta"]["progressToken"] = opened.number;
  auto sent = transport_->send({.text = request_text(opened.number, method, params),
                                .method = std::string(method),
                                .number = opened.number,
                                .name = std::move(extras.name),
                                .parameters = std::move(extras.parameters)});
  // The end of the connection, which the table saw, has the better message.
  if (!sent.ok() && calls_.abandon(opened.number)) return std::move(sent).error();
  return opened;
}

base::Result<Outcome> Connection::wait(const CallTable::Opened& opened,
                                       const CallOptions& options) {
  std::optional<std::chrono::milliseconds> pause;
  base::Deadline silence = patience_from_now(options, clock_);
  while (true) {
    const base::Deadline until = options.deadline.earlier(silence);
    auto taken = pause ? sit_out(*pause, opened, options.stop, until)
                       : opened.call->take(options.stop, until);
    if (!taken.ok() && ran_out_of_patience(taken.error(), options)) return silent(options);
    CLEVER_ASSIGN(Call::News news, std::move(taken));
    pause = news.pause;
    if (news.progress) silence = patience_from_now(options, clock_);
    if (news.progress && options.on_progress) options.on_progress(*news.progress);
    if (news.outcome) return std::move(*news.outcome);
  }
}

base::Result<Call::News> Connection::sit_out(std::chrono::milliseconds pause,
                                             const CallTable::Opened& opened,
                                             const base::StopToken& stop, base::Deadline deadline) {
  const auto over = base::Deadline::after(clock_, pause);
  auto news = opened.call->take(stop, deadline.earlier(over));
  const bool paused =
      !news.ok() && news.error().code() == base::ErrorCode::kDeadlineExceeded && !deadline.passed();
  if (!paused) return news;
  transport_->resume(opened.number);
  return Call::News{};
}

Outcome Connection::request(std::string_view method, Json params, const CallOptions& options,
                            RequestExtras extras) {
  const bool with_progress = options.on_progress != nullptr || options.patience.count() > 0;
  auto opened = open(method, std::move(params), std::move(extras), with_progress);
  if (!opened.ok()) return RequestLoss{.error = std::move(opened).error()};
  auto outcome = wait(*opened, options);
  if (outcome.ok()) return std::move(*outcome);
  if (calls_.abandon(opened->number)) {
    give_up(*opened, outcome.error());
    return RequestLoss{.error = std::move(outcome).error()};
  }
  // It was settled at the same moment.
  return wait(*opened, {.on_progress = options.on_progress}).value();
}

void Connection::give_up(const CallTable::Opened& opened, const base::Error& why) {
  if (transport_->abandon(opened.number)) return;
  notify("notifications/cancelled", {{"requestId", opened.number}, {"reason", reason(why)}});
}

void Connection::notify(std::string_view method, const Json& params) {
  // A server that reads nothing misses this too.
  std::ignore =
      transport_->send({.text = notification_text(method, params), .method = std::string(method)});
}

std::uint64_t Connection::tool_changes() const {
  return notes_.with([](const Notes& notes) { return notes.tool_changes; });
}

void Connection::remark(std::string line) {
  notes_.with([&](Notes& notes) {
    notes.remarks.push_back(std::move(line));
    if (notes.remarks.size() > kMostRemarks) notes.remarks.pop_front();
  });
}

std::vector<std::string> Connection::remarks() const {
  auto lines = notes_.with([](const Notes& notes) {
    return std::vector<std::string>(notes.remarks.begin(), notes.remarks.end());
  });
  if (const auto why = calls_.closed()) lines.push_back(why->message());
  return lines;
}

Json Connection::roots() const {
  Json list = Json::array();
  for (const auto& root : roots_) {
    list.push_back({{"uri", file_uri(root)}, {"name", shown(root.filename().native(), 200)}});
  }
  return {{"roots", list}};
}

bool Connection::on_message(std::string_view text, std::optional<RequestNumber> stream) {
  auto message = read_message(text);
  if (!message.ok()) {
    odd(message.error().message());
    return false;
  }
  return take(std::move(*message), stream);
}

void Connection::on_loss(RequestNumber number, RequestLoss loss) {
  // Cleared before a waiting caller continues, which must not try this connection again.
  if (loss.error.code() == base::ErrorCode::kConflict) alive_.store(false);
  if (auto refused = refusal(loss)) {
    calls_.settle(number, std::move(*refused));
  } else {
    calls_.settle(number, std::move(loss));
  }
}

void Connection::on_pause(RequestNumber number, std::chrono::milliseconds pause) {
  calls_.pause(number, pause);
}

void Connection::on_close(base::Error why) {
  alive_.store(false);
  calls_.close(why);
}

bool Connection::take(Message message, std::optional<RequestNumber> stream) {
  if (message.kind == Message::Kind::kRequest) {
    take_request(message);
    return false;
  }
  if (message.kind == Message::Kind::kNotification) {
    take_notification(message);
    return false;
  }
  // An error without an id belongs to the request of its stream.
  const auto number = message.id.is_null() ? stream : message.number();
  if (!number || (stream && number != stream)) {
    odd("an answer to an unknown request");
    return false;
  }
  return take_answer(*number, message);
}

bool Connection::take_answer(RequestNumber number, Message& message) {
  Outcome outcome = std::move(message.error);
  if (message.kind == Message::Kind::kResult) {
    outcome = std::move(message.body);
    if (!std::get<Json>(outcome).is_object()) {
      outcome = RequestLoss{.error = base::corruption("the result is no JSON object")};
    }
  }
  const bool settled = calls_.settle(number, std::move(outcome));
  // A late answer to an abandoned request is not the server's fault.
  if (!settled) remark("it answered a request that is no longer open");
  notes_.with([&](Notes& notes) { notes.oddities = settled ? 0 : notes.oddities; });
  return settled;
}

void Connection::take_request(const Message& message) {
  if (!answers_.load()) return odd("a request, which this revision does not allow");
  std::string text;
  if (message.method == "ping") {
    text = result_text(message.id, Json::object());
  } else if (message.method == "roots/list") {
    text = result_text(message.id, roots());
  } else {
    text = error_text(message.id, kMethodNotFound,
                      "this client does not offer " + shown(message.method, 100));
  }
  // A server that asks but does not read gets no answer.
  std::ignore = transport_->send({.text = std::move(text)});
}

void Connection::take_notification(const Message& message) {
  if (message.method == "notifications/progress") {
    take_progress(message.body);
  } else if (message.method == "notifications/message") {
    take_log(message.body);
  } else if (message.method == "notifications/tools/list_changed") {
    notes_.with([](Notes& notes) { ++notes.tool_changes; });
  } else if (message.method == "notifications/cancelled") {
    take_cancellation(message.body);
  }
}

// The end of a subscription: the server may cancel nothing else of ours.
void Connection::take_cancellation(const Json& params) {
  const RequestNumber number = subscription_.load();
  if (number != 0 && member(params, "requestId") == number) calls_.settle(number, Json::object());
}

void Connection::take_progress(const Json& params) {
  const Json& token = member(params, "progressToken");
  const Json& done = member(params, "progress");
  if (!token.is_number_integer() || !done.is_number()) return odd("progress of an unknown request");
  const Json& total = member(params, "total");
  calls_.note(token.get<RequestNumber>(),
              {.done = done.get<double>(),
               .total = total.is_number() ? total.get<double>() : 0,
               .message = shown(text_of(member(params, "message")), 500)});
}

void Connection::take_log(const Json& params) {
  const Json& data = member(params, "data");
  const std::string text = data.is_string() ? data.get<std::string>() : data.dump();
  remark(shown(
      text_of(member(params, "level")) + " " + text_of(member(params, "logger")) + ": " + text,
      500));
}

void Connection::odd(std::string what) {
  const auto count = notes_.with([](Notes& notes) { return ++notes.oddities; });
  if (count < kMostOddities) return remark("it sent " + std::move(what));
  on_close(base::corruption(
      "it sent " + std::to_string(count) +
      " messages in a row that are not the protocol, the last: " + std::move(what)));
}

}  // namespace clever::mcp::internal
