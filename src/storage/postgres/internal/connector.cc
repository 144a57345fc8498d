#include "storage/postgres/internal/connector.h"

#include <algorithm>

#include "base/monitor.h"

namespace clever::storage::postgres {
namespace {

using namespace std::chrono_literals;

constexpr int kFirstVersionThatWatchesClients = 140000;

}  // namespace

std::string Connector::settings(const Connection& connection, Purpose purpose) const {
  std::string text = durable_ ? "" : "SET synchronous_commit = off;";
  if (connection.server_version() >= kFirstVersionThatWatchesClients) {
    // A statement ends soon after its caller gives up.
    text += "SET client_connection_check_interval = '10s';";
  }
  if (purpose == Purpose::kWriting) {
    // A group that waits longer than this runs again without other groups beside it, which ends
    // deadlocks sooner than the server would. A stopped writer gives up its locks after a while.
    text += "SET lock_timeout = '250ms'; SET idle_in_transaction_session_timeout = '60s';";
  }
  return text;
}

base::Result<std::unique_ptr<Connection>> Connector::connect(Purpose purpose,
                                                             const Patience& patience) const {
  const Patience attempt{
      .stop = patience.stop,
      .deadline = base::Deadline::after(clock_, kAttempt).earlier(patience.deadline)};
  auto opened = Connection::open(libpq_, url_, attempt);
  if (opened.ok()) {
    const std::string text = settings(**opened, purpose);
    auto set =
        text.empty() ? base::Result<Outcome>(Outcome{}) : (*opened)->run_script(attempt, text);
    if (set.ok()) return opened;
    opened = std::move(set).error();
  }
  base::Error error = std::move(opened).error();
  if (error.code() == base::ErrorCode::kDeadlineExceeded && !patience.deadline.passed()) {
    error = base::unavailable("no answer within " + std::to_string(kAttempt.count()) + " seconds");
  }
  return std::move(error).add_context("connecting to " + address_);
}

base::Result<void> Connector::back_off(unsigned repetition, const Patience& patience) const {
  // Adds jitter of up to half, so that clients that lost their connections together do not return
  // together.
  const std::chrono::microseconds longest =
      repetition == 0
          ? 0ms
          : std::min<std::chrono::milliseconds>(25ms * (1U << std::min(repetition - 1, 7U)), 2s);
  const auto half = static_cast<std::uint64_t>(longest.count() / 2);
  const std::chrono::microseconds pause(half + random_.below(half + 1));
  base::Monitor<bool> never;
  auto waited =
      never.wait(patience.stop, base::Deadline::after(clock_, pause).earlier(patience.deadline),
                 [](bool) { return false; });
  const bool ended =
      waited.error().code() == base::ErrorCode::kCancelled || patience.deadline.passed();
  return ended ? std::move(waited) : base::Result<void>();
}

base::Result<std::unique_ptr<Connection>> Connector::connect_patiently(
    Purpose purpose, const Patience& patience) const {
  const auto enough = base::Deadline::after(clock_, kAttempts);
  for (unsigned repetition = 0;; ++repetition) {
    auto connection = connect(purpose, patience);
    if (connection.ok() || connection.error().code() != base::ErrorCode::kUnavailable) {
      return connection;
    }
    if (enough.passed()) return connection;
    CLEVER_TRY(back_off(repetition, patience));
  }
}

}  // namespace clever::storage::postgres
