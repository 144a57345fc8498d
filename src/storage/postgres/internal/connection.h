#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "storage/postgres/internal/failure.h"
#include "storage/postgres/internal/libpq.h"
#include "storage/postgres/internal/parameters.h"
#include "storage/postgres/internal/patience.h"
#include "storage/postgres/internal/wake_up.h"
#include "storage/statement.h"

namespace clever::storage::postgres {

/// The answers to the statements of a segment: the outcomes of those before the failure, if there
/// is one. The server skips the rest of the segment after it.
struct Answers {
  std::vector<Outcome> outcomes;
  std::optional<Failure> failure;
  /// The server's command tag of the last statement: "COMMIT", "INSERT 0 1".
  std::string command{};

  [[nodiscard]] bool ok() const { return !failure.has_value(); }
};

/// What another connection announced by NOTIFY.
struct Announcement {
  std::string channel;
  std::string payload;
};

/// One connection to a server. Statements are added to a segment, which end_segment() closes.
/// Segments are sent without waiting for earlier answers, and receive() answers them in order. The
/// first failure ends its segment; the next segment starts afresh.
///
/// Statements are prepared on first use, and identified by the address of their text, which must be
/// a literal.
///
/// Used by one thread at a time. Every wait ends on a stop or at the deadline. After that, as after
/// a loss, the connection is unusable: usable() is false, and every call fails.
class Connection {
 public:
  /// Takes the whole URL, password included. Errors as connect_error(), `cancelled`,
  /// `deadline_exceeded`.
  [[nodiscard]] static base::Result<std::unique_ptr<Connection>> open(
      std::shared_ptr<const Libpq> libpq, const std::string& url, const Patience& patience);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] bool usable() const { return usable_; }
  /// 150018 for 15.18.
  [[nodiscard]] int server_version() const { return libpq_->PQserverVersion(handle_); }
  /// "15.18"
  [[nodiscard]] std::string server_version_name() const;

  /// The parameters must have passed check_parameters().
  void add(std::string_view sql, std::span<const Value> parameters = {});
  void end_segment();
  /// Hands everything added so far to the network.
  [[nodiscard]] std::optional<Failure> flush(const Patience& patience);
  /// Receives the answers to the oldest unanswered segment.
  [[nodiscard]] Answers receive(const Patience& patience);
  /// Segments that were ended and not received.
  [[nodiscard]] std::size_t unanswered() const { return segments_; }

  /// Receives what is left and runs one segment with a single statement.
  [[nodiscard]] base::Result<Outcome> run(const Patience& patience, std::string_view sql,
                                          std::span<const Value> parameters = {});
  /// Runs statements without parameters, separated by semicolons, in one transaction unless they
  /// say otherwise. The text need not be a literal.
  [[nodiscard]] base::Result<Outcome> run_script(const Patience& patience, const std::string& text);

  /// Waits for the next announcement on the channels of this connection.
  [[nodiscard]] base::Result<Announcement> next_announcement(const Patience& patience);

 private:
  struct FreeResult {
    const Libpq* libpq;
    void operator()(PGresult* result) const { libpq->PQclear(result); }
  };
  using ResultHandle = std::unique_ptr<PGresult, FreeResult>;

  struct Prepared {
    std::string name;
    bool sent = false;
  };
  // One text with parameters of certain types; a null has no type, so a text may have several
  // variants.
  struct Variant {
    std::vector<Oid> types;
    std::unique_ptr<Prepared> prepared;
  };
  // A request that the server has not answered yet.
  struct Request {
    enum class Kind : std::uint8_t { kPrepare, kExecute, kSync } kind;
    Prepared* prepared = nullptr;
  };

  Connection(std::shared_ptr<const Libpq> libpq, WakeUp wake_up, PGconn* handle)
      : libpq_(std::move(libpq)), wake_up_(std::move(wake_up)), handle_(handle) {}

  [[nodiscard]] base::Result<void> finish_connecting(const Patience& patience);
  [[nodiscard]] Prepared& prepared(std::string_view sql);
  [[nodiscard]] bool set_pipelining(bool on);
  void sent(int accepted, Request request);

  /// Waits for the socket; returns a failure if the wait ended otherwise.
  [[nodiscard]] std::optional<Failure> wait(short events, const Patience& patience);
  [[nodiscard]] std::optional<Failure> wait_for_result(const Patience& patience);
  [[nodiscard]] std::optional<Failure> receive_request(const Request& request, Answers& answers,
                                                       const Patience& patience);
  [[nodiscard]] std::optional<Failure> take_result(PGresult* result, const Request& request,
                                                   Answers& answers);
  [[nodiscard]] base::Result<Outcome> outcome_of(PGresult* result) const;
  [[nodiscard]] Failure failure_of_result(const PGresult* result) const;
  Failure lost();
  Failure given_up(const Patience& patience);

  // Constant after construction.
  const std::shared_ptr<const Libpq> libpq_;
  const WakeUp wake_up_;
  PGconn* const handle_;
  // Used by one thread at a time.
  bool usable_ = true;
  std::size_t segments_ = 0;
  std::deque<Request> requests_;
  std::unordered_map<const char*, std::vector<Variant>> prepared_;
  std::size_t prepared_count_ = 0;
  // Belongs to the statement that is being added.
  Parameters parameters_;
};

}  // namespace clever::storage::postgres
