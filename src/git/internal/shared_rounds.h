#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "base/deadline.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::git::internal {

/// Coalesces concurrent queries whose answer changes over time. A caller never gets an answer
/// computed before it asked: callers that come during a round wait for the next round, which serves
/// all of them. A failed round is reported only to the caller that ran it; the others start another
/// one.
///
/// Thread-safe. Computes and destroys nothing under its lock, and keeps no answer without waiting
/// callers.
template <class Key, class T>
class SharedRounds {
 public:
  using Answer = std::shared_ptr<const T>;
  using Make = std::function<base::Result<Answer>()>;

  /// Calls `make` from one thread at a time per key; it must not throw. `cancelled` and
  /// `deadline_exceeded` while waiting.
  base::Result<Answer> get(const Key& key, const base::StopToken& stop, base::Deadline deadline,
                           const Make& make) {
    const std::uint64_t wanted = enter(key);
    auto answer = take_part(key, wanted, stop, deadline, make);
    leave(key);
    return answer;
  }

 private:
  struct Round {
    std::size_t asking = 0;
    bool is_running = false;
    /// The numbers of the last round started, and of the last one answered.
    std::uint64_t begun = 0;
    std::uint64_t answered = 0;
    Answer answer{};
  };
  using Rounds = std::map<Key, Round>;

  // The first round that starts after now.
  std::uint64_t enter(const Key& key) {
    return rounds_.update([&](Rounds& rounds) {
      Round& round = rounds[key];
      ++round.asking;
      return round.begun + 1;
    });
  }

  base::Result<Answer> take_part(const Key& key, std::uint64_t wanted, const base::StopToken& stop,
                                 base::Deadline deadline, const Make& make) {
    const auto is_answered = [&](const Round& round) { return round.answered >= wanted; };
    CLEVER_ASSIGN(const Answer there, rounds_.update_when(
                                          stop, deadline,
                                          [&](const Rounds& rounds) {
                                            const Round& round = rounds.at(key);
                                            return is_answered(round) || !round.is_running;
                                          },
                                          [&](Rounds& rounds) {
                                            Round& round = rounds.at(key);
                                            if (is_answered(round)) return round.answer;
                                            round.is_running = true;
                                            ++round.begun;
                                            return Answer();
                                          }));
    return there != nullptr ? there : run(key, make);
  }

  base::Result<Answer> run(const Key& key, const Make& make) {
    base::Result<Answer> made = make();
    const Answer before = rounds_.update([&](Rounds& rounds) {
      Round& round = rounds.at(key);
      round.is_running = false;
      if (!made.ok()) return Answer();
      // No round has started meanwhile.
      round.answered = round.begun;
      return std::exchange(round.answer, *made);
    });
    return made;
  }

  void leave(const Key& key) {
    const Answer last = rounds_.update([&](Rounds& rounds) {
      const auto round = rounds.find(key);
      if (--round->second.asking > 0) return Answer();
      Answer unused = std::move(round->second.answer);
      rounds.erase(round);
      return unused;
    });
  }

  base::Monitor<Rounds> rounds_;
};

}  // namespace clever::git::internal
