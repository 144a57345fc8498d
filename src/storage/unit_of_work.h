#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "storage/statement.h"

namespace clever::storage {

/// The only way to write: statements that happen together or not at all, as a value. The caller
/// builds it and hands it to an Engine, which runs it among others; no caller ever holds a
/// transaction open.
///
/// Lost updates are impossible if a change names what it was made from: `require(1, conflict, "…
/// WHERE id = $1 AND version = $2", …)`. On PostgreSQL a row that a plain SELECT of a unit read may
/// change before the commit: guard it with a row that is changed, or lock it (FOR SHARE).
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
    return add(required(rows, otherwise, sql, std::forward<Parameters>(parameters)...));
  }

  std::size_t add(Statement statement) {
    statements_.insert(statements_.begin() + static_cast<std::ptrdiff_t>(early_),
                       std::move(statement));
    return early_++;
  }

  /// Adds a statement that changes a row shared by many units, and returns none. It runs after all
  /// others of the unit; an engine may run it after those of neighbouring units and send it with
  /// the commit, so that the row is locked as briefly as possible. Its Outcome only says whether
  /// the expectation held.
  void add_late(Statement statement) { statements_.push_back(std::move(statement)); }

  /// No other transaction runs beside the unit's, in any process: what it reads of others is
  /// complete. Every write waits for it, so use it only for rare operations of a person.
  void be_alone() { alone_ = true; }

  /// Wakes subscribers of `topic` after the commit, in this process and in others. A hint: it can
  /// come twice, and a subscriber must read to learn what changed.
  void notify(std::string topic) { topics_.push_back(std::move(topic)); }

  [[nodiscard]] bool empty() const { return statements_.empty(); }
  /// In the order in which they run.
  [[nodiscard]] const std::vector<Statement>& statements() const { return statements_; }
  /// How many of them run before the late ones.
  [[nodiscard]] std::size_t early() const { return early_; }
  [[nodiscard]] bool is_alone() const { return alone_; }
  [[nodiscard]] const std::vector<std::string>& topics() const { return topics_; }

 private:
  std::vector<Statement> statements_;
  std::size_t early_ = 0;
  bool alone_ = false;
  std::vector<std::string> topics_;
};

/// The results of a committed unit: one Outcome per statement, in order.
struct Receipt {
  std::vector<Outcome> outcomes;
};

}  // namespace clever::storage
