#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/guarded.h"
#include "base/log.h"
#include "http/message.h"

namespace clever::server {

/// An answered request. Refers to data of its maker.
struct Answered {
  const http::Request& request;
  /// The path in the table, "/v1/plans/{plan}"; empty: there is none.
  std::string_view route{};
  std::string_view caller{};
  int status = 200;
  std::size_t bytes = 0;
  std::chrono::nanoseconds took{};
};

/// Counts requests for /metrics, and writes the access log: a line of JSON for each but successful
/// probes, without its query, headers and body.
///
/// Thread-safe. The logger's target must outlive it.
class Traffic {
 public:
  explicit Traffic(std::optional<base::Logger> access_log) : log_(std::move(access_log)) {}

  void note(const Answered& answered);
  /// Returns Prometheus text, with a line end after each line.
  [[nodiscard]] std::string metrics() const;

 private:
  // Upper bounds of request times, in milliseconds; longer times are in no bucket.
  static constexpr std::array kBounds{1, 5, 25, 100, 500, 2500, 10'000};
  using Key = std::tuple<std::string, std::string, int>;  // method, route, status
  struct Counts {
    std::map<Key, std::uint64_t> requests{};
    std::array<std::uint64_t, kBounds.size()> within{};
    std::uint64_t all = 0;
    double seconds = 0;
  };

  const std::optional<base::Logger> log_;
  base::Guarded<Counts> counts_;
};

/// Formats one metric with one value: its HELP, its TYPE and its line. `labels`:
/// `{queue="default"}`.
[[nodiscard]] std::string metric(std::string_view name, std::string_view type,
                                 std::string_view help,
                                 std::initializer_list<std::pair<std::string, double>> values);

}  // namespace clever::server
