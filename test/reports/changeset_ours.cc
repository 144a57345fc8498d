#include "reports/changeset_ours.h"

#include <algorithm>

#include "base/atomic.h"
#include "model/change_events.h"

namespace clever::reports::changeset {
namespace {

constexpr std::int64_t kEpoch = 1;

int number_of(const model::ChangesetId& id) {
  return id.ulid().bytes()[14] * 256 + id.ulid().bytes()[15];
}

model::ChangesetId id_of(int number) {
  base::Ulid::Bytes bytes{};
  bytes[14] = static_cast<std::uint8_t>(number / 256);
  bytes[15] = static_cast<std::uint8_t>(number % 256);
  return model::ChangesetId(base::Ulid(bytes));
}

storage::Head head_of(const std::vector<Record>& records) {
  return {std::ranges::count(records, "event", &Record::kind), {}};
}

// What the store's projections make of an event.
void project(const model::Event& event, std::vector<Record>& records) {
  records.push_back({.kind = "event"});
  if (event.kind == model::ChangesetStarted::kKind) {
    const int number = number_of(model::ChangesetStarted::parse(event.data)->id);
    records.push_back({.kind = "changeset", .owner = number});
    records.push_back({.kind = "listed", .owner = number});
  } else if (event.kind == model::ChangesRecorded::kKind) {
    const auto recorded = model::ChangesRecorded::parse(event.data).value();
    const int number = number_of(recorded.changeset);
    for (const model::ChangeEntry& entry : recorded.entries) {
      const auto so_far = std::ranges::count_if(records, [&](const Record& record) {
        return record.kind == "entry" && record.owner == number;
      });
      records.push_back({.kind = "entry",
                         .owner = number,
                         .value = std::stoi(entry.path),
                         .number = static_cast<int>(so_far) + 1});
    }
  }
}

storage::PlanAppender::Port journal_on(Disk& disk) {
  return {[&disk](const storage::Append& append) -> base::Result<storage::Head> {
            base::Result<storage::Head> answer = base::conflict("the journal moved on");
            const bool alive = disk.transact([&](std::vector<Record>& records) {
              if (append.expected != head_of(records)) return;
              for (const model::Event& event : append.events) project(event, records);
              answer = head_of(records);
            });
            if (!alive) return base::unavailable("crashed");
            return answer;
          },
          [&disk]() -> base::Result<storage::JournalState> {
            return storage::JournalState{head_of(disk.records()), kEpoch};
          }};
}

}  // namespace

class Ours::Log final : public sandbox::ChangeLog {
 public:
  explicit Log(Disk& disk)
      : disk_(disk), appender_(journal_on(disk), {}, kEpoch, head_of(disk.records())) {}

  [[nodiscard]] model::ChangesetId next_id() { return id_of(started_.fetch_add(1) + 1); }

  base::Result<void> start(const model::ChangesetId& id,
                           const model::DecisionId& decision) override {
    return append(model::ChangesetStarted{id, decision}.to_event());
  }
  base::Result<void> record(const model::ChangesetId& id,
                            std::vector<model::ChangeEntry> entries) override {
    return append(model::ChangesRecorded{id, std::move(entries)}.to_event());
  }
  base::Result<void> seal(const model::ChangesetId& id, const base::Sha256Digest& digest,
                          std::int64_t entries) override {
    return append(model::ChangesetSealed{id, digest, entries}.to_event());
  }
  base::Result<storage::ChangesetFacts> facts(const model::ChangesetId& id) override {
    return storage::ChangesetFacts{.id = id};
  }
  base::Result<std::vector<model::ChangeEntry>> entries(const model::ChangesetId& id) override {
    std::vector<model::ChangeEntry> found;
    for (const Entry& entry : changeset::entries(disk_, number_of(id))) {
      found.push_back({.path = std::to_string(entry.change), .sequence = entry.number});
    }
    return found;
  }

 private:
  base::Result<void> append(model::Event event) {
    storage::PlanAppender::Part part;
    part.events.push_back(std::move(event));
    CLEVER_TRY(appender_.append(std::move(part)));
    return {};
  }

  Disk& disk_;
  storage::PlanAppender appender_;
  base::Atomic<int> started_{0};  // counts, publishes nothing
};

Ours::Ours(Disk& disk) : disk_(disk), log_(std::make_unique<Log>(disk)) {}
Ours::~Ours() = default;

Ours::Handle Ours::start() {
  auto started = sandbox::Changeset::start(*log_, log_->next_id());
  return started.ok() ? std::make_shared<sandbox::Changeset>(std::move(*started)) : nullptr;
}

Recorded Ours::record(const Handle& mine, int change) {
  if (mine == nullptr) return Recorded::kRefused;
  model::ChangeEntry entry;
  entry.path = std::to_string(change);
  return mine->record({std::move(entry)}).ok() ? Recorded::kDone : Recorded::kRefused;
}

std::vector<Entry> Ours::entries(const Handle& changeset) const {
  if (changeset == nullptr) return {};
  return changeset::entries(disk_, number_of(changeset->id()));
}

}  // namespace clever::reports::changeset
