#include "reports/changeset_models.h"

#include <algorithm>

namespace clever::reports::changeset {
namespace {

int next_changeset(const std::vector<Record>& records) {
  return 1 + static_cast<int>(std::ranges::count(records, "changeset", &Record::kind));
}

int entries_of(const std::vector<Record>& records, int changeset) {
  return static_cast<int>(std::ranges::count_if(records, [&](const Record& record) {
    return record.kind == "entry" && record.owner == changeset;
  }));
}

}  // namespace

std::vector<Entry> entries(const Disk& disk, int changeset) {
  std::vector<Entry> found;
  for (const Record& record : disk.records()) {
    if (record.kind == "entry" && record.owner == changeset) {
      found.push_back({record.value, record.number});
    }
  }
  return found;
}

int orphans(const Disk& disk) {
  const auto records = disk.records();
  return static_cast<int>(std::ranges::count(records, "changeset", &Record::kind) -
                          std::ranges::count(records, "listed", &Record::kind));
}

int Reported::start() {
  int changeset = 0;
  disk_.transact([&](std::vector<Record>& records) {
    changeset = next_changeset(records);
    records.push_back({.kind = "changeset", .owner = changeset});
  });
  started_.append(changeset);
  disk_.write({.kind = "listed", .owner = changeset});
  return changeset;
}

Recorded Reported::record_into_latest(int change) {
  if (disk_.records().empty()) return Recorded::kRefused;
  const auto latest = started_.last();
  if (!latest) return Recorded::kIndexError;
  const int number = 1 + static_cast<int>(disk_.count("entry", *latest));
  disk_.write({.kind = "entry", .owner = *latest, .value = change, .number = number});
  return Recorded::kDone;
}

int Control::start() {
  int changeset = 0;
  disk_.transact([&](std::vector<Record>& records) {
    changeset = next_changeset(records);
    records.push_back({.kind = "changeset", .owner = changeset});
    records.push_back({.kind = "listed", .owner = changeset});
  });
  return changeset;
}

Recorded Control::record(Handle mine, int change) {
  const bool stored = disk_.transact([&](std::vector<Record>& records) {
    const int number = 1 + entries_of(records, mine);
    records.push_back({.kind = "entry", .owner = mine, .value = change, .number = number});
  });
  return stored ? Recorded::kDone : Recorded::kRefused;
}

}  // namespace clever::reports::changeset
