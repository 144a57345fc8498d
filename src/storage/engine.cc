#include "storage/engine.h"

namespace clever::storage {

base::Result<Rows> Engine::query(const Statement& statement, const base::StopToken& stop,
                                 base::Deadline deadline) {
  Rows rows;
  const auto one_statement = [&](Snapshot& snapshot) -> base::Result<void> {
    CLEVER_ASSIGN(rows, snapshot.query(statement));
    return {};
  };
  CLEVER_TRY(read(one_statement, stop, deadline));
  return rows;
}

}  // namespace clever::storage
