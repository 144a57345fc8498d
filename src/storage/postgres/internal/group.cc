#include "storage/postgres/internal/group.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "storage/postgres/internal/topics.h"

namespace clever::storage::postgres {
namespace {

base::Result<void> check(const UnitOfWork& unit) {
  for (const Statement& statement : unit.statements()) {
    CLEVER_TRY(check_parameters(statement.parameters));
  }
  return {};
}

}  // namespace

Group::Group(std::vector<internal::Pending> units) {
  for (internal::Pending& pending : units) {
    if (auto checked = check(pending.unit); checked.ok()) {
      units_.push_back(std::move(pending));
    } else {
      pending.done(std::move(checked).error());
    }
  }
  suspect_.assign(units_.size(), false);
  answers_.resize(units_.size());
}

std::vector<std::size_t> Group::indexes(bool suspect) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (suspect_[i] == suspect) found.push_back(i);
  }
  return found;
}

bool Group::is_alone() const {
  return std::ranges::any_of(
      units_, [](const internal::Pending& pending) { return pending.unit.is_alone(); });
}

bool Group::any_succeeded() const {
  return std::ranges::any_of(answers_, [](const auto& answer) { return answer && answer->ok(); });
}

std::vector<std::string> Group::topics() const {
  std::vector<std::string> topics;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (!answers_[i] || !answers_[i]->ok()) continue;
    std::ranges::copy(units_[i].unit.topics(), std::back_inserter(topics));
  }
  return coalesced(std::move(topics));
}

void Group::answer() {
  for (std::size_t i = 0; i < units_.size(); ++i) units_[i].done(std::move(*answers_[i]));
  units_.clear();
}

void Group::answer_all(const base::Error& error) {
  for (internal::Pending& pending : units_) pending.done(error);
  units_.clear();
}

std::vector<Group> Group::split() {
  std::vector<Group> groups;
  for (internal::Pending& pending : units_) {
    std::vector<internal::Pending> alone;
    alone.push_back(std::move(pending));
    groups.emplace_back(std::move(alone));
  }
  units_.clear();
  return groups;
}

Group::Answer judged(const UnitOfWork& unit, std::vector<Outcome>& outcomes, std::size_t first,
                     const base::Error* failure) {
  Receipt receipt;
  receipt.outcomes.reserve(unit.statements().size());
  for (const Statement& statement : unit.statements()) {
    if (failure != nullptr && first >= outcomes.size()) return *failure;
    Outcome& outcome = outcomes[first++];
    const auto& expected = statement.expectation;
    if (expected && expected->rows != outcome.count) {
      return base::Error(expected->otherwise.code, std::string(expected->otherwise.message));
    }
    receipt.outcomes.push_back(std::move(outcome));
  }
  return receipt;
}

}  // namespace clever::storage::postgres
