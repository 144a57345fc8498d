#include "storage/sqlite/internal/commit_mark.h"

#include <algorithm>
#include <array>
#include <utility>

namespace clever::storage::sqlite {
namespace {

constexpr std::size_t kState = 0;
constexpr std::size_t kNamed = 1;
constexpr std::size_t kFirstKey = 2;
// No topic has this key.
constexpr std::uint64_t kEverything = 0;

// Calls f(place in the file, first topic, count) for each contiguous piece.
template <class F>
void in_rows(std::uint64_t first, std::size_t count, F f) {
  for (std::size_t done = 0; done < count;) {
    const std::size_t slot = (first + done) % CommitMark::kKept;
    const std::size_t row = std::min(count - done, CommitMark::kKept - slot);
    f(kFirstKey + slot, done, row);
    done += row;
  }
}

}  // namespace

CommitMark::CommitMark(io::SharedNumbers numbers) : numbers_(std::move(numbers)) {
  seen_.with([&](std::uint64_t& seen) { seen = numbers_.load(kNamed); });
}

bool CommitMark::has_commits(const io::SharedNumbers& numbers) { return numbers.load(kState) > 1; }

void CommitMark::forget(io::SharedNumbers& numbers) { numbers.store(kState, 0); }

void CommitMark::begin() {
  const std::uint64_t state = numbers_.load(kState);
  somebody_died_ = (state & 1U) != 0;
  numbers_.store(kState, state | 1U);
}

void CommitMark::end(std::span<const std::uint64_t> topics) {
  constexpr std::array kAll{kEverything};
  name(somebody_died_ || topics.size() > kMost ? std::span<const std::uint64_t>(kAll) : topics);
  numbers_.store(kState, numbers_.load(kState) + 1);
}

void CommitMark::name(std::span<const std::uint64_t> topics) {
  const std::uint64_t before = numbers_.load(kNamed);
  in_rows(before, topics.size(), [&](std::size_t place, std::size_t first, std::size_t count) {
    numbers_.store(place, topics.subspan(first, count));
  });
  const std::uint64_t after = before + topics.size();
  numbers_.store(kNamed, after);
  // Listeners of this process are notified within it.
  const bool is_own = !somebody_died_;
  seen_.with([&](std::uint64_t& seen) {
    if (seen == before && is_own) seen = after;
  });
}

bool CommitMark::under_way() const { return (numbers_.load(kState) & 1U) != 0; }

void CommitMark::copy(std::uint64_t first, std::span<std::uint64_t> topics) const {
  in_rows(first, topics.size(), [&](std::size_t place, std::size_t from, std::size_t count) {
    numbers_.load(place, topics.subspan(from, count));
  });
}

CommitMark::News CommitMark::news() {
  const std::uint64_t seen = seen_.with([](std::uint64_t value) { return value; });
  const std::uint64_t named = numbers_.load(kNamed);
  if (named == seen) return {};
  News news;
  // The file may have been created anew.
  news.everything = named < seen || named - seen > kKept - kMost;
  if (!news.everything) {
    news.topics.resize(named - seen);
    copy(seen, news.topics);
    // A process that writes now may overwrite what this one has read.
    const bool overwritten = numbers_.load(kNamed) - seen > kKept - kMost;
    news.everything =
        overwritten || std::ranges::find(news.topics, kEverything) != news.topics.end();
  }
  seen_.with([&](std::uint64_t& value) {
    if (value == seen) value = named;
  });
  return news;
}

}  // namespace clever::storage::sqlite
