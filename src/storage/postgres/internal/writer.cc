#include "storage/postgres/internal/writer.h"

#include <utility>

#include "storage/postgres/internal/topics.h"

namespace clever::storage::postgres {
namespace {

constexpr std::size_t kGroupBytes = std::size_t{32} << 20U;
// Each round may find one more suspect, until all are found.
constexpr unsigned kRounds = 3;
constexpr unsigned kUnhurried = 7;  // as a repetition: about a second

base::Error unknown_outcome(const base::Error& reason) {
  return base::unavailable(
      "the connection was lost while the server committed, and it is unknown whether it did: " +
      reason.sentence());
}

base::Error nothing_happened(const base::Error& reason) {
  // A stop or deadline here belongs to the engine; the caller did not set it.
  if (reason.code() != base::ErrorCode::kCancelled &&
      reason.code() != base::ErrorCode::kDeadlineExceeded) {
    return reason;
  }
  return base::unavailable("the server did not answer before the database was closed");
}

}  // namespace

void Writer::run() {
  while (share_.queue.wait({}).ok()) {
    commit_next();
    tell_others();
    sweep();
  }
}

base::Result<Turns::Turn> Writer::ready() {
  CLEVER_TRY(ensure_connection());
  return share_.turns.take(share_.abandon);
}

void Writer::commit_next() {
  course_ = {};
  auto turn = ready();
  Group group(share_.queue.take(share_.group, kGroupBytes));
  if (!turn.ok()) {
    failed(group, turn.error());
  } else if (group.size() > 0) {
    commit(group, std::move(*turn));
  }
}

void Writer::commit(Group& group, Turns::Turn turn) {
  course_ = {};
  plan_ = {.key = share_.name + "/" + std::to_string(share_.groups.fetch_add(1)),
           .previous_key = std::move(plan_.key),
           .schema_version = share_.schema_version,
           .alone = group.is_alone(),
           .sender = share_.name};
  bool answered = attempt(group, std::move(turn));
  while (!answered) answered = attempt_again(group);
}

bool Writer::attempt_again(Group& group) {
  auto turn = ready();
  if (!turn.ok()) return failed(group, turn.error());
  return attempt(group, std::move(*turn));
}

bool Writer::attempt(Group& group, Turns::Turn turn) {
  while (connection_->usable() && connection_->unanswered() > 0) {
    static_cast<void>(connection_->receive(patience()));
  }
  Attempt attempt(*connection_, group, plan_, patience());
  const Ended ended = attempt.run(std::move(turn));
  if (!connection_->usable()) connection_.reset();
  if (attempt.database_time() != 0) course_.database_time = attempt.database_time();
  if (ended.key_was_free) course_.in_doubt = false;
  return conclude(group, ended);
}

bool Writer::conclude(Group& group, const Ended& ended) {
  switch (ended.end) {
    case End::kCommitted:
      succeeded(group);
      return true;
    case End::kWasCommitted:
      if (!course_.in_doubt) return failed(group, base::internal_error("a key was used twice"));
      succeeded(group);
      return true;
    case End::kInDoubt:
      course_.in_doubt = true;
      plan_.doubt_since = course_.database_time;
      return again(group, ended);
    case End::kNewSuspects:
      if (++course_.rounds >= kRounds) group.suspect_all();
      return false;
    case End::kTooLate:
      return failed(group, *ended.error);
    case End::kSplit:
      split(group);
      return true;
    case End::kRepeat:
    case End::kLost:
      return again(group, ended);
    case End::kRefused:
      return refused(group, ended);
  }
  std::unreachable();
}

bool Writer::again(Group& group, const Ended& ended) {
  if (ended.end == End::kRepeat) plan_.alone = true;
  if (course_.enough.is_never()) {
    course_.enough = base::Deadline::after(share_.connector.clock(), Connector::kAttempts);
  }
  const bool enough = course_.enough.passed();
  // Resolves a doubt first, at any cost.
  plan_.only_resolve = enough && course_.in_doubt;
  if ((enough && !course_.in_doubt) ||
      !share_.connector.back_off(course_.repetitions++, patience()).ok()) {
    return failed(group, *ended.error);
  }
  return false;
}

// While a commit is in doubt a refusal proves nothing: the key was not reached.
bool Writer::refused(Group& group, const Ended& ended) {
  if (!course_.in_doubt) return failed(group, *ended.error);
  return !share_.connector.back_off(kUnhurried, patience()).ok() && failed(group, *ended.error);
}

void Writer::split(Group& group) {
  for (Group& alone : group.split()) {
    auto turn = ready();
    if (turn.ok()) {
      commit(alone, std::move(*turn));
    } else {
      failed(alone, turn.error());
    }
  }
}

void Writer::succeeded(Group& group) {
  const auto topics = group.topics();
  group.answer();
  share_.notifications.publish(topics);
  owed_.insert(owed_.end(), topics.begin(), topics.end());
}

bool Writer::failed(Group& group, const base::Error& error) {
  group.answer_all(course_.in_doubt ? unknown_outcome(error) : nothing_happened(error));
  return true;
}

base::Result<void> Writer::connect() {
  CLEVER_ASSIGN(connection_, share_.connector.connect_patiently(Purpose::kWriting, patience()));
  return {};
}

base::Result<void> Writer::ensure_connection() {
  while (connection_ == nullptr) {
    auto connected = connect();
    if (connected.ok()) break;
    // In doubt, only the end of the engine stops the writer from trying again.
    if (!course_.in_doubt || share_.abandon.stop_requested()) return connected;
    CLEVER_TRY(share_.connector.back_off(kUnhurried, patience()));
  }
  return {};
}

// The NOTIFY went out with the COMMIT; without its answer it is sent once more. Listeners that lost
// their connection look at every topic, which covers a lost hint.
void Writer::tell_others() {
  if (owed_.empty()) return;
  const auto topics = coalesced(std::exchange(owed_, {}));
  if (connection_ != nullptr && connection_->unanswered() > 0) {
    if (connection_->receive(patience()).ok()) return;
    connection_.reset();
  }
  course_ = {};
  if (!ensure_connection().ok()) return;
  const std::vector<Value> payload{payload_of(share_.name, topics)};
  static_cast<void>(connection_->run(patience(), kNotify, payload));
  if (!connection_->usable()) connection_.reset();
}

// Each writer removes its own keys; one that ended without an answer leaves its last key.
void Writer::sweep() {
  const auto now = share_.connector.clock().now();
  const bool due = share_.next_sweep.with([&](base::TimePoint& next) {
    if (now < next) return false;
    next = now + kSweepEvery;
    return true;
  });
  if (!due || connection_ == nullptr) return;
  static_cast<void>(connection_->run(
      patience(), "DELETE FROM clever_commit WHERE created < now() - interval '1 day'"));
  if (!connection_->usable()) connection_.reset();
}

}  // namespace clever::storage::postgres
