#pragma once
// Report #7333: the error history of one plan and its retry budget, as reported, as proposed, and a
// correct one. Each life of the process is one object; the Disk outlives it.

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "reports/environment.h"
#include "reports/python.h"

namespace clever::reports::error_recovery {

/// list.append() under the interpreter's lock: one step.
class AtomicAppend {
 public:
  void append(int error) { errors_.append(error); }
  [[nodiscard]] std::vector<int> errors() const { return errors_.items(); }

 private:
  python::List<int> errors_;
};

/// "errors = errors + [error]", or any append without an interpreter's lock: read, then write.
class UnsynchronisedAppend {
 public:
  UnsynchronisedAppend() { errors_.write(std::make_shared<std::vector<int>>()); }
  void append(int error) {
    auto longer = std::make_shared<std::vector<int>>(*errors_.read());
    longer->push_back(error);
    errors_.write(std::move(longer));
  }
  [[nodiscard]] std::vector<int> errors() const { return *errors_.read(); }

 private:
  python::Reference<std::vector<int>> errors_;
};

/// What went wrong in one plan, and how many retries it has had.
template <class Errors>
class History {
 public:
  History() { construction_work(); }
  void append(int error) { errors_.append(error); }
  [[nodiscard]] std::vector<int> errors() const { return errors_.errors(); }
  /// "How many so far?", then "may I?".
  bool take_retry(int budget) {
    const int taken = retries_.read();
    if (taken >= budget) return false;
    retries_.write(taken + 1);
    return true;
  }

 private:
  Errors errors_;
  python::Variable<int> retries_{0};
};

inline constexpr auto kPlan = "plan";

/// "if plan not in histories: histories[plan] = History()"
class Reported {
 public:
  Reported(Disk& /*disk*/, int budget) : budget_(budget) {}

  /// True if the caller may retry.
  bool record(int error) {
    if (!histories_.contains(kPlan)) {
      histories_.set(kPlan, std::make_shared<History<AtomicAppend>>());
    }
    const auto history = histories_.at(kPlan);
    history->append(error);
    return history->take_retry(budget_);
  }
  [[nodiscard]] std::vector<int> errors() const {
    const auto history = histories_.find(kPlan);
    return history ? (*history)->errors() : std::vector<int>{};
  }

 private:
  const int budget_;
  python::Dict<std::string, std::shared_ptr<History<AtomicAppend>>> histories_;
};

/// dict.setdefault, over either kind of append.
template <class Errors>
class ProposedOver {
 public:
  ProposedOver(Disk& /*disk*/, int budget) : budget_(budget) {}

  bool record(int error) {
    const auto history = histories_.setdefault(kPlan, std::make_shared<History<Errors>>());
    history->append(error);
    return history->take_retry(budget_);
  }
  [[nodiscard]] std::vector<int> errors() const {
    const auto history = histories_.find(kPlan);
    return history ? (*history)->errors() : std::vector<int>{};
  }

 private:
  const int budget_;
  python::Dict<std::string, std::shared_ptr<History<Errors>>> histories_;
};
using Proposed = ProposedOver<UnsynchronisedAppend>;
using ProposedAtomicAppend = ProposedOver<AtomicAppend>;

/// The error is stored and the retry spent in one step, on disk.
class Control {
 public:
  Control(Disk& disk, int budget) : disk_(disk), budget_(budget) {}
  bool record(int error);
  [[nodiscard]] std::vector<int> errors() const;

 private:
  Disk& disk_;
  const int budget_;
};

}  // namespace clever::reports::error_recovery
