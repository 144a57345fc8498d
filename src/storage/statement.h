#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "storage/rows.h"
#include "storage/sql.h"
#include "storage/value.h"

namespace clever::storage {

/// The error for a statement that met another number of rows than required. The text is known at
/// compile time; the caller adds which plan or job it was as context.
struct Refusal {
  consteval Refusal(base::ErrorCode why, const char* text) : code(why), message(text) {}

  base::ErrorCode code;
  std::string_view message;
};

/// Exactly `rows` rows must be changed (or returned, by a statement that returns rows); otherwise
/// nothing of the unit of work happens.
struct Expectation {
  std::size_t rows;
  Refusal otherwise;
};

/// A statement with its parameters. A value.
struct Statement {
  Sql sql;
  std::vector<Value> parameters{};
  std::optional<Expectation> expectation{};
};

template <class... Parameters>
[[nodiscard]] Statement statement(Sql sql, Parameters&&... parameters) {
  Statement result{sql};
  result.parameters.reserve(sizeof...(parameters));
  (result.parameters.push_back(to_value(std::forward<Parameters>(parameters))), ...);
  return result;
}

/// A statement that must meet exactly `rows` rows.
template <class... Parameters>
[[nodiscard]] Statement required(std::size_t rows, Refusal otherwise, Sql sql,
                                 Parameters&&... parameters) {
  auto guarded = statement(sql, std::forward<Parameters>(parameters)...);
  guarded.expectation = Expectation{rows, otherwise};
  return guarded;
}

/// The result of a statement.
struct Outcome {
  /// Rows changed; for a statement that returns rows, their number.
  std::size_t count = 0;
  Rows rows{};
};

}  // namespace clever::storage
