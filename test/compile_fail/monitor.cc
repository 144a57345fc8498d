// The same for Monitor.
#include "base/monitor.h"

#include <string>
#include <string_view>
#include <vector>

namespace {

using clever::base::Deadline;
using clever::base::Monitor;
using clever::base::StopToken;
using Words = std::vector<std::string>;

void use(Monitor<Words>& words) {
  const auto filled = [](const Words& w) { return !w.empty(); };
#if defined(CLEVER_CASE_reference)
  static_cast<void>(words.update([](Words& w) -> std::string& { return w.front(); }));
#elif defined(CLEVER_CASE_pointer)
  static_cast<void>(words.update([](Words& w) { return w.data(); }));
#elif defined(CLEVER_CASE_string_view)
  static_cast<void>(words.update([](Words& w) { return std::string_view(w.front()); }));
#elif defined(CLEVER_CASE_vector_of_string_views)
  static_cast<void>(
      words.update([](Words& w) { return std::vector<std::string_view>(w.begin(), w.end()); }));
#elif defined(CLEVER_CASE_read_reference)
  static_cast<void>(words.read([](const Words& w) -> const std::string& { return w.front(); }));
#elif defined(CLEVER_CASE_update_when_reference)
  static_cast<void>(words.update_when(StopToken(), filled, [](Words& w) { return &w.front(); }));
#elif defined(CLEVER_CASE_predicate_that_writes)
  const auto writes = [](Words& w) { return w.emplace_back("x").empty(); };
  static_cast<void>(words.wait(StopToken(), Deadline::never(), writes));
#elif defined(CLEVER_CASE_copy)
  Monitor<Words> copy = words;
#endif
  words.update([](Words& w) { w.emplace_back("x"); });
  static_cast<void>(words.read([](const Words& w) { return w.size(); }));
  static_cast<void>(words.update_when(StopToken(), filled, [](Words& w) { return w.front(); }));
  static_cast<void>(words.wait(StopToken(), Deadline::never(), filled));
}

}  // namespace

void compile_fail_monitor() {
  Monitor<Words> words;
  use(words);
}
