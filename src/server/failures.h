#pragma once
#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"

namespace clever::server {

/// The network of an address, for counting: an IPv6 address counts with its /64.
[[nodiscard]] std::string network_of(const std::string& address);

/// Failed logins by address and by account: how many there were lately, and whether there were too
/// many.
///
/// Thread-safe. Bounded: when the table is full, the address that failed first is forgotten.
class LoginFailures {
 public:
  static constexpr std::size_t kMostAddresses = 1024;
  static constexpr std::size_t kMostFailures = 10;
  static constexpr std::chrono::seconds kWindow{60};

  /// The clock must outlive it.
  explicit LoginFailures(const base::Clock& clock) : clock_(clock) {}

  /// One more of this address; true if there were more than kMostFailures within kWindow.
  bool add(const std::string& address);
  [[nodiscard]] std::size_t addresses() const;

 private:
  struct Failures {
    base::TimePoint since{};
    std::size_t count = 0;
  };
  using Table = std::map<std::string, Failures>;

  static void forget(Table& table, base::TimePoint now);

  const base::Clock& clock_;
  base::Guarded<Table> table_;
};

}  // namespace clever::server
