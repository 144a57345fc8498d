#include "storage/postgres/internal/connection.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/lock_rank.h"

namespace clever::storage::postgres {
namespace {

// Settings come before the URL, so that the URL can override them; the encoding comes after it.
constexpr std::array kKeywords{
    "fallback_application_name", "gssencmode",       "keepalives_idle", "keepalives_interval",
    "keepalives_count",          "tcp_user_timeout", "dbname",          "client_encoding"};

PGconn* start_connecting(const Libpq& libpq, const std::string& url) {
  // Keepalives detect a vanished server within a minute.
  const std::array<const char*, kKeywords.size() + 1> values{
      "agents", "disable", "30", "10", "3", "60000", url.c_str(), "UTF8", nullptr};
  std::array<const char*, kKeywords.size() + 1> keywords{};
  std::ranges::copy(kKeywords, keywords.begin());
  return libpq.PQconnectStartParams(keywords.data(), values.data(), 1);
}

int remaining_milliseconds(const base::Deadline& deadline) {
  // The deadline may use another clock than the kernel's, so check it regularly.
  using namespace std::chrono;
  const auto left = std::min<base::Duration>(deadline.remaining(), milliseconds{200});
  return static_cast<int>(ceil<milliseconds>(left).count());
}

std::string_view or_empty(const char* text) { return text == nullptr ? "" : text; }

void ignore_notice(void*, const PGresult*) {}

std::size_t to_count(std::string_view digits) {
  std::size_t count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);
  return count;
}

}  // namespace

base::Result<std::unique_ptr<Connection>> Connection::open(std::shared_ptr<const Libpq> libpq,
                                                           const std::string& url,
                                                           const Patience& patience) {
  CLEVER_ASSIGN(WakeUp wake_up, WakeUp::create());
  PGconn* handle = start_connecting(*libpq, url);
  if (handle == nullptr) return base::resource_exhausted("out of memory");
  std::unique_ptr<Connection> connection(
      new Connection(std::move(libpq), std::move(wake_up), handle));
  CLEVER_TRY(connection->finish_connecting(patience));
  return connection;
}

Connection::~Connection() { libpq_->PQfinish(handle_); }

base::Result<void> Connection::finish_connecting(const Patience& patience) {
  libpq_->PQsetNoticeReceiver(handle_, &ignore_notice, nullptr);
  // Verbose errors carry their SQLSTATE.
  libpq_->PQsetErrorVerbosity(handle_, PQERRORS_VERBOSE);
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  if (libpq_->PQstatus(handle_) == CONNECTION_BAD) state = PGRES_POLLING_FAILED;
  while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING) {
    const short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (auto failure = wait(events, patience)) return std::move(failure->error);
    state = libpq_->PQconnectPoll(handle_);
  }
  if (state != PGRES_POLLING_OK) return connect_error(libpq_->PQerrorMessage(handle_));
  libpq_->PQsetErrorVerbosity(handle_, PQERRORS_DEFAULT);
  if (libpq_->PQsetnonblocking(handle_, 1) != 0) return std::move(lost().error);
  return {};
}

std::string Connection::server_version_name() const {
  // Packagers append words of their own to the version.
  const std::string_view text = or_empty(libpq_->PQparameterStatus(handle_, "server_version"));
  return std::string(text.substr(0, text.find(' ')));
}

Failure Connection::lost() {
  usable_ = false;
  std::string_view reason = or_empty(libpq_->PQerrorMessage(handle_));
  while (reason.ends_with('\n')) reason.remove_suffix(1);
  if (reason.empty()) reason = "the connection was closed";
  return {.trouble = Trouble::kLost,
          .sqlstate = {},
          .error = base::unavailable("lost the connection to the server: " + std::string(reason))};
}

Failure Connection::given_up(const Patience& patience) {
  usable_ = false;
  auto error = patience.stop.stop_requested()
                   ? base::cancelled("stopped while waiting for the server")
                   : base::deadline_exceeded("the deadline passed while waiting for the server");
  return {.trouble = Trouble::kStopped, .sqlstate = {}, .error = std::move(error)};
}

std::optional<Failure> Connection::wait(short events, const Patience& patience) {
  base::lock_rank::require_none("waiting for a server");
  std::array<pollfd, 2> watched{pollfd{libpq_->PQsocket(handle_), events, 0},
                                pollfd{wake_up_.descriptor(), POLLIN, 0}};
  // Data that is there already needs no wake-up.
  if (::poll(watched.data(), 1, 0) > 0) return std::nullopt;
  wake_up_.clear();
  const base::StopCallback on_stop(patience.stop, [this] { wake_up_.signal(); });
  while (true) {
    if (patience.stop.stop_requested() || patience.deadline.passed()) return given_up(patience);
    const int ready =
        ::poll(watched.data(), watched.size(), remaining_milliseconds(patience.deadline));
    if (ready < 0 && errno != EINTR) return lost();
    if (ready > 0 && watched[0].revents != 0) return std::nullopt;
  }
}

bool Connection::set_pipelining(bool on) {
  const bool is_on = libpq_->PQpipelineStatus(handle_) != PQ_PIPELINE_OFF;
  if (is_on == on) return true;
  const int changed =
      on ? libpq_->PQenterPipelineMode(handle_) : libpq_->PQexitPipelineMode(handle_);
  if (changed != 1) lost();
  return changed == 1;
}

Connection::Prepared& Connection::prepared(std::string_view sql) {
  auto& variants = prepared_[sql.data()];
  const auto found = std::ranges::find(variants, parameters_.types(), &Variant::types);
  if (found != variants.end()) return *found->prepared;
  auto made = std::make_unique<Prepared>();
  made->name = "s" + std::to_string(++prepared_count_);
  return *variants.emplace_back(parameters_.types(), std::move(made)).prepared;
}

void Connection::sent(int accepted, Request request) {
  if (accepted == 1) {
    requests_.push_back(request);
  } else {
    lost();
  }
}

void Connection::add(std::string_view sql, std::span<const Value> values) {
  if (!usable_ || !set_pipelining(true)) return;
  parameters_.assign(values);
  Prepared& statement = prepared(sql);
  if (!statement.sent) {
    // libpq needs a NUL-terminated text; a string_view does not promise one.
    const std::string text(sql);
    statement.sent = true;
    sent(libpq_->PQsendPrepare(handle_, statement.name.c_str(), text.c_str(), parameters_.count(),
                               parameters_.types().data()),
         {Request::Kind::kPrepare, &statement});
  }
  if (!usable_) return;
  sent(libpq_->PQsendQueryPrepared(handle_, statement.name.c_str(), parameters_.count(),
                                   parameters_.values(), parameters_.lengths(),
                                   parameters_.formats(), 1),
       {Request::Kind::kExecute, &statement});
}

void Connection::end_segment() {
  ++segments_;
  if (!usable_ || !set_pipelining(true)) return;
  sent(libpq_->PQpipelineSync(handle_), {Request::Kind::kSync});
}

std::optional<Failure> Connection::flush(const Patience& patience) {
  while (usable_) {
    const int left = libpq_->PQflush(handle_);
    if (left == 0) return std::nullopt;
    if (left < 0) return lost();
    if (auto failure = wait(POLLIN | POLLOUT, patience)) return failure;
    // The server may wait for us to read before it reads on.
    if (libpq_->PQconsumeInput(handle_) != 1) return lost();
  }
  return lost();
}

std::optional<Failure> Connection::wait_for_result(const Patience& patience) {
  while (libpq_->PQisBusy(handle_) == 1) {
    if (auto failure = wait(POLLIN, patience)) return failure;
    if (libpq_->PQconsumeInput(handle_) != 1) return lost();
  }
  return std::nullopt;
}

Answers Connection::receive(const Patience& patience) {
  Answers answers;
  if (segments_ > 0) --segments_;
  if (auto failure = flush(patience)) return {.outcomes = {}, .failure = std::move(failure)};
  while (!requests_.empty()) {
    const Request request = requests_.front();
    requests_.pop_front();
    auto failure = receive_request(request, answers, patience);
    if (failure && !answers.failure) answers.failure = std::move(failure);
    if (!usable_ || request.kind == Request::Kind::kSync) break;
  }
  return answers;
}

// The results of a request end with a null, except those of a sync.
std::optional<Failure> Connection::receive_request(const Request& request, Answers& answers,
                                                   const Patience& patience) {
  std::optional<Failure> first;
  while (true) {
    if (auto failure = wait_for_result(patience)) return failure;
    const ResultHandle result(libpq_->PQgetResult(handle_), FreeResult{libpq_.get()});
    if (!result) {
      if (libpq_->PQstatus(handle_) == CONNECTION_BAD) return lost();
      return first;
    }
    auto failure = take_result(result.get(), request, answers);
    if (failure && !first) first = std::move(failure);
    if (!usable_ || request.kind == Request::Kind::kSync) return first;
  }
}

std::optional<Failure> Connection::take_result(PGresult* result, const Request& request,
                                               Answers& answers) {
  const ExecStatusType status = libpq_->PQresultStatus(result);
  const bool done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
  if (request.kind == Request::Kind::kPrepare && !done) request.prepared->sent = false;
  if (status == PGRES_PIPELINE_ABORTED || status == PGRES_PIPELINE_SYNC) return std::nullopt;
  if (!done) {
    if (libpq_->PQstatus(handle_) == CONNECTION_BAD) return lost();
    Failure failure = failure_of_result(result);
    if (failure.trouble == Trouble::kLost) usable_ = false;
    return failure;
  }
  if (request.kind != Request::Kind::kExecute || answers.failure) return std::nullopt;
  answers.command = or_empty(libpq_->PQcmdStatus(result));
  auto outcome = outcome_of(result);
  if (!outcome.ok()) return Failure{Trouble::kRefused, {}, std::move(outcome).error()};
  answers.outcomes.push_back(std::move(*outcome));
  return std::nullopt;
}

base::Result<Outcome> Connection::outcome_of(PGresult* result) const {
  if (libpq_->PQresultStatus(result) == PGRES_COMMAND_OK) {
    return Outcome{.count = to_count(libpq_->PQcmdTuples(result)), .rows = {}};
  }
  const int columns = libpq_->PQnfields(result);
  const int count = libpq_->PQntuples(result);
  Rows rows(static_cast<std::size_t>(columns));
  for (int row = 0; row < count; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (libpq_->PQgetisnull(result, row, column) == 1) {
        rows.push(Null{});
        continue;
      }
      CLEVER_ASSIGN(Value value,
                    decode(libpq_->PQftype(result, column),
                           {libpq_->PQgetvalue(result, row, column),
                            static_cast<std::size_t>(libpq_->PQgetlength(result, row, column))}));
      rows.push(std::move(value));
    }
  }
  return Outcome{.count = static_cast<std::size_t>(count), .rows = std::move(rows)};
}

Failure Connection::failure_of_result(const PGresult* result) const {
  const auto field = [&](int code) { return or_empty(libpq_->PQresultErrorField(result, code)); };
  return failure_of({.severity = field(PG_DIAG_SEVERITY_NONLOCALIZED),
                     .sqlstate = field(PG_DIAG_SQLSTATE),
                     .text = field(PG_DIAG_MESSAGE_PRIMARY),
                     .detail = field(PG_DIAG_MESSAGE_DETAIL)});
}

base::Result<Outcome> Connection::run(const Patience& patience, std::string_view sql,
                                      std::span<const Value> parameters) {
  while (unanswered() > 0 && usable_) static_cast<void>(receive(patience));
  add(sql, parameters);
  end_segment();
  Answers answers = receive(patience);
  if (answers.failure) return std::move(answers.failure->error);
  return std::move(answers.outcomes.front());
}

base::Result<Outcome> Connection::run_script(const Patience& patience, const std::string& text) {
  while (unanswered() > 0 && usable_) static_cast<void>(receive(patience));
  if (!usable_ || !set_pipelining(false) || libpq_->PQsendQuery(handle_, text.c_str()) != 1) {
    return std::move(lost().error);
  }
  if (auto failure = flush(patience)) return std::move(failure->error);
  std::optional<Failure> first;
  while (true) {
    if (auto failure = wait_for_result(patience)) return std::move(failure->error);
    const ResultHandle result(libpq_->PQgetResult(handle_), FreeResult{libpq_.get()});
    if (!result) break;
    const ExecStatusType status = libpq_->PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || first) continue;
    first = failure_of_result(result.get());
    if (first->trouble == Trouble::kLost) usable_ = false;
  }
  if (libpq_->PQstatus(handle_) == CONNECTION_BAD) return std::move(lost().error);
  if (first) return std::move(first->error);
  return Outcome{};
}

base::Result<Announcement> Connection::next_announcement(const Patience& patience) {
  while (usable_) {
    if (PGnotify* raw = libpq_->PQnotifies(handle_)) {
      const std::unique_ptr<PGnotify, decltype(libpq_->PQfreemem)> held(raw, libpq_->PQfreemem);
      return Announcement{.channel = raw->relname, .payload = raw->extra};
    }
    if (auto failure = wait(POLLIN, patience)) return std::move(failure->error);
    if (libpq_->PQconsumeInput(handle_) != 1) return std::move(lost().error);
  }
  return std::move(lost().error);
}

}  // namespace clever::storage::postgres
