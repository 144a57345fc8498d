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

/// Compares rows with their seals, which show one that was deleted or put in by other means, and
/// with the digests that they carry. Used by one thread.
class SealCheck {
 public:
  SealCheck(Engine& engine, const base::StopToken& stop, RowVerdict& verdict)
      : engine_(engine), stop_(stop), verdict_(verdict) {}

  /// Commands and traces of calls that are gone.
  base::Result<void> deleted_rows();
  /// Caps with their seals, and scopes that are gone.
  base::Result<void> budgets();
  /// Limits of models, and folders in which plans work.
  base::Result<void> digests();
  /// Tombstones with their chain, and what they say of the plans' shares.
  base::Result<void> tombstones();
  /// Leases of plans that have no journal; after tombstones().
  base::Result<void> leases();
  /// Who holds a plan, and which home has its files.
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
  // The plans that have a tombstone, with the epoch it names.
  std::map<model::PlanId, std::int64_t> buried_;
};

}  // namespace clever::storage::internal
