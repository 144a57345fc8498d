#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/internal/commit_queue.h"
#include "storage/postgres/internal/connection.h"

namespace clever::storage::postgres {

/// Units that share a transaction, and what is known about them so far. Owned by one writer.
///
/// A unit runs with all others until it fails once. Then it is a suspect, and runs after the others
/// behind its own savepoint: only their expectations order units in flight together.
class Group {
 public:
  using Answer = base::Result<Receipt>;

  /// Answers at once the units that cannot be sent at all.
  explicit Group(std::vector<internal::Pending> units);

  [[nodiscard]] std::size_t size() const { return units_.size(); }
  [[nodiscard]] const UnitOfWork& unit(std::size_t index) const { return units_[index].unit; }
  /// Whether a unit must run alone; then its group does.
  [[nodiscard]] bool is_alone() const;
  [[nodiscard]] std::vector<std::size_t> trusted() const { return indexes(false); }
  [[nodiscard]] std::vector<std::size_t> suspects() const { return indexes(true); }
  void suspect(std::size_t index) { suspect_[index] = true; }
  /// After several rounds that each found another one.
  void suspect_all() { suspect_.assign(units_.size(), true); }

  void set_answer(std::size_t index, Answer answer) { answers_[index] = std::move(answer); }
  /// Whether any unit is to be committed.
  [[nodiscard]] bool any_succeeded() const;
  /// The topics of the units to be committed.
  [[nodiscard]] std::vector<std::string> topics() const;

  /// Answers every unit; the group is empty afterwards.
  void answer();
  void answer_all(const base::Error& error);
  /// Makes each unit a group of its own; this group is empty afterwards.
  [[nodiscard]] std::vector<Group> split();

 private:
  [[nodiscard]] std::vector<std::size_t> indexes(bool suspect) const;

  std::vector<internal::Pending> units_;
  std::vector<bool> suspect_;
  std::vector<std::optional<Answer>> answers_;
};

/// The result of a unit's statements: a receipt, or the refusal of the first statement that met
/// another number of rows than required. Takes unit.statements().size() outcomes from `first` on.
/// If there are fewer, the server refused the next statement with `failure`, which counts only if
/// no earlier statement is a refusal.
[[nodiscard]] Group::Answer judged(const UnitOfWork& unit, std::vector<Outcome>& outcomes,
                                   std::size_t first, const base::Error* failure = nullptr);

}  // namespace clever::storage::postgres
