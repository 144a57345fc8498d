#pragma once
#include "storage/engine.h"
#include "storage/postgres/internal/reader_pool.h"

namespace clever::storage::postgres {

/// One read: a read-only transaction that sees one moment. It begins with the first query (one
/// round trip) and ends without waiting for the answer. Used by one thread.
///
/// Silently replaces a connection that is dead at the first query; if it dies later the moment is
/// lost, and queries are `unavailable`.
class PostgresSnapshot final : public Snapshot {
 public:
  PostgresSnapshot(const Connector& connector, ReaderPool::Reader& reader, const Patience& patience)
      : connector_(connector), reader_(reader), patience_(patience) {}
  ~PostgresSnapshot() override;
  PostgresSnapshot(const PostgresSnapshot&) = delete;
  PostgresSnapshot& operator=(const PostgresSnapshot&) = delete;

  using Snapshot::query;
  base::Result<Rows> query(const Statement& statement) override;

 private:
  [[nodiscard]] Answers begin(const Statement& statement);
  [[nodiscard]] Answers ask(const Statement& statement);
  [[nodiscard]] base::Result<void> ensure_connection();

  const Connector& connector_;
  ReaderPool::Reader& reader_;
  const Patience& patience_;
  bool begun_ = false;
};

}  // namespace clever::storage::postgres
