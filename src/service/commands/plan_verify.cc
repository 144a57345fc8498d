#include <algorithm>

#include "model/change.h"
#include "plan/decide.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "storage/changesets.h"
#include "storage/effects.h"
#include "storage/journal_verify.h"

namespace clever::service {
namespace {

/// What was looked at, and all that is wrong with it.
struct PlanFindings {
  std::uint64_t plans = 0;
  std::uint64_t events = 0;
  std::uint64_t changesets = 0;
  std::uint64_t open_effects = 0;
  std::vector<std::string> chain{};
  std::vector<std::string> fold{};
  std::vector<std::string> digests{};
  std::vector<std::string> effects{};

  [[nodiscard]] bool sound() const {
    return chain.empty() && fold.empty() && digests.empty() && effects.empty();
  }
};

class Verification {
 public:
  Verification(const PlanDatabase& database, Context& context)
      : database_(database), context_(context) {}

  base::Result<void> look_at(const storage::PlanSummary& plan) {
    ++found_.plans;
    prefix_ = "plan " + plan.id.to_string() + ": ";
    CLEVER_TRY(check_chain(plan));
    CLEVER_TRY(check_digests(plan));
    const auto state = database_.state(plan.id);
    if (!state.ok()) {
      found_.fold.push_back(prefix_ + state.error().sentence());
      return {};
    }
    check_fold(plan, *state);
    return check_effects(*state);
  }

  PlanFindings findings() && { return std::move(found_); }

 private:
  base::Result<void> check_chain(const storage::PlanSummary& plan) {
    CLEVER_ASSIGN(const auto verdict,
                  storage::JournalVerify(database_.engine()).verify(plan.id, context_.stop()));
    found_.events += verdict.events;
    for (const auto& fault : verdict.faults) found_.chain.push_back(fault.to_string());
    return {};
  }

  void check_fold(const storage::PlanSummary& plan, const plan::State& state) {
    for (const std::string& wrong : plan::check_invariants(state)) {
      found_.fold.push_back(prefix_ + wrong);
    }
    if (plan.state != to_string(state.state) || plan.phase != to_string(state.phase)) {
      found_.fold.push_back(prefix_ + "its journal says " + place_of(state) +
                            ", the list of plans " + plan.phase + "/" + plan.state);
    }
  }

  base::Result<void> check_digests(const storage::PlanSummary& plan) {
    storage::Changesets changesets(database_.engine());
    CLEVER_ASSIGN(const auto all, changesets.of_plan(plan.id, context_.stop()));
    for (const storage::ChangesetFacts& facts : all) {
      if (!facts.digest) continue;
      ++found_.changesets;
      CLEVER_ASSIGN(const auto entries, changesets.entries(facts.id, context_.stop()));
      const auto digest = model::digest_of(model::net_changes(entries));
      if (digest == *facts.digest) continue;
      found_.digests.push_back(prefix_ + "changeset " + facts.id.to_string() + " was sealed as " +
                               facts.digest->to_hex() + ", its entries are " + digest.to_hex());
    }
    return {};
  }

  base::Result<void> check_effects(const plan::State& state) {
    CLEVER_ASSIGN(const auto open,
                  storage::Effects(database_.engine()).open(state.id, context_.stop()));
    found_.open_effects += open.size();
    if (open.size() != state.effects.size()) {
      found_.effects.push_back(prefix_ + "its journal has " +
                               counted(state.effects.size(), "open effect") + ", the ledger " +
                               std::to_string(open.size()));
    }
    if (state.is_final() && !open.empty()) {
      found_.effects.push_back(prefix_ + "it is over, and " + counted(open.size(), "effect") +
                               " still open");
    }
    return {};
  }

  const PlanDatabase& database_;
  Context& context_;
  std::string prefix_;
  PlanFindings found_;
};

Checks::Check judged_check(std::string name, const std::vector<std::string>& wrong,
                           std::string good) {
  if (wrong.empty()) return {std::move(name), Verdict::kOk, std::move(good), ""};
  std::string detail = wrong.front();
  if (wrong.size() > 1) detail += " (and " + std::to_string(wrong.size() - 1) + " more)";
  return {std::move(name), Verdict::kFail, std::move(detail), ""};
}

Document texts_of(const std::vector<std::string>& texts) {
  Document list = Document::list();
  for (const std::string& text : texts) list.push(text);
  return list;
}

Report report_of(const model::PlanId& plan, const PlanFindings& found) {
  Report report;
  report.data.set("plan_id", plan.to_string())
      .set("sound", found.sound())
      .set("plans", found.plans)
      .set("events", found.events)
      .set("sealed_changesets", found.changesets)
      .set("open_effects", found.open_effects)
      .set("faults", Document::map()
                         .set("chain", texts_of(found.chain))
                         .set("fold", texts_of(found.fold))
                         .set("digests", texts_of(found.digests))
                         .set("effects", texts_of(found.effects)));
  report.view = {Checks{
      "plan",
      {judged_check("chain", found.chain,
                    counted(found.events, "event") + " of " + counted(found.plans, "plan") +
                        ", every hash as it was written"),
       judged_check("state", found.fold, "follows from the journal, and all invariants hold"),
       judged_check("digests", found.digests,
                    counted(found.changesets, "sealed changeset") + ", as they were sealed"),
       judged_check("effects", found.effects, counted(found.open_effects, "open effect"))}}};
  if (found.sound()) return report;
  report.status = Status::kError;
  report.exit_code = ExitCode::kError;
  report.messages.push_back(
      {Message::Level::kError, "the plan's journal was changed after it was written"});
  report.messages.push_back({Message::Level::kHint,
                             "`agents db rebuild` rebuilds the tables from the journals; a changed "
                             "journal needs a backup"});
  return report;
}

base::Result<Report> verify_plan(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  const auto& words = invocation.words();
  CLEVER_ASSIGN(const storage::PlanSummary plan,
                database.find(words.empty() ? std::string() : words.front()));
  CLEVER_ASSIGN(const auto tree, database.tree(plan.id));
  Verification verification(database, context);
  for (const storage::PlanSummary& each : tree) CLEVER_TRY(verification.look_at(each));
  return report_of(plan.id, std::move(verification).findings());
}

}  // namespace

Command plan_verify_command() {
  return {.name = "verify",
          .summary = "Check that a plan's journal is intact",
          .description =
              "Recomputes the hash chain of the plan's journal and its subplans' journals, folds "
              "them, and checks the invariants of every state, the digests of sealed changesets, "
              "and the ledger of effects. Exits with 1 if anything is wrong.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan verify", "The newest plan of this folder"},
                       {"agents plan verify 01JD --format json", "A given plan, for a program"}},
          .handler = verify_plan};
}

}  // namespace clever::service
