#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/deadline.h"
#include "base/monitor.h"
#include "io/http.h"

namespace clever::test {

/// A sink that keeps what it got, and counts what must happen once. Thread-safe.
class HttpRecorder final : public io::HttpSink {
 public:
  struct Seen {
    std::optional<io::HttpHead> head{};
    std::string body{};
    std::optional<io::HttpEnd> end{};
    int heads = 0;
    int pieces = 0;
    int ends = 0;
    bool after_end = false;  // a call came after on_end()
  };

  void on_head(const io::HttpHead& head) override {
    seen_.update([&](Seen& seen) {
      seen.head = head;
      ++seen.heads;
      seen.after_end |= seen.ends > 0;
    });
  }
  void on_data(std::string_view bytes) override {
    seen_.update([&](Seen& seen) {
      seen.body.append(bytes);
      ++seen.pieces;
      seen.after_end |= seen.ends > 0;
    });
  }
  void on_end(const io::HttpEnd& end) override {
    seen_.update([&](Seen& seen) {
      seen.end = end;
      ++seen.ends;
    });
  }

  /// What there is once `enough` holds; after a minute, which only a failing test waits, what there
  /// is then.
  template <class Predicate>
  Seen wait(Predicate enough) {
    base::SystemClock clock;
    const auto limit = base::Deadline::after(clock, std::chrono::minutes(1));
    std::ignore = seen_.wait({}, limit, enough);
    return seen();
  }
  Seen wait_for_end() {
    return wait([](const Seen& seen) { return seen.ends > 0; });
  }
  Seen wait_for_body(std::string_view text) {
    return wait([&](const Seen& seen) { return seen.body.contains(text) || seen.ends > 0; });
  }
  [[nodiscard]] Seen seen() const {
    return seen_.read([](const Seen& seen) { return seen; });
  }

 private:
  base::Monitor<Seen> seen_;
};

}  // namespace clever::test
