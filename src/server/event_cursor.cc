#include "server/event_cursor.h"

#include <algorithm>
#include <chrono>

#include "base/number.h"
#include "base/text.h"

namespace clever::server {
namespace {

constexpr std::chrono::seconds kPatience{30};
// Limits the text, so that a made-up cursor costs little.
constexpr std::size_t kMostSeen = 10'000;

base::Error wrong(std::string_view text) {
  return base::invalid_argument("the cursor '" + std::string(text.substr(0, 40)) +
                                "' is not one: expected the id of an event of this stream");
}

}  // namespace

base::Result<EventCursor> EventCursor::parse(std::string_view text, model::Timestamp now) {
  const std::size_t tilde = std::min(text.find('~'), text.size());
  const auto low = base::to_number<std::int64_t>(text.substr(0, tilde));
  if (!low || *low < 0) return wrong(text);
  EventCursor cursor(*low);
  if (tilde == text.size()) return cursor;
  for (const std::string_view range : base::split(text.substr(tilde + 1), ',')) {
    const std::size_t dash = std::min(range.find('-'), range.size());
    const auto first = base::to_number<std::int64_t>(range.substr(0, dash));
    const auto last =
        dash == range.size() ? first : base::to_number<std::int64_t>(range.substr(dash + 1));
    const bool ascends = first && last && *first > *low && *last >= *first &&
                         (cursor.seen_.empty() || cursor.seen_.rbegin()->first < *first);
    if (!ascends || static_cast<std::uint64_t>(*last - *first) >= kMostSeen - cursor.seen_.size()) {
      return wrong(text);
    }
    for (std::int64_t position = *first; position <= *last; ++position) {
      cursor.seen_.emplace(position, now);
    }
  }
  return cursor;
}

std::string EventCursor::text() const {
  std::string text = std::to_string(low_);
  char before = '~';
  for (auto seen = seen_.begin(); seen != seen_.end();) {
    const std::int64_t first = seen->first;
    std::int64_t last = first;
    while (++seen != seen_.end() && seen->first == last + 1) ++last;
    text += before + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    before = ',';
  }
  return text;
}

bool EventCursor::take(std::int64_t position, model::Timestamp time, model::Timestamp now) {
  if (position <= low_ || !seen_.emplace(position, time).second) return false;
  advance(now);
  return true;
}

void EventCursor::advance(model::Timestamp now) {
  while (!seen_.empty()) {
    const auto next = seen_.begin();
    const bool follows = next->first == low_ + 1;
    if (!follows && now - next->second < kPatience && seen_.size() < kMostSeen) return;
    low_ = next->first;
    seen_.erase(next);
  }
}

}  // namespace clever::server
