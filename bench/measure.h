#pragma once
// What benchmarks of whole calls measure by: time, processor time and memory of this process.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <vector>

namespace clever::bench {

using SteadyClock = std::chrono::steady_clock;

[[nodiscard]] inline double microseconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::micro>(SteadyClock::now() - begin).count();
}

[[nodiscard]] inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Microseconds per call of so many, one after the other.
[[nodiscard]] inline double per_call(int calls, const std::function<void()>& call) {
  const auto begin = SteadyClock::now();
  for (int i = 0; i < calls; ++i) call();
  return microseconds_since(begin) / calls;
}

[[nodiscard]] inline double cpu_microseconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

[[nodiscard]] inline double resident_kib() {
  std::ifstream statm("/proc/self/statm");
  long all = 0;
  long resident = 0;
  statm >> all >> resident;
  return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1024;
}

}  // namespace clever::bench
