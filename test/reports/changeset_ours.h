#pragma once
// Report #7120: the product's changesets, held to the models' properties. The journal is the
// models' disk; handles, numbering and the sharing of writes are the product's.

#include <memory>

#include "reports/changeset_models.h"
#include "sandbox/changeset.h"
#include "storage/plan_appender.h"

namespace clever::reports::changeset {

class Ours {
 public:
  using Handle = std::shared_ptr<sandbox::Changeset>;
  explicit Ours(Disk& disk);
  ~Ours();

  Handle start();
  Recorded record(const Handle& mine, int change);
  /// There is no latest one to record into.
  Recorded record_into_latest(int /*change*/) { return Recorded::kRefused; }
  [[nodiscard]] std::vector<Entry> entries(const Handle& changeset) const;

 private:
  class Log;
  Disk& disk_;
  std::unique_ptr<Log> log_;
};

}  // namespace clever::reports::changeset
