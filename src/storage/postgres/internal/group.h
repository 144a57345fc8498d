#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/internal/commit_queue.h"
#include "storage/postgres/internal/connection.h"

namespace clever::storage::postgres {

/// Units that share a transaction, and what is known of them so far. Owned by one writer.
///
/// A unit is run with all the others until it fails once; from then on it is a suspect, and runs
/// after the others behind a savepoint of its own: units in flight together have no order but what
/// their expectations say.
class Group {
 public:
  using Answer = base::Result<Receipt>;

  /// Units that cannot be sent at all are answered here.
  explicit Group(std::vector<internal::Pending> units);

  [[nodiscard]] std::size_t size() const { return units_.size(); }
  [[nodiscard]] const UnitOfWork& unit(std::size_t index) const { return units_[index].unit; }
  /// Whether one of the units wants to be alone: then its group is.
  [[nodiscard]] bool is_alone() const;
  [[nodiscard]] std::vector<std::size_t> trusted() const { return indexes(false); }
  [[nodiscard]] std::vector<std::size_t> suspects() const { return indexes(true); }
  void suspect(std::size_t index) { suspect_[index] = true; }
  /// After several rounds that each found another one.
  void suspect_all() { suspect_.assign(units_.size(), true); }

  void set_answer(std::size_t index, Answer answer) { answers_[index] = std::move(answer); }
  /// Whether any unit is to be committed.
  [[nodiscard]] bool any_succeeded() const;
  /// Of the units that are to be committed.
  [[nodiscard]] std::vector<std::string> topics() const;

  /// Tells everybody, and is empty afterwards.
  void answer();
  void answer_all(const base::Error& error);
  /// Each unit as a group of its own; this one is empty afterwards.
  [[nodiscard]] std::vector<Group> split();

 private:
  [[nodiscard]] std::vector<std::size_t> indexes(bool suspect) const;

  std::vector<internal::Pending> units_;
  std::vector<bool> suspect_;
  std::vector<std::optional<Answer>> answers_;
};

/// What the outcomes of a unit's statements come to: a receipt, or the refusal of the first
/// statement that met another number of rows than it must. Takes unit.statements().size() outcomes
/// from `first` on; if there are fewer, the server refused the next statement with `failure`, which
/// counts only if nothing before it is a refusal.
[[nodiscard]] Group::Answer judged(const UnitOfWork& unit, std::vector<Outcome>& outcomes,
                                   std::size_t first, const base::Error* failure = nullptr);

}  // namespace clever::storage::postgres
