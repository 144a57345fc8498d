#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace clever::io {

/// Cuts a stream of bytes into lines that end in LF, CR LF or CR, wherever the pieces are cut. What
/// lies whole in one piece is handed on without a copy.
///
/// Used by one thread.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t longest_line) : longest_line_(longest_line) {}

  /// Calls on_line(std::string_view) for every line that is whole. The view is valid during the
  /// call. False, for good, once a line is longer than allowed.
  template <class OnLine>
  bool feed(std::string_view bytes, OnLine&& on_line);

  /// What came after the last line end.
  [[nodiscard]] std::string_view rest() const { return held_; }

 private:
  std::size_t longest_line_;
  std::string held_{};
  // The last byte was a CR: an LF that follows belongs to it.
  bool after_carriage_return_ = false;
  bool too_long_ = false;
};

/// One event of an event stream. Views into the parser, valid during the call that hands it over.
struct SseEvent {
  /// "message" where the stream says nothing.
  std::string_view name;
  std::string_view data;
  /// The last id seen.
  std::string_view id;
};

/// Reads an event stream as the WHATWG HTML standard has it: a byte order mark at the beginning,
/// any line ends, data of several lines, comments, fields that are not known. An event that the
/// stream's end cuts off is dropped.
///
/// Used by one thread. Holds no more than the event that is being read.
class SseParser {
 public:
  static constexpr std::size_t kLongestEvent = std::size_t{16} << 20U;

  explicit SseParser(std::size_t longest_event = kLongestEvent)
      : longest_event_(longest_event), lines_(longest_event) {}

  /// Calls on_event(const SseEvent&) for each event that is whole. False, for good, once an event
  /// is longer than allowed.
  template <class OnEvent>
  bool feed(std::string_view bytes, OnEvent&& on_event);

  /// Milliseconds to wait before a reconnection, as the stream asked; -1 if it did not.
  [[nodiscard]] long retry_milliseconds() const { return retry_; }

 private:
  // True if the line ends an event that has data.
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
  // Looked for once per line feed, so that lines that end in CR cost no more.
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
