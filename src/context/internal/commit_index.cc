#include "context/internal/commit_index.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "context/internal/commit_order.h"
#include "context/internal/message_words.h"
#include "context/internal/present_paths.h"

namespace clever::context::internal {
namespace {

constexpr double kSaturation = 1.2;
constexpr double kLengthShare = 0.9;
// A commit counts half after this many newer ones.
constexpr double kHalfAge = 300;
constexpr std::size_t kLongestQuery = std::size_t{64} << 10U;
constexpr std::size_t kShortId = 9;

double decay(std::uint32_t age) { return 1.0 / (1.0 + age / kHalfAge); }

// Inverts lists: for each value the lists that hold it, in order.
template <class T, class Key, class Make>
auto inverted(const Lists<T>& lists, std::size_t keys, Key&& key, Make&& make) {
  Lists<decltype(make(std::uint32_t{}, std::declval<const T&>()))> result;
  std::vector<std::uint32_t> ends(keys + 1);
  for (const T& value : lists.values) ++ends[key(value) + 1];
  for (std::size_t i = 1; i <= keys; ++i) ends[i] += ends[i - 1];
  result.begins = ends;
  result.values.resize(lists.values.size());
  for (std::uint32_t list = 0; list < lists.size(); ++list) {
    for (const T* value = lists.begin(list); value != lists.end(list); ++value) {
      result.values[ends[key(*value)]++] = make(list, *value);
    }
  }
  return result;
}

template <class T>
void append_list(Lists<T>& lists, const std::vector<T>& list) {
  lists.values.insert(lists.values.end(), list.begin(), list.end());
  lists.begins.push_back(static_cast<std::uint32_t>(lists.values.size()));
}

std::map<std::uint32_t, double> known_words(std::string_view query, const TextTable& words) {
  std::map<std::uint32_t, double> known;
  for (const std::string& word : message_words(query.substr(0, kLongestQuery))) {
    if (const auto number = words.find(word); number != TextTable::kNone) known[number] += 1;
  }
  return known;
}

}  // namespace

/// Adds up the evidence of commits for files.
class CommitIndex::Tally {
 public:
  explicit Tally(const CommitIndex& index)
      : index_(index), sums_(index.table_.paths.size()), best_(index.table_.paths.size()) {}

  void add(std::uint32_t path, double amount, std::uint32_t number) {
    if (sums_[path] == 0) touched_.push_back(path);
    sums_[path] += amount;
    if (amount > best_[path].amount) best_[path] = {amount, number};
  }
  void leave_out(std::uint32_t path) { sums_[path] = 0; }
  template <class F>
  void change_each(F&& f) {
    for (const std::uint32_t path : touched_) sums_[path] = f(path, sums_[path]);
  }

  std::vector<PathScore> best(std::size_t limit) {
    std::erase_if(touched_, [&](std::uint32_t path) { return !(sums_[path] > 0); });
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      if (sums_[a] != sums_[b]) return sums_[a] > sums_[b];
      return index_.table_.paths[a] < index_.table_.paths[b];
    };
    const std::size_t size = std::min(limit, touched_.size());
    std::ranges::partial_sort(touched_, touched_.begin() + static_cast<std::ptrdiff_t>(size),
                              better);
    std::vector<PathScore> result;
    for (std::size_t i = 0; i < size; ++i) result.push_back(score_of(touched_[i]));
    return result;
  }

 private:
  struct Best {
    double amount = 0;
    std::uint32_t number = 0;
  };

  [[nodiscard]] PathScore score_of(std::uint32_t path) const {
    const Commit& commit = index_.commit(best_[path].number);
    return {.path = index_.table_.paths[path],
            .score = sums_[path],
            .subject = commit.subject,
            .commit = commit.id.to_hex().substr(0, kShortId)};
  }

  const CommitIndex& index_;
  std::vector<double> sums_;
  std::vector<Best> best_;
  std::vector<std::uint32_t> touched_;
};

CommitIndex::CommitIndex(CommitTable table, const git::ObjectId& head, const Limits& limits)
    : table_(std::move(table)) {
  number_commits(head, limits);
  index_words();
  index_paths();
}

void CommitIndex::number_commits(const git::ObjectId& head, const Limits& limits) {
  std::vector<std::uint32_t> order = newest_first(table_.commits, head);
  if (order.size() > limits.most_commits) order.resize(limits.most_commits);
  commits_ = order.size();
  const auto changed = present_paths(table_, order, limits.most_files);
  for (std::uint32_t age = 0; age < order.size(); ++age) {
    if (changed[age].empty()) continue;
    order_.push_back(order[age]);
    ages_.push_back(age);
    append_list(changed_, changed[age]);
  }
}

void CommitIndex::index_words() {
  Lists<WordCount> words;
  for (const std::uint32_t place : order_) append_list(words, table_.commits[place].words);
  std::vector<double> lengths;
  double all = 0;
  for (const std::uint32_t place : order_) {
    double length = 0;
    for (const WordCount& word : table_.commits[place].words) length += word.count;
    lengths.push_back(length);
    all += length;
  }
  const double average = std::max(1.0, all / std::max(1.0, static_cast<double>(order_.size())));
  for (const double length : lengths) {
    length_norms_.push_back(
        static_cast<float>(kSaturation * (1 - kLengthShare + kLengthShare * length / average)));
  }
  postings_ = inverted(
      words, table_.words.size(), [](const WordCount& word) { return word.word; },
      [](std::uint32_t commit, const WordCount& word) { return WordCount{commit, word.count}; });
}

void CommitIndex::index_paths() {
  changed_by_ = inverted(
      changed_, table_.paths.size(), [](std::uint32_t path) { return path; },
      [](std::uint32_t commit, std::uint32_t) { return commit; });
}

// 1: the message holds all known words of the query, any number of times.
std::vector<float> CommitIndex::likeness(std::string_view query) const {
  std::vector<float> scores(order_.size());
  const auto total = static_cast<double>(order_.size());
  double most = 0;
  for (const auto& [word, times] : known_words(query, table_.words)) {
    const auto holders = static_cast<double>(postings_.length(word));
    if (holders == 0) continue;
    const double rarity = std::log(1 + (total - holders + 0.5) / (holders + 0.5));
    const double full = rarity * (kSaturation + 1) * std::sqrt(times);
    most += full;
    const auto factor = static_cast<float>(full);
    for (const WordCount* at = postings_.begin(word); at != postings_.end(word); ++at) {
      const auto count = static_cast<float>(at->count);
      scores[at->word] += factor * count / (count + length_norms_[at->word]);
    }
  }
  for (float& score : scores) score /= static_cast<float>(std::max(most, 1e-9));
  return scores;
}

double CommitIndex::weight(std::uint32_t number) const {
  return decay(ages_[number]) / std::sqrt(static_cast<double>(commit(number).files));
}

std::vector<History::PathScore> CommitIndex::related(std::string_view query,
                                                     std::size_t limit) const {
  const std::vector<float> likely = likeness(query);
  Tally tally(*this);
  for (std::uint32_t number = 0; number < likely.size(); ++number) {
    if (likely[number] <= 0) continue;
    const double square = double{likely[number]} * double{likely[number]};
    const double amount = square * square * square * weight(number);
    for (const auto* path = changed_.begin(number); path != changed_.end(number); ++path) {
      tally.add(*path, amount, number);
    }
  }
  tally.change_each([](std::uint32_t, double sum) { return std::cbrt(std::sqrt(sum)); });
  return tally.best(limit);
}

std::vector<History::PathScore> CommitIndex::together(const std::vector<std::string>& paths,
                                                      std::size_t limit) const {
  std::set<std::uint32_t> given;
  for (const std::string& path : paths) {
    if (const auto number = table_.paths.find(path); number != TextTable::kNone) {
      given.insert(number);
    }
  }
  Tally tally(*this);
  double all = 0;
  for (const std::uint32_t from : given) {
    for (const auto* number = changed_by_.begin(from); number != changed_by_.end(from); ++number) {
      const double amount = weight(*number);
      all += amount;
      for (const auto* path = changed_.begin(*number); path != changed_.end(*number); ++path) {
        tally.add(*path, amount, *number);
      }
    }
  }
  for (const std::uint32_t path : given) tally.leave_out(path);
  // A share; 1 if a file always changed with them. A file that changes all the time accompanies
  // every other.
  tally.change_each([&](std::uint32_t path, double sum) {
    double own = 0;
    for (const auto* at = changed_by_.begin(path); at != changed_by_.end(path); ++at) {
      own += weight(*at);
    }
    return sum == 0 ? 0 : std::min(1.0, sum / std::sqrt(all * std::max(own, all / 16)));
  });
  return tally.best(limit);
}

double CommitIndex::recency(std::string_view path) const {
  const std::uint32_t number = table_.paths.find(path);
  if (number == TextTable::kNone || changed_by_.length(number) == 0) return 0;
  return decay(ages_[*changed_by_.begin(number)]);
}

}  // namespace clever::context::internal
