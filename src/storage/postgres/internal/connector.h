#pragma once
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "storage/database_url.h"
#include "storage/postgres/internal/connection.h"

namespace clever::storage::postgres {

/// The purpose of a connection.
enum class Purpose : std::uint8_t {
  kWriting,  // waits briefly for a lock; never idle within a transaction for long
  kReading,
  kOther,  // opening, maintenance, listening
};

/// Makes connections to one database. Immutable; safe from any thread. Its reference arguments must
/// outlive it.
class Connector {
 public:
  /// Limits one attempt, and all attempts of connect_patiently().
  static constexpr std::chrono::seconds kAttempt{10};
  static constexpr std::chrono::seconds kAttempts{30};

  Connector(std::shared_ptr<const Libpq> libpq, const DatabaseUrl& url, bool durable,
            base::Clock& clock, base::Random& random)
      : libpq_(std::move(libpq)),
        url_(url.connection_string()),
        address_(url.normalised()),
        durable_(durable),
        clock_(clock),
        random_(random) {}

  /// One attempt.
  [[nodiscard]] base::Result<std::unique_ptr<Connection>> connect(Purpose purpose,
                                                                  const Patience& patience) const;
  /// Tries again, with growing pauses, while the server is `unavailable`.
  [[nodiscard]] base::Result<std::unique_ptr<Connection>> connect_patiently(
      Purpose purpose, const Patience& patience) const;
  /// Waits before a repetition: not before the first (0), then increasingly long, up to two
  /// seconds. `cancelled` on a stop, `deadline_exceeded`.
  [[nodiscard]] base::Result<void> back_off(unsigned repetition, const Patience& patience) const;

  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] base::Clock& clock() const { return clock_; }

 private:
  [[nodiscard]] std::string settings(const Connection& connection, Purpose purpose) const;

  const std::shared_ptr<const Libpq> libpq_;
  const std::string url_;
  const std::string address_;
  const bool durable_;
  base::Clock& clock_;
  base::Random& random_;
};

}  // namespace clever::storage::postgres
