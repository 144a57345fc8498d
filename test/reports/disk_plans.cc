#include "reports/disk_plans.h"

#include <algorithm>
#include <utility>

#include "storage/keys.h"

namespace clever::reports {
namespace {

constexpr auto kEvent = "event ";
constexpr auto kEpoch = "epoch";

// An event as a line of the disk: "event KIND\nDATA".
Record to_record(const model::Event& event, std::int64_t epoch) {
  return {.kind = kEvent + event.kind + "\n" + event.data, .owner = static_cast<int>(epoch)};
}

bool is_event(const Record& record) { return record.kind.starts_with(kEvent); }

model::StoredEvent to_event(const Record& record, const model::PlanId& plan,
                            std::int64_t sequence) {
  const std::size_t begin = std::string(kEvent).size();
  const std::size_t end = record.kind.find('\n');
  return {.plan = plan,
          .sequence = sequence,
          .epoch = record.owner,
          .kind = record.kind.substr(begin, end - begin),
          .data = record.kind.substr(end + 1)};
}

storage::JournalState state_of(const std::vector<Record>& records) {
  return {.head = {std::ranges::count_if(records, is_event), {}},
          .epoch = std::ranges::count(records, kEpoch, &Record::kind)};
}

}  // namespace

base::Result<storage::Lease> DiskPlans::acquire(const model::PlanId& plan) {
  storage::Lease lease{storage::plan_name(plan)};
  disk_.transact([&](std::vector<Record>& records) {
    records.push_back({.kind = kEpoch});
    lease.epoch = state_of(records).epoch;
  });
  return lease;
}

base::Result<storage::LoadedPlan> DiskPlans::load(const model::PlanId& plan) {
  const std::vector<Record> records = disk_.records();
  storage::LoadedPlan loaded{state_of(records), {}};
  for (const Record& record : records) {
    if (!is_event(record)) continue;
    const auto sequence = static_cast<std::int64_t>(loaded.events.size()) + 1;
    loaded.events.push_back(to_event(record, plan, sequence));
  }
  return loaded;
}

void DiskPlans::append(storage::Append append, Done<storage::Head> done) {
  base::Result<storage::Head> answer = base::conflict("the journal moved on");
  const bool alive = disk_.transact([&](std::vector<Record>& records) {
    const storage::JournalState present = state_of(records);
    if (present.head != append.expected || present.epoch != append.epoch) return;
    for (const model::Event& event : append.events) {
      records.push_back(to_record(event, append.epoch));
    }
    answer = state_of(records).head;
  });
  // The process is gone: nobody hears of it, and nobody tries again.
  if (!alive) answer = base::cancelled("crashed");
  done(std::move(answer));
}

}  // namespace clever::reports
