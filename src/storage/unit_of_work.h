#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "storage/statement.h"

namespace clever::storage {

/// The only way to write: statements that happen together or not at all, as a value. Built by its
/// caller, handed to an Engine, executed there among others; nobody ever holds a transaction open.
///
/// Lost updates are impossible if a change names what it was made from: `require(1, conflict, "…
/// WHERE id = $1 AND version = $2", …)`. On PostgreSQL a plain SELECT in a unit does not keep what
/// it saw from changing before the commit: guard by a row that is changed, or lock it (FOR SHARE).
///
/// A value; not for use by two threads at once.
class UnitOfWork {
 public:
  /// Adds a statement. Returns the index of its Outcome in the Receipt.
  template <class... Parameters>
  std::size_t run(Sql sql, Parameters&&... parameters) {
    return add(statement(sql, std::forward<Parameters>(parameters)...));
  }

  /// Adds a statement that must meet exactly `rows` rows; else the whole unit is refused.
  template <class... Parameters>
  std::size_t require(std::size_t rows, Refusal otherwise, Sql sql, Parameters&&... parameters) {
    auto guarded = statement(sql, std::forward<Parameters>(parameters)...);
    guarded.expectation = Expectation{rows, otherwise};
    return add(std::move(guarded));
  }

  std::size_t add(Statement statement) {
    statements_.push_back(std::move(statement));
    return statements_.size() - 1;
  }

  /// After the commit those who watch `topic` are woken, in this process and in others. A hint: it
  /// can come twice, and must be answered by reading.
  void notify(std::string topic) { topics_.push_back(std::move(topic)); }

  [[nodiscard]] bool empty() const { return statements_.empty(); }
  [[nodiscard]] const std::vector<Statement>& statements() const { return statements_; }
  [[nodiscard]] const std::vector<std::string>& topics() const { return topics_; }

 private:
  std::vector<Statement> statements_;
  std::vector<std::string> topics_;
};

/// What a committed unit did: one Outcome per statement, in order.
struct Receipt {
  std::vector<Outcome> outcomes;
};

}  // namespace clever::storage
