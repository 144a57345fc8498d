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
    return add(required(rows, otherwise, sql, std::forward<Parameters>(parameters)...));
  }

  std::size_t add(Statement statement) {
    statements_.insert(statements_.begin() + static_cast<std::ptrdiff_t>(early_),
                       std::move(statement));
    return early_++;
  }

  /// Adds a statement that changes a row which many units change, and returns none. It runs behind
  /// all others of the unit; an engine may put it behind those of the units beside it, and send it
  /// with the commit, so that the row is locked as shortly as can be. Of its Outcome only what was
  /// expected is told.
  void add_late(Statement statement) { statements_.push_back(std::move(statement)); }

  /// No other transaction is under way while the unit's is, in any process: what it reads of others
  /// is all there is. Every write waits for it, so it is for what people do now and then.
  void be_alone() { alone_ = true; }

  /// After the commit those who watch `topic` are woken, in this process and in others. A hint: it
  /// can come twice, and must be answered by reading.
  void notify(std::string topic) { topics_.push_back(std::move(topic)); }

  [[nodiscard]] bool empty() const { return statements_.empty(); }
  /// In the order in which they run.
  [[nodiscard]] const std::vector<Statement>& statements() const { return statements_; }
  /// How many of them come before the late ones.
  [[nodiscard]] std::size_t early() const { return early_; }
  [[nodiscard]] bool is_alone() const { return alone_; }
  [[nodiscard]] const std::vector<std::string>& topics() const { return topics_; }

 private:
  std::vector<Statement> statements_;
  std::size_t early_ = 0;
  bool alone_ = false;
  std::vector<std::string> topics_;
};

/// What a committed unit did: one Outcome per statement, in order.
struct Receipt {
  std::vector<Outcome> outcomes;
};

}  // namespace clever::storage
