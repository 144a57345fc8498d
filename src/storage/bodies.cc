#include "storage/bodies.h"

#include <unordered_map>

#include "storage/keys.h"

namespace clever::storage {
namespace {

constexpr Sql kPutBody =
    "INSERT INTO body (hash, content) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";

// Every reader of a small content holds a copy of it, so any copy will do. An empty copy has
// expired (retention.h).
constexpr Sql kPutUnlessHeld =
    "INSERT INTO body (hash, content) SELECT $1, $2 WHERE NOT EXISTS "
    "(SELECT 1 FROM event_body WHERE hash = $1 AND length(content) > 0) "
    "ON CONFLICT (hash) DO NOTHING";

constexpr Sql kUseBody =
    "INSERT INTO event_body (plan, sequence, hash, content) VALUES ($1, $2, $3, $4)";

// A content stored earlier: it is in `body`, or another event holds it.
constexpr Sql kUseStored =
    "INSERT INTO event_body (plan, sequence, hash, content) SELECT $1, $2, $3, stored.content FROM "
    "(SELECT NULL AS content FROM body WHERE hash = $3 UNION ALL "
    "SELECT content FROM event_body WHERE hash = $3 AND length(content) > 0) stored LIMIT 1";
constexpr Refusal kNotStored{base::ErrorCode::kInvalidArgument,
                             "an event names a content that is not stored"};

constexpr Sql kFindBody =
    "SELECT content FROM body WHERE hash = $1 UNION ALL "
    "SELECT content FROM event_body WHERE hash = $1 AND length(content) > 0 LIMIT 1";

constexpr Sql kFindBodies{
    "SELECT wanted.hash, COALESCE((SELECT b.content FROM body b WHERE b.hash = wanted.hash), "
    "(SELECT e.content FROM event_body e WHERE e.hash = wanted.hash AND length(e.content) > 0 "
    "LIMIT 1)) FROM (SELECT DISTINCT unhex(value) AS hash FROM json_each($1)) wanted",
    "SELECT wanted.hash, COALESCE((SELECT b.content FROM body b WHERE b.hash = wanted.hash), "
    "(SELECT e.content FROM event_body e WHERE e.hash = wanted.hash AND length(e.content) > 0 "
    "LIMIT 1)) FROM (SELECT DISTINCT decode(value, 'hex') AS hash "
    "FROM json_array_elements_text(CAST($1 AS json))) wanted"};

constexpr std::size_t kRemovedAtOnce = 256;

constexpr Sql kUnusedBodies =
    "SELECT id FROM body WHERE id > $1 "
    "AND NOT EXISTS (SELECT 1 FROM event_body e WHERE e.hash = body.hash AND e.content IS NULL) "
    "ORDER BY id LIMIT $2";

// Waits for transactions that have stored a content or a use of one, and blocks new ones: an append
// that found its content present must not lose it before it records its use.
constexpr Sql kStandStill{"SELECT 1", "LOCK TABLE body, event_body IN SHARE ROW EXCLUSIVE MODE"};

constexpr Sql kRemoveBodies{
    "DELETE FROM body WHERE id IN (SELECT value FROM json_each($1)) "
    "AND NOT EXISTS (SELECT 1 FROM event_body e WHERE e.hash = body.hash AND e.content IS NULL) "
    "RETURNING length(content)",
    "DELETE FROM body WHERE id = ANY($1::bigint[]) "
    "AND NOT EXISTS (SELECT 1 FROM event_body e WHERE e.hash = body.hash AND e.content IS NULL) "
    "RETURNING length(content)"};

base::Result<IntegerList> unused_after(Engine& engine, std::int64_t after,
                                       const base::StopToken& stop) {
  CLEVER_ASSIGN(const Rows rows,
                engine.query(statement(kUnusedBodies, after, kRemovedAtOnce), stop));
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
  unit.run(kPutBody, to_blob(body.hash), Blob{std::move(body.content)});
}

void Bodies::put_unless_held(UnitOfWork& unit, Body body) {
  unit.run(kPutUnlessHeld, to_blob(body.hash), Blob{std::move(body.content)});
}

void Bodies::use(UnitOfWork& unit, const model::PlanId& plan, std::int64_t sequence,
                 const base::Sha256Digest& hash, const Body* brought) {
  static const Body kEmpty = Body::of({});
  if (brought == nullptr && hash == kEmpty.hash) brought = &kEmpty;
  if (brought == nullptr) {
    unit.require(1, kNotStored, kUseStored, to_blob(plan), sequence, to_blob(hash));
    return;
  }
  const Value content = is_small(*brought) ? Value(Blob{brought->content}) : Value(Null{});
  unit.run(kUseBody, to_blob(plan), sequence, to_blob(hash), content);
}

base::Result<std::string> Bodies::content(const base::Sha256Digest& hash,
                                          const base::StopToken& stop,
                                          base::Deadline deadline) const {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kFindBody, to_blob(hash)), stop, deadline));
  if (rows.empty() && hash == base::sha256("")) return std::string();
  if (rows.empty()) return missing(hash);
  return rows[0].blob(0);
}

base::Result<std::vector<Body>> Bodies::contents(std::span<const base::Sha256Digest> hashes,
                                                 const base::StopToken& stop,
                                                 base::Deadline deadline) const {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kFindBodies, as_json(hashes)), stop, deadline));
  std::unordered_map<base::Sha256Digest, std::size_t> index;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_null(1)) index.emplace(digest_of(rows[i].blob(0)), i);
  }
  std::vector<Body> result;
  result.reserve(hashes.size());
  for (const base::Sha256Digest& hash : hashes) {
    const auto found = index.find(hash);
    if (found == index.end() && hash == base::sha256("")) {
      result.push_back({hash, {}});
      continue;
    }
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
    const std::size_t deletion = unit.run(kRemoveBodies, std::move(ids));
    CLEVER_ASSIGN(const Receipt receipt, engine_.commit(std::move(unit), stop));
    for (const Row& row : receipt.outcomes[deletion].rows) {
      ++removed.bodies;
      removed.bytes += static_cast<std::uint64_t>(row.integer(0));
    }
  }
}

}  // namespace clever::storage
