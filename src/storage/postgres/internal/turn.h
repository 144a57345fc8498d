#pragma once
#include <cstdint>
#include <set>
#include <utility>

#include "base/monitor.h"

namespace clever::storage::postgres {

/// Lets one writer of the process execute statements at a time, first come first served; another
/// one's commit may run meanwhile. A writer that waits for a row therefore only waits for a
/// committing writer, which waits for none, so writers of one process cannot deadlock. Thread-safe.
class Turns {
 public:
  /// Holds the turn until it is released or destroyed.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(&turns) {}
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() { give_up(); }

    void give_up() {
      if (turns_ != nullptr) std::exchange(turns_, nullptr)->next();
    }

   private:
    Turns* turns_;
  };

  /// `cancelled` on a stop.
  [[nodiscard]] base::Result<Turn> take(const base::StopToken& stop) {
    const Ticket ticket = line_.update([](Line& line) { return line.last++; });
    const auto waited = line_.wait(stop, base::Deadline::never(),
                                   [&](const Line& line) { return line.serving == ticket; });
    if (!waited.ok()) {
      leave(ticket);
      return waited.error();
    }
    return Turn(*this);
  }

 private:
  using Ticket = std::uint64_t;
  struct Line {
    Ticket last = 0;
    Ticket serving = 0;
    std::set<Ticket> gone;  // tickets that left while they waited
  };

  static void skip_gone(Line& line) {
    while (line.gone.erase(line.serving) != 0) ++line.serving;
  }
  void next() {
    line_.update([](Line& line) {
      ++line.serving;
      skip_gone(line);
    });
  }
  void leave(Ticket ticket) {
    line_.update([&](Line& line) {
      line.gone.insert(ticket);
      skip_gone(line);
    });
  }

  base::Monitor<Line> line_;
};

}  // namespace clever::storage::postgres
