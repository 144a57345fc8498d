#include "reports/report.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace clever::reports {

void Book::add(const std::string& model, std::vector<Property> properties,
               std::initializer_list<std::string_view> breaks) {
  for (const std::string_view name : breaks) {
    CLEVER_CHECK(std::ranges::count(properties, name, &Property::name) == 1,
                 "a model cannot break what is no property: " + std::string(name));
  }
  for (Property& property : properties) {
    const bool broken = std::ranges::find(breaks, property.name) != breaks.end();
    rows_.push_back({report_, subject_, model, std::move(property), broken});
  }
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const Book& book :
       {registry_book(), breaker_book(), batch_book(), engine_cache_book(), error_recovery_book(),
        changeset_book(), counter_book(), container_book()}) {
    rows.insert(rows.end(), book.rows().begin(), book.rows().end());
  }
  return rows;
}

}  // namespace clever::reports
