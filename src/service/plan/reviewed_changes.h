#pragma once
// The changes of a plan that is to land, as they are reviewed, and what becomes of a part of them.
// Private to the module.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "diff/tree_diff.h"
#include "engine/sensitive_changes.h"
#include "plan/command.h"
#include "service/commands/plan.h"
#include "service/diff/choosable.h"
#include "service/report.h"

namespace clever::service {

/// What would land, open for looking. Used by one thread; refers to the plan's database.
class ReviewedChanges {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<ReviewedChanges>> open(const MeantPlan& plan,
                                                                           Context& context);

  [[nodiscard]] const std::vector<diff::FileDiff>& files() const { return diffs_; }
  [[nodiscard]] const std::vector<Choosable>& parts() const { return parts_; }
  /// The parts that a review left out; they refer into this.
  [[nodiscard]] base::Result<std::vector<Choosable>> dropped();
  [[nodiscard]] const engine::PlanFiles& plan_files() const { return plan_files_; }
  /// Those among `files` that a person should look at.
  [[nodiscard]] std::vector<engine::SensitiveChange> sensitive(
      const std::vector<diff::FileDiff>& files) const {
    return engine::sensitive_changes(plan_files_, files);
  }

  /// The tree with only these parts, and what it changes. `conflict` for a part that is not there.
  struct Part {
    git::ObjectId tree;
    std::vector<diff::FileDiff> files;
  };
  [[nodiscard]] base::Result<Part> only(const std::vector<std::string>& keep,
                                        const std::vector<plan::Choose::Edit>& edits);
  /// What a file holds with only these parts; "" if it would not be there.
  [[nodiscard]] base::Result<std::string> content(const diff::FileDiff& file,
                                                  const std::vector<std::string>& keep);

 private:
  ReviewedChanges(std::unique_ptr<PlanLook> look, engine::PlanFiles files, const plan::State& plan,
                  Context& context)
      : look_(std::move(look)), plan_files_(std::move(files)), plan_(plan), context_(context) {}

  const std::unique_ptr<PlanLook> look_;
  const engine::PlanFiles plan_files_;
  const plan::State plan_;
  Context& context_;
  std::vector<diff::FileDiff> diffs_;
  std::vector<diff::FileDiff> dropped_;
  std::vector<Choosable> parts_;
};

/// The two trees between which lies what a review left out: the one with what it left, and the one
/// before. `not_found` if nothing was.
struct LeftOut {
  git::ObjectId kept;
  git::ObjectId whole;
  /// Of the event that tells of it.
  std::int64_t sequence = 0;
};
[[nodiscard]] base::Result<LeftOut> left_out(const plan::State& plan);
/// The digest that was reviewed when it was left out; none if nothing was.
[[nodiscard]] base::Result<std::optional<base::Sha256Digest>> reviewed_before(const MeantPlan& plan,
                                                                              Context& context);

/// The plan with only a part of its changes, sealed under a digest of their own; or why it is not.
/// Concurrent equal requests get the same answer.
struct Narrowed {
  plan::State state{};
  /// Not what was asked for: for the person.
  std::optional<Report> stopped{};
};
[[nodiscard]] base::Result<Narrowed> narrow(const MeantPlan& plan, ReviewedChanges& changes,
                                            const std::vector<std::string>& keep,
                                            const std::vector<plan::Choose::Edit>& edits,
                                            Context& context);

}  // namespace clever::service
