#include "storage/bodies.h"

#include <unordered_map>

#include "storage/keys.h"

namespace clever::storage {
namespace {

constexpr Sql kPut =
    "INSERT INTO body (hash, content) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";

constexpr Sql kMany{
    "SELECT hash, content FROM body "
    "WHERE hash IN (SELECT unhex(value) FROM json_each($1))",
    "SELECT hash, content FROM body WHERE hash IN "
    "(SELECT decode(value, 'hex') FROM json_array_elements_text(CAST($1 AS json)))"};

constexpr std::size_t kRemovedAtOnce = 256;

constexpr Sql kUnused =
    "SELECT id FROM body WHERE id > $1 "
    "AND NOT EXISTS (SELECT 1 FROM body_use WHERE body_use.hash = body.hash) "
    "ORDER BY id LIMIT $2";

// Waits for the transactions that have stored a content or a use of one, and keeps new ones
// waiting: an append that found its content there must not lose it before it says that it uses it.
constexpr Sql kStandStill{"SELECT 1", "LOCK TABLE body, body_use IN SHARE ROW EXCLUSIVE MODE"};

constexpr Sql kRemove{
    "DELETE FROM body WHERE id IN (SELECT value FROM json_each($1)) "
    "AND NOT EXISTS (SELECT 1 FROM body_use WHERE body_use.hash = body.hash) "
    "RETURNING length(content)",
    "DELETE FROM body WHERE id = ANY($1::bigint[]) "
    "AND NOT EXISTS (SELECT 1 FROM body_use WHERE body_use.hash = body.hash) "
    "RETURNING length(content)"};

base::Result<IntegerList> unused_after(Engine& engine, std::int64_t after,
                                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows, engine.query(statement(kUnused, after, kRemovedAtOnce), stop));
  IntegerList ids;
  for (const Row& row : rows) ids.values.push_back(row.integer(0));
  return ids;
}

std::string as_json(std::span<const base::Sha256Digest> hashes) {
  std::string list = "[";
  for (const base::Sha256Digest& hash : hashes) {
    if (list.size() > 1) list += ',';
    list += '"' + hash.to_hex() + '"';
  }
  return list + "]";
}

base::Error missing(const base::Sha256Digest& hash) {
  return base::not_found("no content with the hash " + hash.to_hex() + " is stored");
}

}  // namespace

Body Body::of(std::string content) {
  const base::Sha256Digest hash = base::sha256(content);
  return {hash, std::move(content)};
}

void Bodies::put(UnitOfWork& unit, Body body) {
  unit.run(kPut, to_blob(body.hash), Blob{std::move(body.content)});
}

base::Result<std::string> Bodies::content(const base::Sha256Digest& hash,
                                          const base::StopToken& stop,
                                          base::Deadline deadline) const {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement("SELECT content FROM body WHERE hash = $1", to_blob(hash)),
                              stop, deadline));
  if (rows.empty()) return missing(hash);
  return rows[0].blob(0);
}

base::Result<std::vector<Body>> Bodies::contents(std::span<const base::Sha256Digest> hashes,
                                                 const base::StopToken& stop,
                                                 base::Deadline deadline) const {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kMany, as_json(hashes)), stop, deadline));
  std::unordered_map<base::Sha256Digest, std::size_t> index;
  for (std::size_t i = 0; i < rows.size(); ++i) index.emplace(digest_of(rows[i].blob(0)), i);
  std::vector<Body> result;
  result.reserve(hashes.size());
  for (const base::Sha256Digest& hash : hashes) {
    const auto found = index.find(hash);
    if (found == index.end()) return missing(hash);
    result.push_back({hash, rows[found->second].blob(1)});
  }
  return result;
}

base::Result<Bodies::Removed> Bodies::remove_unused(const Progress& progress,
                                                    const base::StopToken& stop) {
  Removed removed;
  std::int64_t last = 0;
  while (true) {
    if (stop.stop_requested()) return base::cancelled("stopped while removing unused contents");
    progress("removing unused contents", removed.bodies, 0);
    CLEVER_ASSIGN(IntegerList ids, unused_after(engine_, last, stop));
    if (ids.values.empty()) return removed;
    last = ids.values.back();
    UnitOfWork unit;
    unit.run(kStandStill);
    const std::size_t deletion = unit.run(kRemove, std::move(ids));
    CLEVER_ASSIGN(const Receipt receipt, engine_.commit(std::move(unit), stop));
    for (const Row& row : receipt.outcomes[deletion].rows) {
      ++removed.bodies;
      removed.bytes += static_cast<std::uint64_t>(row.integer(0));
    }
  }
}

}  // namespace clever::storage
