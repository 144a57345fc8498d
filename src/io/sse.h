#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace clever::io {

/// Splits a stream of bytes into lines that end in LF, CR LF or CR, for any cut of the stream.
/// Passes a line that lies in one piece on without a copy.
///
/// Used by one thread.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t longest_line) : longest_line_(longest_line) {}

  /// Calls on_line(std::string_view) for every complete line. The view is valid during the call.
  /// Returns false, for good, once a line is too long.
  template <class OnLine>
  bool feed(std::string_view bytes, OnLine&& on_line);

  /// The bytes after the last line end.
  [[nodiscard]] std::string_view rest() const { return held_; }

 private:
  std::size_t longest_line_;
  std::string held_{};
  // The last byte was a CR: a following LF belongs to it.
  bool after_carriage_return_ = false;
  bool too_long_ = false;
};

/// One event of an event stream. Views into the parser, valid during the callback.
struct SseEvent {
  /// "message" if the stream names none.
  std::string_view name;
  std::string_view data;
  /// The last id seen.
  std::string_view id;
};

/// Parses an event stream according to the WHATWG HTML standard: a byte order mark at the
/// beginning, any line ends, multi-line data, comments, unknown fields. Drops an event that the
/// stream's end cuts off.
///
/// Used by one thread. Holds no more than the present event.
class SseParser {
 public:
  static constexpr std::size_t kLongestEvent = std::size_t{16} << 20U;

  explicit SseParser(std::size_t longest_event = kLongestEvent)
      : longest_event_(longest_event), lines_(longest_event) {}

  /// Calls on_event(const SseEvent&) for each complete event. Returns false, for good, once an
  /// event is too long.
  template <class OnEvent>
  bool feed(std::string_view bytes, OnEvent&& on_event);

  /// The reconnection delay in milliseconds that the stream asked for, or -1.
  [[nodiscard]] long retry_milliseconds() const { return retry_; }

 private:
  // Returns true if the line ends an event with data.
  bool take_line(std::string_view line);
  void take_field(std::string_view name, std::string_view value);
  [[nodiscard]] SseEvent event() const;
  void reset();

  std::size_t longest_event_;
  LineSplitter lines_;
  std::string name_{};
  std::string data_{};
  std::string id_{};
  long retry_ = -1;
  bool at_beginning_ = true;
  bool too_long_ = false;
};

template <class OnLine>
bool LineSplitter::feed(std::string_view bytes, OnLine&& on_line) {
  std::size_t at = 0;
  if (after_carriage_return_ && !bytes.empty()) {
    after_carriage_return_ = false;
    if (bytes.front() == '\n') at = 1;
  }
  // Searched once per line feed, so that lines that end in CR cost no more.
  std::size_t line_feed = bytes.find('\n', at);
  while (!too_long_ && at < bytes.size()) {
    if (line_feed < at) line_feed = bytes.find('\n', at);
    const std::string_view line = bytes.substr(at, line_feed - at);
    const std::string_view piece = line.substr(0, line.find('\r'));
    at += piece.size();
    too_long_ = held_.size() + piece.size() > longest_line_;
    if (too_long_) break;
    if (at == bytes.size()) {
      held_.append(piece);
      break;
    }
    if (held_.empty()) {
      on_line(piece);
    } else {
      held_.append(piece);
      on_line(std::string_view(held_));
      held_.clear();
    }
    if (bytes[at++] == '\n') continue;
    after_carriage_return_ = at == bytes.size();
    if (!after_carriage_return_ && bytes[at] == '\n') ++at;
  }
  return !too_long_;
}

template <class OnEvent>
bool SseParser::feed(std::string_view bytes, OnEvent&& on_event) {
  const bool short_lines = lines_.feed(bytes, [&](std::string_view line) {
    if (!take_line(line)) return;
    if (!too_long_) on_event(event());
    reset();
  });
  return short_lines && !too_long_;
}

}  // namespace clever::io
