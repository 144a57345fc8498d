#include "explore/strategy.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <random>
#include <set>

namespace clever::explore {
namespace {

// std::mt19937_64's sequence is fixed by the standard; its distributions are not, so none is used.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

 private:
  std::mt19937_64 engine_;
};

std::size_t ready_count(const std::vector<Candidate>& candidates) {
  return static_cast<std::size_t>(
      std::ranges::count_if(candidates, [](const Candidate& c) { return !c.time_out; }));
}

// Time runs out early now and then, but seldom: otherwise a periodic timer would starve the rest.
constexpr std::size_t kTimeOutOdds = 8;

class RandomChooser final : public Chooser {
 public:
  explicit RandomChooser(std::uint64_t seed) : seed_(seed), dice_(seed) {}

  std::size_t next(const std::vector<Candidate>& candidates, bool) override {
    const std::size_t ready = ready_count(candidates);
    const std::size_t timed = candidates.size() - ready;
    if (ready == 0 || (timed > 0 && dice_.below(kTimeOutOdds) == 0))
      return ready + dice_.below(timed);
    return dice_.below(ready);
  }
  std::size_t waiter(std::size_t count) override { return dice_.below(count); }
  [[nodiscard]] std::string name() const override { return "random/" + std::to_string(seed_); }

 private:
  const std::uint64_t seed_;
  Dice dice_;
};

// Probabilistic concurrency testing: the highest priority always runs, except that at a few random
// steps the running thread sinks below all others. Finds any bug that needs d such switches among n
// threads and k steps with probability at least 1/(n·k^(d-1)).
class PctChooser final : public Chooser {
 public:
  PctChooser(std::uint64_t seed, std::size_t length, unsigned changes)
      : seed_(seed), length_(std::max<std::size_t>(length, 1)), changes_(changes), dice_(seed) {
    for (unsigned i = 0; i < changes; ++i) change_steps_.insert(1 + dice_.below(length_));
  }

  std::size_t next(const std::vector<Candidate>& candidates, bool running_can_go_on) override {
    ++step_;
    if (running_can_go_on && change_steps_.contains(step_)) sink(candidates[0].thread);
    const std::size_t ready = ready_count(candidates);
    const std::size_t timed = candidates.size() - ready;
    if (ready == 0 || (timed > 0 && dice_.below(kTimeOutOdds) == 0))
      return ready + dice_.below(timed);
    std::size_t best = 0;
    for (std::size_t i = 0; i < ready; ++i) {
      if (priority(candidates[i].thread) > priority(candidates[best].thread)) best = i;
    }
    return best;
  }
  std::size_t waiter(std::size_t count) override { return dice_.below(count); }
  void yielded(unsigned thread) override { sink(thread); }
  [[nodiscard]] std::string name() const override {
    return "pct/" + std::to_string(seed_) + "." + std::to_string(length_) + "." +
           std::to_string(changes_);
  }

 private:
  std::int64_t priority(unsigned thread) {
    const auto [it, added] = priorities_.try_emplace(thread, 0);
    if (added) it->second = 1 + static_cast<std::int64_t>(dice_.below(1U << 30U));
    return it->second;
  }
  void sink(unsigned thread) { priorities_[thread] = --lowest_; }

  const std::uint64_t seed_;
  const std::size_t length_;
  const unsigned changes_;
  Dice dice_;
  std::set<std::size_t> change_steps_;
  std::map<unsigned, std::int64_t> priorities_;
  std::int64_t lowest_ = 0;
  std::size_t step_ = 0;
};

// A path through the tree of choices: at each branching the index taken; beyond its end, 0, which
// lets the running thread go on.
struct Branch {
  std::size_t taken;
  std::size_t count;
};

class PathChooser final : public Chooser {
 public:
  PathChooser(std::vector<Branch>& path, std::optional<unsigned> preemptions)
      : path_(path), preemptions_left_(preemptions) {}

  std::size_t next(const std::vector<Candidate>& candidates, bool running_can_go_on) override {
    const std::size_t ready = ready_count(candidates);
    std::size_t options = candidates.size();
    if (preemptions_left_ == 0U) options = running_can_go_on ? 1 : std::max<std::size_t>(ready, 1);
    const std::size_t taken = branch(options);
    const bool preempts =
        (running_can_go_on && taken > 0) || (ready > 0 && candidates[taken].time_out);
    if (preempts && preemptions_left_) --*preemptions_left_;
    return taken;
  }
  std::size_t waiter(std::size_t count) override { return branch(count); }

  [[nodiscard]] std::string name() const override {
    std::size_t length = path_.size();
    while (length > 0 && path_[length - 1].taken == 0) --length;
    std::string text = "path/";
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) text += '.';
      text += std::to_string(path_[i].taken);
    }
    return text;
  }

 private:
  std::size_t branch(std::size_t options) {
    if (options <= 1) return 0;
    if (depth_ == path_.size()) path_.push_back({0, options});
    Branch& here = path_[depth_++];
    here.count = options;
    here.taken = std::min(here.taken, options - 1);
    return here.taken;
  }

  std::vector<Branch>& path_;
  std::optional<unsigned> preemptions_left_;
  std::size_t depth_ = 0;
};

class RandomSearch final : public Search {
 public:
  explicit RandomSearch(std::uint64_t seed) : seed_(seed) {}
  std::unique_ptr<Chooser> next(std::size_t) override {
    return std::make_unique<RandomChooser>(seed_++);
  }

 private:
  std::uint64_t seed_;
};

class PctSearch final : public Search {
 public:
  PctSearch(std::uint64_t seed, unsigned changes) : seed_(seed), changes_(changes) {}
  std::unique_ptr<Chooser> next(std::size_t longest) override {
    return std::make_unique<PctChooser>(seed_++, longest, changes_);
  }

 private:
  std::uint64_t seed_;
  const unsigned changes_;
};

class ExhaustiveSearch final : public Search {
 public:
  explicit ExhaustiveSearch(unsigned preemptions) : preemptions_(preemptions) {}

  std::unique_ptr<Chooser> next(std::size_t) override {
    if (started_ && !advance()) {
      complete_ = true;
      return nullptr;
    }
    started_ = true;
    return std::make_unique<PathChooser>(path_, preemptions_);
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  bool advance() {
    while (!path_.empty() && path_.back().taken + 1 >= path_.back().count) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    return true;
  }

  const unsigned preemptions_;
  std::vector<Branch> path_;
  bool started_ = false;
  bool complete_ = false;
};

class ReplaySearch final : public Search {
 public:
  explicit ReplaySearch(std::unique_ptr<Chooser> only) : only_(std::move(only)) {}
  ReplaySearch(std::vector<Branch> path) : path_(std::move(path)) {
    only_ = std::make_unique<PathChooser>(path_, std::nullopt);
  }
  std::unique_ptr<Chooser> next(std::size_t) override { return std::move(only_); }

 private:
  std::vector<Branch> path_;
  std::unique_ptr<Chooser> only_;
};

std::optional<std::vector<std::uint64_t>> parse_numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  while (!text.empty()) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) break;
    if (text.front() != '.' || text.size() == 1) return std::nullopt;
    text.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

std::unique_ptr<Search> make_search(const Options& options) {
  switch (options.strategy) {
    case Strategy::kRandom:
      return std::make_unique<RandomSearch>(options.seed);
    case Strategy::kPct:
      return std::make_unique<PctSearch>(options.seed, options.preemptions);
    case Strategy::kExhaustive:
      return std::make_unique<ExhaustiveSearch>(options.preemptions);
  }
  return nullptr;
}

std::unique_ptr<Search> make_replay(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return nullptr;
  const std::string_view kind = name.substr(0, slash);
  const auto numbers = parse_numbers(name.substr(slash + 1));
  if (!numbers) return nullptr;
  if (kind == "random" && numbers->size() == 1) {
    return std::make_unique<ReplaySearch>(std::make_unique<RandomChooser>((*numbers)[0]));
  }
  if (kind == "pct" && numbers->size() == 3) {
    return std::make_unique<ReplaySearch>(std::make_unique<PctChooser>(
        (*numbers)[0], (*numbers)[1], static_cast<unsigned>((*numbers)[2])));
  }
  if (kind == "path") {
    std::vector<Branch> path;
    for (const std::uint64_t taken : *numbers) path.push_back({taken, taken + 1});
    return std::make_unique<ReplaySearch>(std::move(path));
  }
  return nullptr;
}

}  // namespace clever::explore
