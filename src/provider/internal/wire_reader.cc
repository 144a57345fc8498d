#include "provider/internal/wire_reader.h"

namespace clever::provider::internal {
namespace {

constexpr std::size_t kLongestBody = std::size_t{64} << 20U;
constexpr std::string_view kDone = "[DONE]";

bool is_content_type(const io::HttpHead& head, std::string_view wanted) {
  const auto type = head.header("content-type");
  return type && type->starts_with(wanted);
}

// An empty text must not separate two pieces of reasoning.
bool has_text(JsonView value) { return value.is_string() && value.raw() != R"("")"; }

}  // namespace

WireReader::WireReader(const Endpoint& endpoint, const io::HttpHead& head, Framing framing)
    : speaker_(speaker(endpoint, head)), framing_(framing) {
  if (is_content_type(head, "text/html")) mode_ = Mode::kHtml;
  if (is_content_type(head, "text/event-stream")) mode_ = Mode::kEvents;
  if (is_content_type(head, "application/x-ndjson")) mode_ = Mode::kLines;
}

void WireReader::feed(std::string_view bytes, const OnDelta& on_delta) {
  if (failure_ || complete_ || bytes.empty()) return;
  on_delta_ = on_delta ? &on_delta : nullptr;
  if (mode_ == Mode::kUndecided) {
    // White space does not decide the format; it belongs to what follows.
    body_.append(bytes);
    decide(body_);
    if (mode_ != Mode::kUndecided) take(std::exchange(body_, {}));
  } else {
    take(bytes);
  }
  on_delta_ = nullptr;
}

void WireReader::take(std::string_view bytes) {
  switch (mode_) {
    case Mode::kEvents:
      feed_events(bytes);
      break;
    case Mode::kLines:
      feed_lines(bytes);
      break;
    default:
      collect(bytes);
  }
}

// Content types are unreliable; the first character is not.
void WireReader::decide(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return;
  const char c = bytes[first];
  if (c == '<') {
    mode_ = Mode::kHtml;
  } else if (c == '{' || c == '[') {
    mode_ = framing_ == Framing::kLines && c == '{' ? Mode::kLines : Mode::kWhole;
  } else {
    mode_ = Mode::kEvents;
  }
}

void WireReader::collect(std::string_view bytes) {
  began_ = true;
  if (body_.size() + bytes.size() > kLongestBody) {
    fail(FailureKind::kMalformed, "an answer of more than 64 MiB");
    return;
  }
  body_.append(bytes);
}

void WireReader::feed_events(std::string_view bytes) {
  const bool fits = events_.feed(bytes, [&](const io::SseEvent& event) {
    if (failure_ || complete_) return;
    if (event.data == kDone) {
      complete_ = true;
    } else if (!event.data.empty()) {
      take_piece(event.name, event.data);
    }
  });
  if (!fits && !failure_) fail(FailureKind::kMalformed, "a single event of more than 16 MiB");
}

void WireReader::feed_lines(std::string_view bytes) {
  const bool fits = lines_.feed(bytes, [&](std::string_view line) {
    if (!failure_ && !complete_ && !line.empty()) take_piece({}, line);
  });
  if (!fits && !failure_) fail(FailureKind::kMalformed, "a single line of more than 16 MiB");
}

// The last line may lack its line end; a line that is not JSON was cut.
void WireReader::take_last_line() {
  const std::string line(lines_.rest());
  if (document_.parse(line)) take_piece({}, line);
}

void WireReader::take_piece(std::string_view event, std::string_view data) {
  began_ = true;
  if (!document_.parse(data)) {
    fail(FailureKind::kMalformed, data);
    return;
  }
  const JsonView piece = document_.root();
  if (piece["error"].is_object() || piece["error"].is_string()) {
    fail(read_error(piece));
    return;
  }
  on_piece(event, piece);
}

void WireReader::take_body() {
  if (looks_like_html(body_) || mode_ == Mode::kHtml) {
    failure_ = html_failure(speaker_, body_);
    return;
  }
  if (!document_.parse(body_)) {
    // A body that begins like JSON and does not end like it was cut.
    const std::size_t last = body_.find_last_not_of(" \t\r\n");
    const bool cut = last == std::string::npos || (body_[last] != '}' && body_[last] != ']');
    fail(cut ? FailureKind::kCut : FailureKind::kMalformed, body_);
    return;
  }
  const JsonView body = document_.root();
  if (body["error"].is_object() || body["error"].is_string()) {
    fail(read_error(body));
    return;
  }
  on_whole(body);
  if (!failure_ && !stopped_) fail(FailureKind::kMalformed, body_);
}

std::variant<ModelAnswer, Failure> WireReader::finish() {
  if (!failure_ && !complete_ && mode_ == Mode::kLines) take_last_line();
  if (!failure_ && !began_) fail(FailureKind::kCut, "an empty answer");
  if (!failure_ && (mode_ == Mode::kWhole || mode_ == Mode::kHtml)) take_body();
  if (!failure_ && !stopped_ && !complete_) fail(FailureKind::kCut, "the stream ended too early");
  if (!failure_) on_finish();
  if (failure_) return *std::move(failure_);
  auto taken = answer_.take();
  if (const auto* nonsense = std::get_if<std::string>(&taken)) {
    return make_failure(speaker_, FailureKind::kMalformed, *nonsense);
  }
  return std::get<ModelAnswer>(std::move(taken));
}

// ---- what the wires report ---------------------------------------------------------------------

void WireReader::add_text(JsonView text) {
  if (!has_text(text)) return;
  std::string& whole = answer_.text();
  const std::size_t before = whole.size();
  text.append_text(whole);
  show<TextDelta>(whole.substr(before));
}

void WireReader::add_reasoning(JsonView text, std::string_view wire) {
  if (!has_text(text)) return;
  std::string& whole = answer_.reasoning(wire).text;
  const std::size_t before = whole.size();
  text.append_text(whole);
  show<ReasoningDelta>(whole.substr(before));
}

void WireReader::add_arguments(std::size_t call, JsonView text) {
  std::string& whole = answer_.call(call).arguments;
  const std::size_t before = whole.size();
  if (text.is_string()) {
    text.append_text(whole);
  } else if (text.exists()) {
    whole.append(text.raw());
  }
  if (whole.size() > before) {
    show<ToolCallDelta>(call, std::string(), std::string(), whole.substr(before));
  }
}

std::size_t WireReader::add_call(std::string id, std::string name) {
  const std::size_t call = answer_.add_call(std::move(id), std::move(name));
  show<ToolCallDelta>(call, answer_.call(call).id, answer_.call(call).name, std::string());
  return call;
}

void WireReader::stop(StopReason reason, std::string_view detail) {
  stopped_ = true;
  answer_.head().stop = reason;
  answer_.head().stop_detail = detail;
}

void WireReader::fail(FailureKind kind, std::string_view seen) {
  failure_ = make_failure(speaker_, kind, seen);
}

void WireReader::fail(const ErrorFacts& facts) { failure_ = make_failure(speaker_, facts); }

}  // namespace clever::provider::internal
