#include "storage/model_calls.h"

#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

constexpr Sql kRecordCall =
    "INSERT INTO model_call (plan, decision, effect, provider, model, started, latency, "
    "first_byte, waited, retries, input_tokens, output_tokens, cache_read_tokens, "
    "cache_write_tokens, cost, error, attributes, digest) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, "
    "$9, $10, $11, $12, $13, $14, $15, $16, $17, $18)";

// Runs right after the insert, in the same transaction, so the newest id is that row's.
constexpr Sql kSealCall{
    "INSERT INTO seal (source, number, digest) SELECT 'model_call', max(id), $1 FROM model_call",
    "INSERT INTO seal (source, number, digest) "
    "VALUES ('model_call', currval(pg_get_serial_sequence('model_call', 'id')), $1)"};

constexpr Sql kAllCalls =
    "SELECT plan, decision, effect, provider, model, started, latency, first_byte, waited, "
    "retries, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost, error, "
    "attributes FROM model_call WHERE (provider = $1 OR $1 = '') ORDER BY id DESC LIMIT $2";
constexpr Sql kCallsOfPlan =
    "SELECT plan, decision, effect, provider, model, started, latency, first_byte, waited, "
    "retries, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost, error, "
    "attributes FROM model_call WHERE plan = $3 AND (provider = $1 OR $1 = '') "
    "ORDER BY id DESC LIMIT $2";

template <class Id>
Id id_or_none(const Row& row, std::size_t column) {
  return row.is_null(column) ? Id() : id_of<Id>(row.blob(column));
}

std::optional<std::int64_t> integer_or_none(const Row& row, std::size_t column) {
  if (row.is_null(column)) return std::nullopt;
  return row.integer(column);
}

ModelCallRecord call_of(const Row& row) {
  ModelCallRecord call{.plan = id_or_none<model::PlanId>(row, 0),
                       .decision = id_or_none<model::DecisionId>(row, 1),
                       .effect = id_or_none<model::EffectId>(row, 2),
                       .provider = row.text(3),
                       .model = row.text(4),
                       .started = model::to_timestamp(row.integer(5)),
                       .latency = std::chrono::microseconds(row.integer(6)),
                       .waited = std::chrono::microseconds(row.integer(8)),
                       .retries = row.integer(9),
                       .input_tokens = row.integer(10),
                       .output_tokens = row.integer(11),
                       .cache_read_tokens = row.integer(12),
                       .cache_write_tokens = row.integer(13),
                       .cost = integer_or_none(row, 14),
                       .error = row.is_null(15) ? "" : row.text(15),
                       .attributes = row.text(16)};
  if (const auto first = integer_or_none(row, 7)) {
    call.first_byte = std::chrono::microseconds(*first);
  }
  return call;
}

Value or_null(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value(Null{});
}

}  // namespace

std::vector<Statement> ModelCalls::record(const ModelCallRecord& call) {
  const std::optional<std::int64_t> first_byte =
      call.first_byte ? std::optional(call.first_byte->count()) : std::nullopt;
  Statement row = statement(
      kRecordCall, to_blob_or_null(call.plan), to_blob_or_null(call.decision),
      to_blob_or_null(call.effect), call.provider, call.model, model::to_microseconds(call.started),
      call.latency.count(), or_null(first_byte), call.waited.count(), call.retries,
      call.input_tokens, call.output_tokens, call.cache_read_tokens, call.cache_write_tokens,
      or_null(call.cost), call.error.empty() ? Value(Null{}) : Value(call.error), call.attributes);
  const Blob digest = row_digest(row.parameters);
  row.parameters.emplace_back(digest);
  return {std::move(row), statement(kSealCall, digest)};
}

void ModelCalls::add(UnitOfWork& unit, const ModelCallRecord& call) {
  for (Statement& part : record(call)) unit.add(std::move(part));
}

base::Result<std::vector<ModelCallRecord>> ModelCalls::list(const Filter& filter,
                                                            const base::StopToken& stop,
                                                            base::Deadline deadline) {
  const Statement look =
      filter.plan ? statement(kCallsOfPlan, filter.provider, filter.limit, to_blob(filter.plan))
                  : statement(kAllCalls, filter.provider, filter.limit);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<ModelCallRecord> calls;
  for (const Row& row : rows) calls.push_back(call_of(row));
  return calls;
}

}  // namespace clever::storage
