#include "crash/load.h"

#include <deque>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/thread.h"
#include "crash/content.h"
#include "model/budget_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "model/plan_events.h"
#include "storage/budgets.h"
#include "storage/effects.h"
#include "storage/inbox.h"
#include "storage/journal.h"
#include "storage/keys.h"
#include "storage/leases.h"
#include "worker/job_queue.h"

namespace clever::storage::crash {
namespace {

/// What the threads of a process share.
struct Shared {
  Engine& engine;
  const OwnerLock& owner;
  const LoadOptions& options;
  const Tell& tell;
  std::chrono::microseconds lease_of_jobs;
  Journal journal;
  Inbox inbox;
  Leases leases;
  worker::JobQueue jobs;
};

class Worker {
 public:
  Worker(Shared& shared, int thread)
      : shared_(shared),
        options_(shared.options),
        thread_(thread),
        number_(options_.process * options_.threads + thread),
        plan_(plan_id(number_)),
        random_(options_.seed * 1000 + static_cast<std::uint64_t>(number_)) {}

  void run() {
    while (!take_plan()) {
      if (!options_.server_may_die) return;
    }
    for (int i = 0; i < options_.operations; ++i) operate();
  }

 private:
  bool take_plan();
  void create_plan();
  void operate();

  void append();
  void add_steps(Append& append, std::int64_t tag);
  void add_body(Append& append, std::int64_t tag);
  void add_decision(Append& append, std::int64_t tag);
  static void reserve(Append& append, std::int64_t tag);
  void request_effect(Append& append, std::int64_t tag);
  void settle_effect(Append& append);
  std::vector<Command> consume(Append& append, std::int64_t tag);
  void commit(Append append, std::int64_t tag);

  void write_unit();
  void raise();
  void send();
  void send_as(std::int64_t tag, std::string key);
  void enqueue();
  void enqueue_as(std::int64_t tag, std::string key);
  void work();
  void end(const worker::Job& job);
  void complete_with_work(const worker::Job& job, std::int64_t tag);
  void complete(const worker::Job& job, std::int64_t tag);
  void fail(const worker::Job& job, std::int64_t tag);
  void renew();
  void set_cap();

  [[nodiscard]] bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  [[nodiscard]] std::int64_t next_tag() {
    return tag_of(options_.run, options_.process, thread_, operation_++);
  }
  void tell(const Report& report) { shared_.tell(report); }
  // True if it went well; whatever is not among `allowed` is a fault.
  template <class T>
  bool went_well(const base::Result<T>& result, std::string_view doing,
                 std::initializer_list<base::ErrorCode> allowed = {});
  [[nodiscard]] bool is_of_disk(base::ErrorCode code) const {
    using enum base::ErrorCode;
    return options_.disk_may_fail &&
           (code == kUnavailable || code == kPermissionDenied || code == kCorruption ||
            code == kInternal || code == kResourceExhausted || code == kConflict);
  }
  template <class T>
  bool done(const base::Result<T>& result, std::int64_t tag, std::string_view doing,
            std::initializer_list<base::ErrorCode> allowed = {});

  Shared& shared_;
  const LoadOptions& options_;
  const int thread_;
  const std::int32_t number_;
  const model::PlanId plan_;
  base::SeededRandom random_;
  int operation_ = 0;
  std::int64_t epoch_ = 0;
  Head head_;
  std::vector<model::EffectId> open_effects_;
  std::vector<model::EffectId> new_effects_;
};

template <class T>
bool Worker::went_well(const base::Result<T>& result, std::string_view doing,
                       std::initializer_list<base::ErrorCode> allowed) {
  if (result.ok()) return true;
  const base::ErrorCode code = result.error().code();
  const bool server = options_.server_may_die && code == base::ErrorCode::kUnavailable;
  if (!server && !is_of_disk(code) && std::ranges::find(allowed, code) == allowed.end()) {
    tell(Report::fault(std::string(doing) + ": " + result.error().to_string()));
  }
  return false;
}

template <class T>
bool Worker::done(const base::Result<T>& result, std::int64_t tag, std::string_view doing,
                  std::initializer_list<base::ErrorCode> allowed) {
  if (went_well(result, doing, allowed)) return true;
  // A log that was written and not synced may be found whole.
  if (is_of_disk(result.error().code())) return false;
  tell({.did = Did::kRefused, .tag = tag});
  return false;
}

bool Worker::take_plan() {
  const auto lease = shared_.leases.acquire(plan_, shared_.owner, kLeaseOfPlans);
  if (!went_well(lease, "taking a plan whose owner is dead")) return false;
  epoch_ = lease->epoch;
  tell({.did = Did::kLease, .plan = number_, .number = epoch_});
  const auto loaded = shared_.journal.load(plan_);
  const auto effects = Effects(shared_.engine).open(plan_);
  const auto scope = Budgets(shared_.engine).ensure_cap(std::string(kScope), {});
  if (!went_well(scope, "making a scope") || !went_well(loaded, "loading a plan") ||
      !went_well(effects, "open effects"))
    return false;
  head_ = loaded->state.head;
  open_effects_.clear();
  for (const OpenEffect& effect : *effects) open_effects_.push_back(effect.id);
  if (head_.sequence == 0) create_plan();
  return head_.sequence != 0;
}

void Worker::create_plan() {
  Append append{.plan = plan_, .expected = head_, .epoch = epoch_};
  model::PlanCreated created;
  created.title = "plan " + std::to_string(number_);
  append.events.push_back(created.to_event());
  const auto head = shared_.journal.append(std::move(append));
  if (went_well(head, "creating a plan")) head_ = *head;
}

void Worker::operate() {
  const std::uint64_t what = random_.below(100);
  if (what < 35) return append();
  if (what < 50) return write_unit();
  if (what < 60) return send();
  if (what < 70) return raise();
  if (what < 82) return enqueue();
  if (what < 94) return work();
  if (what < 97) return set_cap();
  renew();
}

void Worker::append() {
  const std::int64_t tag = next_tag();
  Append append{.plan = plan_, .expected = head_, .epoch = epoch_};
  new_effects_ = open_effects_;
  add_steps(append, tag);
  if (chance(30)) add_body(append, tag);
  if (chance(15)) add_decision(append, tag);
  if (chance(30)) reserve(append, tag);
  if (chance(25)) settle_effect(append);
  if (chance(25)) request_effect(append, tag);
  commit(std::move(append), tag);
}

void Worker::add_steps(Append& append, std::int64_t tag) {
  const int parts = 1 + static_cast<int>(random_.below(3));
  for (int part = 0; part < parts; ++part) {
    append.events.push_back({.kind = std::string(kStep), .data = step_data(tag, part)});
  }
}

void Worker::add_body(Append& append, std::int64_t tag) {
  // Some are shared by many events, some are of several pages, some lie with their event.
  const std::size_t size = chance(20) ? 20'000 : chance(50) ? 2'000 : 200;
  Body body = Body::of(std::to_string(chance(50) ? tag : tag % 20) + std::string(size, 'b'));
  append.events.back().bodies.push_back(body.hash);
  append.bodies.push_back(std::move(body));
}

void Worker::add_decision(Append& append, std::int64_t tag) {
  model::DecisionRecorded decision;
  decision.id = id_of_tag<model::DecisionId>(tag);
  decision.question = "which?";
  decision.chosen = std::to_string(tag);
  append.events.push_back(decision.to_event());
}

void Worker::reserve(Append& append, std::int64_t tag) {
  append.events.push_back(
      model::BudgetReserved{{std::string(kScope)}, {tag % 97, tag % 89}}.to_event());
}

void Worker::request_effect(Append& append, std::int64_t tag) {
  model::EffectRequested effect;
  effect.id = id_of_tag<model::EffectId>(tag);
  effect.kind = "crash";
  if (chance(50)) effect.job = model::JobRequest{.queue = std::string(kEffectQueue)};
  append.events.push_back(effect.to_event().value());
  new_effects_.push_back(effect.id);
}

void Worker::settle_effect(Append& append) {
  if (new_effects_.empty()) return;
  append.events.push_back(model::EffectSettled{new_effects_.back(), "done"}.to_event());
  new_effects_.pop_back();
}

std::vector<Command> Worker::consume(Append& append, std::int64_t tag) {
  const auto commands = shared_.inbox.pending(plan_, 3);
  if (!went_well(commands, "reading an inbox") || commands->empty()) return {};
  std::string keys;
  for (const Command& command : *commands) {
    keys += command.key + ";";
    append.consumed.push_back({command.id, content_of(tag)});
  }
  append.events.push_back(
      {.kind = std::string(kConsumed),
       .data = R"({"tag":)" + std::to_string(tag) + R"(,"keys":")" + keys + R"("})"});
  return *commands;
}

void Worker::commit(Append append, std::int64_t tag) {
  std::vector<Command> commands;
  if (chance(40)) commands = consume(append, tag);
  const std::int64_t sequence = head_.sequence + std::ssize(append.events);
  append.also.push_back(
      statement("INSERT INTO crash_pair VALUES ($1, $2, $3)", tag, to_blob(plan_), sequence));
  const auto head = shared_.journal.append(std::move(append));
  if (!done(head, tag, "appending")) return;
  head_ = *head;
  open_effects_ = new_effects_;
  std::uint64_t digest = 0;
  for (std::size_t i = 0; i < sizeof(digest); ++i) digest = digest << 8U | head->hash.bytes()[i];
  tell({.did = Did::kAppend, .plan = number_, .tag = tag, .number = sequence, .digest = digest});
  for (const Command& command : commands) {
    tell({.did = Did::kConsume, .plan = number_, .tag = command.id, .number = sequence});
  }
}

void Worker::write_unit() {
  const std::int64_t tag = next_tag();
  UnitOfWork left;
  UnitOfWork right;
  UnitOfWork& second = options_.flaw == Flaw::kSplitsUnits ? right : left;
  left.run("INSERT INTO crash_left (tag, content) VALUES ($1, $2)", tag, Blob{content_of(tag)});
  second.run("INSERT INTO crash_right (tag, content) VALUES ($1, $2)", tag, Blob{content_of(tag)});
  if (options_.flaw == Flaw::kReportsEarly) tell({.did = Did::kUnit, .tag = tag});
  auto receipt = shared_.engine.commit(std::move(left));
  if (receipt.ok() && !right.empty()) receipt = shared_.engine.commit(std::move(right));
  if (done(receipt, tag, "writing")) tell({.did = Did::kUnit, .tag = tag});
}

void Worker::raise() {
  const std::int64_t tag = next_tag();
  const auto counter = static_cast<std::int32_t>(random_.below(2));
  const auto seen = shared_.engine.query("SELECT value FROM crash_counter WHERE id = $1", counter);
  if (!went_well(seen, "reading a counter")) return;
  const std::int64_t value = (*seen)[0].integer(0) + 1;
  UnitOfWork unit;
  unit.require(1, {base::ErrorCode::kConflict, "somebody was faster"},
               "UPDATE crash_counter SET value = $1 WHERE id = $2 AND value = $3", value, counter,
               value - 1);
  unit.run("INSERT INTO crash_raise VALUES ($1, $2, $3)", counter, value, tag);
  const auto receipt = shared_.engine.commit(std::move(unit));
  if (!done(receipt, tag, "raising", {base::ErrorCode::kConflict})) return;
  tell({.did = Did::kRaise, .plan = counter, .tag = tag, .number = value});
}

// A command's tag says to which plan of the process it goes.
void Worker::send() {
  const std::int64_t tag = next_tag();
  send_as(tag, key_of(tag));
  if (options_.flaw == Flaw::kForgetsKeys) send_as(tag, key_of(tag) + "again");
  if (chance(30)) send_as(tag, key_of(tag));
  if (options_.run == 0 || !chance(20)) return;
  // What the run before may have sent, once more.
  const int operation = static_cast<int>(random_.below(10));
  const std::int64_t earlier = tag_of(options_.run - 1, options_.process, thread_, operation);
  send_as(earlier, key_of(earlier));
}

void Worker::send_as(std::int64_t tag, std::string key) {
  const auto to =
      static_cast<std::int32_t>(options_.process * options_.threads + tag % options_.threads);
  const auto receipt = shared_.inbox.send(plan_id(to), std::move(key), content_of(tag));
  if (!went_well(receipt, "sending", {base::ErrorCode::kNotFound})) return;
  tell({.did = Did::kSend, .plan = to, .tag = tag, .number = receipt->id});
}

void Worker::enqueue() {
  const std::int64_t tag = next_tag();
  enqueue_as(tag, key_of(tag));
  if (options_.flaw == Flaw::kForgetsKeys) enqueue_as(tag, key_of(tag) + "again");
}

void Worker::enqueue_as(std::int64_t tag, std::string key) {
  worker::NewJob job;
  job.queue = kQueue;
  job.body = content_of(tag);
  job.key = std::move(key);
  job.priority = static_cast<worker::Priority>(random_.below(worker::kPriorities));
  job.max_attempts = 1'000'000;
  if (chance(20)) job.concurrency = "lane";
  const auto enqueued = shared_.jobs.enqueue(job);
  if (done(enqueued, tag, "enqueueing")) tell({.did = Did::kEnqueue, .tag = tag});
}

void Worker::work() {
  const worker::Claim claim{.queue = std::string(kQueue),
                            .limit = 1 + random_.below(3),
                            .owner = shared_.owner.owner().id,
                            .lease = shared_.lease_of_jobs};
  const auto jobs = shared_.jobs.claim(claim);
  if (!went_well(jobs, "claiming")) return;
  for (const worker::Job& job : *jobs) {
    tell({.did = Did::kClaim, .tag = tag_in(job.body), .number = number(job.lease.attempt)});
  }
  for (const worker::Job& job : *jobs) end(job);
}

void Worker::end(const worker::Job& job) {
  const std::int64_t tag = tag_in(job.body);
  const std::uint64_t how = random_.below(100);
  if (how < 50) return complete_with_work(job, tag);
  if (how < 70) return complete(job, tag);
  if (how < 90) return fail(job, tag);
  // It stays claimed by this process, which will die.
}

void Worker::complete_with_work(const worker::Job& job, std::int64_t tag) {
  UnitOfWork unit;
  worker::add_completion(unit, job.lease, std::string(kQueue));
  unit.run("INSERT INTO crash_done VALUES ($1, $2)", tag, number(job.lease.attempt));
  const auto receipt = shared_.engine.commit(std::move(unit));
  if (!went_well(receipt, "completing a job with work", {base::ErrorCode::kConflict})) return;
  tell({.did = Did::kComplete, .tag = tag});
}

void Worker::complete(const worker::Job& job, std::int64_t tag) {
  tell({.did = Did::kWillComplete, .tag = tag});
  const auto lost = shared_.jobs.complete(std::string(kQueue), {job.lease});
  if (!went_well(lost, "completing a job") || !lost->empty()) return;
  tell({.did = Did::kComplete, .tag = tag});
}

void Worker::fail(const worker::Job& job, std::int64_t tag) {
  const auto lost = shared_.jobs.fail(std::string(kQueue),
                                      {job.lease, "failed", std::chrono::microseconds::zero()});
  if (!went_well(lost, "failing a job") || !lost->empty()) return;
  tell({.did = Did::kFail, .tag = tag, .number = number(job.lease.attempt)});
}

// Enough for everything, or none: now the scope is counted, now it is not.
void Worker::set_cap() {
  const Caps caps = chance(50) ? Caps{} : Caps{.money = model::kLargestAmount / 2};
  const auto set = Budgets(shared_.engine).set_cap(std::string(kScope), caps);
  (void)went_well(set, "setting a cap");
}

void Worker::renew() {
  const auto held = shared_.leases.renew_all(shared_.owner, kLeaseOfPlans);
  if (!went_well(held, "renewing leases")) return;
  if (std::ranges::find(*held, Lease{plan_name(plan_), epoch_}) == held->end()) {
    tell(Report::fault("the lease of plan " + std::to_string(number_) + " was lost"));
  }
}

}  // namespace

void run_load(Engine& engine, base::Clock& clock, const OwnerLock& owner,
              std::chrono::microseconds lease_of_jobs, const LoadOptions& options,
              const Tell& tell) {
  base::SystemRandom random;
  Shared shared{.engine = engine,
                .owner = owner,
                .options = options,
                .tell = tell,
                .lease_of_jobs = lease_of_jobs,
                .journal = Journal(engine, clock),
                .inbox = Inbox(engine),
                .leases = Leases(engine),
                .jobs = worker::JobQueue(engine, clock, random)};
  std::deque<base::Thread> threads;
  for (int thread = 0; thread < options.threads; ++thread) {
    threads.emplace_back(
        "load", [&shared, thread](const base::StopToken&) { Worker(shared, thread).run(); });
  }
  for (base::Thread& thread : threads) thread.join();
}

void run_load(const Place& place, const LoadOptions& options, const Tell& tell) {
  const auto clock = clock_of(place, options.run);
  const auto engine = place.open(*clock);
  const auto owner = place.new_owner();
  if (!engine.ok()) return tell(Report::fault(engine.error().to_string()));
  if (!owner.ok()) return tell(Report::fault(owner.error().to_string()));
  const std::chrono::microseconds lease = place.is_postgres()
                                              ? std::chrono::microseconds(kLeaseOfPostgresJobs)
                                              : std::chrono::microseconds(kLeaseOfJobs);
  run_load(**engine, *clock, *owner, lease, options, tell);
}

}  // namespace clever::storage::crash
