#include "crash/inspect.h"

#include <set>

#include "crash/content.h"
#include "crash/found.h"
#include "crash/load.h"
#include "model/budget_events.h"
#include "model/effect_events.h"
#include "storage/journal_verify.h"
#include "storage/keys.h"
#include "storage/leases.h"

namespace clever::storage::crash {
namespace {

std::string bytes_of(std::int32_t plan) { return to_blob(plan_id(plan)).bytes; }

/// What the reports say must be there.
class Acknowledged {
 public:
  Acknowledged(const Found& found, const std::vector<Report>& reports, Faults& faults)
      : found_(found), reports_(reports), faults_(faults) {
    for (const Found::Job& job : found.jobs) jobs_[job.tag] = &job;
    for (const Found::Event& event : found.events) tags_.insert(tag_in(event.data));
    for (const auto& [place, tag] : found.raises) tags_.insert(tag);
    for (const Report& report : reports) {
      if (report.did == Did::kWillComplete) may_be_gone_.insert(report.tag);
    }
  }

  void check() {
    for (const Report& report : reports_) check(report);
  }

 private:
  void check(const Report& report) {
    switch (report.did) {
      case Did::kLease:
        return check_lease(report);
      case Did::kAppend:
        return check_append(report);
      case Did::kSend:
        return check_command(report);
      case Did::kConsume:
        return expect(found_.commands.contains(report.tag) &&
                          found_.commands.at(report.tag).consumed == report.number,
                      report, "a consumption is undone");
      case Did::kUnit:
        return expect(has(found_.left, report.tag) && has(found_.right, report.tag), report,
                      "a unit is gone");
      case Did::kRaise:
        return check_raise(report);
      case Did::kEnqueue:
        return expect(jobs_.contains(report.tag) || may_be_done(report.tag), report,
                      "a job is gone");
      case Did::kClaim:
      case Did::kFail:
        return check_attempt(report);
      case Did::kComplete:
        return expect(!jobs_.contains(report.tag), report, "a completed job is back");
      case Did::kRefused:
        return check_refused(report);
      case Did::kFault:
        return broken("the load met what must not be: " + report.message());
      case Did::kWillComplete:
      case Did::kCalls:
      case Did::kFinished:
        return;
    }
  }

  void check_lease(const Report& report) {
    const auto stored = found_.epochs.find(plan_name(plan_id(report.plan)));
    expect(stored != found_.epochs.end() && stored->second >= report.number, report,
           "a lease is gone");
    if (report.number <= epochs_[report.plan]) broken("an epoch was given twice");
    epochs_[report.plan] = report.number;
  }

  void check_append(const Report& report) {
    const Found::Event* last = found_.event_at(bytes_of(report.plan), report.number);
    std::uint64_t digest = 0;
    for (std::size_t i = 0; last != nullptr && i < sizeof(digest); ++i) {
      digest = digest << 8U | static_cast<std::uint8_t>(last->hash[i]);
    }
    expect(digest == report.digest && found_.pairs.contains(report.tag), report,
           "events are gone, or others are in their place");
  }

  void check_command(const Report& report) {
    const auto stored = found_.commands.find(report.number);
    expect(stored != found_.commands.end() && stored->second.plan == bytes_of(report.plan) &&
               stored->second.body == content_of(report.tag),
           report, "a command is gone");
  }

  void check_raise(const Report& report) {
    const auto stored = found_.raises.find({report.plan, report.number});
    expect(stored != found_.raises.end() && stored->second == report.tag, report,
           "a raise is gone, or another is in its place");
  }

  void check_attempt(const Report& report) {
    const auto job = jobs_.find(report.tag);
    if (job == jobs_.end()) return expect(may_be_done(report.tag), report, "a job is gone");
    constexpr std::int64_t kRunning = 1;
    const bool same = job->second->attempts == report.number;
    const bool undone = report.did == Did::kFail && same && job->second->state == kRunning;
    expect(job->second->attempts >= report.number && !undone, report, "an attempt is undone");
  }

  void check_refused(const Report& report) {
    const bool there = tags_.contains(report.tag) || found_.left.contains(report.tag) ||
                       found_.right.contains(report.tag) || found_.pairs.contains(report.tag) ||
                       jobs_.contains(report.tag);
    if (there)
      broken("the answer was an error, and yet " + std::to_string(report.tag) + " is there");
  }

  [[nodiscard]] static bool has(const std::map<std::int64_t, std::string>& contents,
                                std::int64_t tag) {
    const auto stored = contents.find(tag);
    return stored != contents.end() && stored->second == content_of(tag);
  }
  [[nodiscard]] bool may_be_done(std::int64_t tag) const {
    return found_.done.contains(tag) || may_be_gone_.contains(tag);
  }
  void expect(bool kept, const Report& report, const std::string& what) {
    if (kept) return;
    faults_.push_back({Fault::Kind::kLost, what + " (plan " + std::to_string(report.plan) +
                                               ", tag " + std::to_string(report.tag) + ", number " +
                                               std::to_string(report.number) + ")"});
  }
  void broken(std::string what) { faults_.push_back({Fault::Kind::kBroken, std::move(what)}); }

  const Found& found_;
  const std::vector<Report>& reports_;
  Faults& faults_;
  std::map<std::int64_t, const Found::Job*> jobs_;
  std::set<std::int64_t> tags_;
  std::set<std::int64_t> may_be_gone_;
  std::map<std::int32_t, std::int64_t> epochs_;
};

/// What must hold of any state of the database, whatever was acknowledged.
class Whole {
 public:
  Whole(const Found& found, Faults& faults) : found_(found), faults_(faults) {}

  void check() {
    expect(found_.left == found_.right, "a unit is half there: left and right differ");
    for (const Found::Event& event : found_.events) check_event(event);
    check_pairs();
    check_counters();
    check_commands();
    check_jobs();
    check_effects();
    expect(found_.decisions == decisions_, "decisions are not those of the journals");
    expect(found_.shares == reserved_, "shares of the budget are not those of the journals");
    expect(!found_.counted || *found_.counted == reserved_,
           "a scope with a cap does not count what is reserved");
  }

 private:
  void check_event(const Found::Event& event) {
    if (event.kind == kStep && event.data.find(R"("part":0)") != std::string::npos) {
      expect(steps_.insert(tag_in(event.data)).second, "an append is there twice");
    } else if (event.kind == kConsumed) {
      count_keys(event);
    } else if (event.kind == model::EffectRequested::kKind) {
      const auto effect = model::EffectRequested::parse(event.data).value();
      if (effect.job) ++effect_jobs_;
      effects_[to_blob(effect.id).bytes].first = event.sequence;
    } else if (event.kind == model::EffectSettled::kKind) {
      const auto effect = model::EffectSettled::parse(event.data).value();
      effects_[to_blob(effect.id).bytes].second = event.sequence;
    } else if (event.kind == model::BudgetReserved::kKind) {
      const auto reserved = model::BudgetReserved::parse(event.data).value();
      reserved_ += reserved.cost.money + reserved.cost.tokens;
    } else if (event.kind == "decision.recorded") {
      ++decisions_;
    }
  }

  void count_keys(const Found::Event& event) {
    const std::size_t begin = event.data.find(R"("keys":")") + 8;
    std::string key;
    for (const char c : event.data.substr(begin)) {
      if (c == '"') break;
      if (c != ';') {
        key += c;
        continue;
      }
      expect(
          consumed_.emplace(std::pair(event.plan, std::exchange(key, {})), event.sequence).second,
          "a command was consumed twice");
    }
  }

  // The pair names the last event of its append, the step is the first.
  void check_pairs() {
    for (const auto& [tag, place] : found_.pairs) {
      expect(steps_.contains(tag), "an append is half there: no events");
      expect(found_.event_at(place.first, place.second) != nullptr, "an append ends elsewhere");
    }
    for (const std::int64_t tag : steps_) {
      expect(found_.pairs.contains(tag), "an append is half there: no row beside its events");
    }
  }

  void check_counters() {
    for (const auto& [counter, value] : found_.counters) {
      std::int64_t raises = 0;
      for (const auto& [place, tag] : found_.raises) raises += place.first == counter ? 1 : 0;
      expect(raises == value, "a counter is not what it was raised to");
    }
  }

  void check_commands() {
    std::set<std::int64_t> tags;
    std::size_t consumed = 0;
    for (const auto& [id, command] : found_.commands) {
      expect(tags.insert(tag_in(command.body)).second, "a command is there twice");
      if (command.consumed == 0) continue;
      ++consumed;
      const auto event = consumed_.find({command.plan, command.key});
      // The consumption is dated by the last event of its append.
      expect(event != consumed_.end() && event->second <= command.consumed,
             "a command was consumed by no event");
    }
    expect(consumed == consumed_.size(), "an event consumed a command that still waits");
  }

  void check_jobs() {
    std::set<std::int64_t> tags;
    for (const Found::Job& job : found_.jobs) {
      expect(tags.insert(job.tag).second, "a job is there twice");
      expect(!found_.done.contains(job.tag), "a job was completed and is still there");
    }
  }

  void check_effects() {
    expect(found_.effects == effects_, "effects are not those of the journals");
    expect(found_.effect_jobs == effect_jobs_, "the jobs of effects are not those of the journals");
  }

  void expect(bool holds, const std::string& what) {
    if (!holds) faults_.push_back({Fault::Kind::kBroken, what});
  }

  const Found& found_;
  Faults& faults_;
  std::set<std::int64_t> steps_;
  std::map<std::pair<std::string, std::string>, std::int64_t> consumed_;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> effects_;
  std::int64_t effect_jobs_ = 0;
  std::int64_t decisions_ = 0;
  std::int64_t reserved_ = 0;
};

void add_error(Faults& faults, const base::Error& error) {
  faults.push_back({Fault::Kind::kBroken, error.to_string()});
}

void verify(Engine& engine, Faults& faults) {
  const auto ignore = [](auto, auto, auto) {};
  if (const auto sound = engine.check_integrity(ignore, {}); !sound.ok()) {
    add_error(faults, sound.error());
  }
  const auto verdict = JournalVerify(engine).verify_all(ignore);
  if (!verdict.ok()) return add_error(faults, verdict.error());
  for (const JournalFault& fault : verdict->faults) {
    faults.push_back({Fault::Kind::kBroken, fault.to_string()});
  }
}

// Nobody lives who holds a plan, so each can be had at once, under the next epoch.
void take_over(Engine& engine, const OwnerLock& owner, const Found& found, Faults& faults) {
  Leases leases(engine);
  for (const auto& [name, epoch] : found.epochs) {
    const auto lease = leases.acquire(name, owner, kLeaseOfPlans);
    if (!lease.ok()) {
      add_error(faults, lease.error());
      continue;
    }
    if (lease->epoch != epoch + 1) {
      faults.push_back({Fault::Kind::kBroken, name + " is at epoch " +
                                                  std::to_string(lease->epoch) + " after " +
                                                  std::to_string(epoch)});
    }
    if (const auto released = leases.release(*lease, owner); !released.ok()) {
      add_error(faults, released.error());
    }
  }
  if (const auto removed = leases.remove_leftovers(owner); !removed.ok()) {
    add_error(faults, removed.error());
  }
}

}  // namespace

std::string to_string(const Faults& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    text += (fault.kind == Fault::Kind::kLost ? "lost: " : "broken: ") + fault.what + "\n";
  }
  return text;
}

Faults inspect(Engine& engine, const OwnerLock& owner, const std::vector<Report>& reports) {
  Faults faults;
  const auto found = Found::read(engine);
  if (!found.ok()) {
    add_error(faults, found.error());
    return faults;
  }
  Acknowledged(*found, reports, faults).check();
  Whole(*found, faults).check();
  verify(engine, faults);
  take_over(engine, owner, *found, faults);
  return faults;
}

Faults inspect(const Place& place, const std::vector<Report>& reports, int run,
               std::span<const Migration> migrations) {
  Faults faults;
  const auto clock = clock_of(place, run);
  const auto engine = place.open(*clock, migrations);
  const auto owner = place.new_owner();
  if (!engine.ok()) add_error(faults, engine.error());
  if (!owner.ok()) add_error(faults, owner.error());
  if (!faults.empty()) return faults;
  return inspect(**engine, *owner, reports);
}

}  // namespace clever::storage::crash
