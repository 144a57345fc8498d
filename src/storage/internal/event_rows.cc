#include "storage/internal/event_rows.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "storage/keys.h"

namespace clever::storage::internal {
namespace {

constexpr Sql kReadEvents =
    "SELECT sequence, epoch, time, kind, version, data, hash, position FROM event "
    "WHERE plan = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3";

constexpr Sql kReadAllEvents =
    "SELECT sequence, epoch, time, kind, version, data, hash, position, plan FROM event "
    "WHERE position > $1 ORDER BY position LIMIT $2";

model::StoredEvent event_of(const model::PlanId& plan, const Row& row) {
  return {.plan = plan,
          .sequence = row.integer(0),
          .epoch = row.integer(1),
          .time = model::to_timestamp(row.integer(2)),
          .kind = row.text(3),
          .version = row.integer(4),
          .data = row.blob(5),
          .hash = digest_of(row.blob(6)),
          .position = row.integer(7)};
}

constexpr std::size_t kColumns = 8;
constexpr std::size_t kMostRows = 8;
constexpr std::string_view kInsert =
    "INSERT INTO event (plan, sequence, kind, version, epoch, time, data, hash) VALUES ";

// "($1, $2, …), ($9, …": one statement for all events of an append, because a statement costs about
// the same for one row as for many.
template <std::size_t kRows>
consteval auto insert_text() {
  static_assert(kRows * kColumns < 100, "a number has at most two digits");
  std::array<char, kInsert.size() + kRows*(kColumns * 5 + 2)> text{};
  auto end = std::ranges::copy(kInsert, text.begin()).out;
  for (std::size_t number = 1; number <= kRows * kColumns; ++number) {
    const bool first = number % kColumns == 1;
    const std::string_view before = first ? (number == 1 ? "($" : ", ($") : ", $";
    end = std::ranges::copy(before, end).out;
    if (number >= 10) *end++ = static_cast<char>('0' + number / 10);
    *end++ = static_cast<char>('0' + number % 10);
    if (number % kColumns == 0) *end++ = ')';
  }
  return text;
}
template <std::size_t kRows>
constexpr auto kInsertText = insert_text<kRows>();

template <std::size_t... kRows>
consteval std::array<Sql, sizeof...(kRows)> insert_statements(std::index_sequence<kRows...>) {
  return {Sql(kInsertText<kRows + 1>.data())...};
}
constexpr auto kInserts = insert_statements(std::make_index_sequence<kMostRows>());

void add_values(Statement& insert, model::StoredEvent event) {
  const auto add = [&](auto&& value) {
    insert.parameters.push_back(to_value(std::forward<decltype(value)>(value)));
  };
  add(to_blob(event.plan));
  add(event.sequence);
  add(std::move(event.kind));
  add(event.version);
  add(event.epoch);
  add(model::to_microseconds(event.time));
  add(Blob{std::move(event.data)});
  add(to_blob(event.hash));
}

}  // namespace

base::Result<std::vector<model::StoredEvent>> read_events(Snapshot& view, const model::PlanId& plan,
                                                          std::int64_t from, std::size_t limit) {
  CLEVER_ASSIGN(const Rows rows, view.query(kReadEvents, to_blob(plan), from, limit));
  std::vector<model::StoredEvent> events;
  events.reserve(rows.size());
  for (const Row& row : rows) events.push_back(event_of(plan, row));
  return events;
}

base::Result<std::vector<model::StoredEvent>> read_all_events(Snapshot& view, std::int64_t after,
                                                              std::size_t limit) {
  CLEVER_ASSIGN(const Rows rows, view.query(kReadAllEvents, after, limit));
  std::vector<model::StoredEvent> events;
  events.reserve(rows.size());
  for (const Row& row : rows) events.push_back(event_of(id_of<model::PlanId>(row.blob(8)), row));
  return events;
}

base::Result<JournalState> read_state(Snapshot& view, const model::PlanId& plan) {
  CLEVER_ASSIGN(
      const Rows rows,
      view.query("SELECT sequence, hash, epoch FROM journal WHERE plan = $1", to_blob(plan)));
  if (rows.empty()) return base::not_found("there is no plan " + plan.to_string());
  return JournalState{{rows[0].integer(0), digest_of(rows[0].blob(1))}, rows[0].integer(2)};
}

void insert_events(UnitOfWork& unit, std::vector<model::StoredEvent> events) {
  for (std::size_t first = 0; first < events.size(); first += kMostRows) {
    const std::size_t count = std::min(kMostRows, events.size() - first);
    Statement insert{kInserts[count - 1]};
    insert.parameters.reserve(count * kColumns);
    for (std::size_t i = 0; i < count; ++i) add_values(insert, std::move(events[first + i]));
    unit.add(std::move(insert));
  }
}

}  // namespace clever::storage::internal
