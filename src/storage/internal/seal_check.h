#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/tombstone.h"
#include "storage/engine.h"
#include "storage/row_verify.h"

namespace clever::storage::internal {

/// Compares rows with their seals, which reveal rows that were deleted or inserted by other means,
/// and with their own digests. Used by one thread.
class SealCheck {
 public:
  SealCheck(Engine& engine, const base::StopToken& stop, RowVerdict& verdict)
      : engine_(engine), stop_(stop), verdict_(verdict) {}

  /// Finds missing commands and traces of calls.
  base::Result<void> deleted_rows();
  /// Checks caps against their seals, and finds missing scopes.
  base::Result<void> budgets();
  /// Checks the limits of models, and the folders in which plans work.
  base::Result<void> digests();
  /// Checks tombstones against their chain, and the plans' shares against them.
  base::Result<void> tombstones();
  /// Finds leases of plans without a journal; call after tombstones().
  base::Result<void> leases();
  /// Checks who holds a plan, and which home has its files.
  base::Result<void> lease(Snapshot& view, const model::PlanId& plan);

  /// A row that has, or had, a seal.
  struct SealedRow {
    const char* table;
    std::int64_t id;
    const Value& digest;
    bool is_sealed;
    const Value& sealed_digest;
  };
  void sealed(const SealedRow& row);

 private:
  base::Result<void> deleted(const char* table, Sql gone);
  base::Result<void> shares(const model::Tombstone& stone);
  base::Result<void> read_stones();
  base::Result<void> buried(Snapshot& view, const model::PlanId& plan, std::int64_t epoch);
  void fault(std::string table, std::string row, std::string what);

  Engine& engine_;
  const base::StopToken& stop_;
  RowVerdict& verdict_;
  // Plans with a tombstone, and the epoch that it names.
  std::map<model::PlanId, std::int64_t> buried_;
};

}  // namespace clever::storage::internal
