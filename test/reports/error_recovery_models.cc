#include "reports/error_recovery_models.h"

#include <algorithm>

namespace clever::reports::error_recovery {

bool Control::record(int error) {
  bool granted = false;
  const bool stored = disk_.transact([&](std::vector<Record>& records) {
    const auto spent = std::ranges::count(records, "retry", &Record::kind);
    granted = spent < budget_;
    records.push_back({.kind = "error", .value = error});
    if (granted) records.push_back({.kind = "retry", .value = error});
  });
  return stored && granted;
}

std::vector<int> Control::errors() const {
  std::vector<int> errors;
  for (const Record& record : disk_.records()) {
    if (record.kind == "error") errors.push_back(record.value);
  }
  return errors;
}

}  // namespace clever::reports::error_recovery
