#pragma once
#include <chrono>
#include <string>

#include "model/budget_events.h"
#include "model/change_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "sandbox/sandbox_records.h"
#include "storage/access.h"
#include "storage/audit_log.h"
#include "storage/budgets.h"
#include "storage/inbox.h"
#include "storage/keys.h"
#include "storage/late_answer.h"
#include "storage/model_calls.h"
#include "storage/plan_test.h"
#include "storage/rate_limits.h"
#include "storage/row_verify.h"
#include "storage/tombstones.h"

// A database with a row in every table that `db verify` compares.
namespace clever::storage {

inline void no_progress(std::string_view /*doing*/, std::uint64_t /*done*/, std::uint64_t /*all*/) {
}

class RowVerifyTest : public testing::PlanTest {
 protected:
  // A plan with one of everything.
  void fill() {
    ASSERT_TRUE(Budgets(engine()).set_cap("day", {1'000'000, 1'000'000}).ok());
    ASSERT_TRUE(
        Budgets(engine()).set_cap("team", {model::kLargestAmount, model::kLargestAmount}).ok());
    // Caps that a person set before anything was spent.
    ASSERT_TRUE(Budgets(engine()).set_cap("day/2026-01-31", {5'000'000, 1'000'000}).ok());
    testing::HeldPlan plan = create({.title = "busy", .project = "/p"});
    const model::DecisionRecorded decision{.id = world().next<model::DecisionId>(),
                                           .question = "q"};
    const model::EffectRequested effect{.id = world().next<model::EffectId>(), .kind = "tool.run"};
    const auto changeset = world().next<model::ChangesetId>();
    const model::ChangeEntry entry{
        .path = "a",
        .operation = model::ChangeOperation::kCreate,
        .after = model::FileState{0100644, base::sha256("x"), std::string(40, 'a')}};
    append(plan, {decision.to_event(), effect.to_event().value(),
                  model::BudgetReserved{{"day"}, {60, 6}}.to_event(),
                  model::ChangesetStarted{changeset, {}}.to_event(),
                  model::ChangesRecorded{changeset, {entry}}.to_event()});
    send_commands(plan);
    overrun(plan);
    learn_limits();
    make_workspace(plan);
    UnitOfWork trace;
    bury_one();
    give_rights();
    ModelCalls::add(trace, {.plan = plan.id, .provider = "p", .model = "m", .cost = 5});
    ASSERT_TRUE(engine().commit(std::move(trace)).ok());
  }

  base::Result<RowVerdict> verify(Engine& engine) {
    return RowVerify(engine, clock()).verify(no_progress);
  }

 private:
  void give_rights() {
    AuditLog log(engine(), clock());
    const model::Timestamp now = model::to_timestamp(1'000'000);
    ASSERT_TRUE(log.append({.action = "person.add"}, Access::add_person("ada", now)).ok());
    const AccessToken token{.id = world().next<TokenId>(),
                            .person = "ada",
                            .rights = {"read"},
                            .namespaces = {"a"},
                            .created = now,
                            .expires = now};
    ASSERT_TRUE(
        log.append({.action = "token.create"}, Access::add_token(token, base::sha256("t"))).ok());
  }

  void bury_one() {
    testing::HeldPlan plan = create({.title = "past", .project = "/p"});
    append(plan, {model::BudgetReserved{{"day"}, {60, 6}}.to_event()});
    append(plan, {model::BudgetSettled{plan.head.sequence, {"day"}, {60, 6}, {40, 4}}.to_event(),
                  model::PlanMoved{model::Phase::kApply, model::PlanState::kApplied}.to_event()});
    ASSERT_TRUE(leases().release(plan.lease, owner()).ok());
    const auto no_audit = [](const std::vector<model::StoredEvent>&) {
      return base::Result<std::vector<model::Tombstone::Audit>>(
          std::vector<model::Tombstone::Audit>());
    };
    ASSERT_TRUE(Tombstones(engine(), clock(), owner()).bury(plan.id, no_audit).ok());
  }

  // A call that cost more than its worst case.
  void overrun(testing::HeldPlan& plan) {
    const std::string scope = plan_name(plan.id);
    ASSERT_TRUE(Budgets(engine()).set_cap(scope, {1'000, 1'000}).ok());
    append(plan, {model::BudgetReserved{{scope}, {1, 1}}.to_event()});
    append(plan, {model::BudgetSettled{plan.head.sequence, {scope}, {1, 1}, {2, 2}}.to_event()});
    EXPECT_EQ(Budgets(engine()).find(scope)->overruns, 1);
  }

  void learn_limits() {
    LateAnswer<void> learned;
    RateLimits(engine()).learn("lane", {{.unit = 1, .amount = 60, .span = std::chrono::minutes(1)}},
                               learned.taker());
    ASSERT_TRUE(learned.wait().ok());
  }

  void make_workspace(const testing::HeldPlan& plan) {
    const auto records = sandbox::stored_sandbox_records(engine(), clock());
    const sandbox::WorkspaceRecord record{.id = world().next<sandbox::WorkspaceId>(),
                                          .plan = plan.id,
                                          .epoch = plan.lease.epoch,
                                          .owner = owner().owner(),
                                          .base = "aa",
                                          .checkpoint = "bb"};
    ASSERT_TRUE(records->create(record, plan.lease).ok());
    sandbox::WorkspaceRecord next = record;
    next.state = sandbox::WorkspaceState::kCommitted;
    ASSERT_TRUE(records->change(record, next, plan.lease).ok());
  }

  // One command that an event with contents answers, and two that wait.
  void send_commands(testing::HeldPlan& plan) {
    Inbox inbox(engine());
    const auto sent = inbox.send(plan.id, "first", "a command").value();
    ASSERT_TRUE(inbox.send(plan.id, "second", "another").ok());
    Append answer = make_append(plan, {testing::note("answered")});
    for (const std::size_t size : {std::size_t{20}, std::size_t{20'000}}) {
      Body body = Body::of(std::string(size, 'b'));
      answer.events.back().bodies.push_back(body.hash);
      answer.bodies.push_back(std::move(body));
    }
    answer.consumed.push_back({sent.id, "a receipt"});
    answer.also = Inbox::early_statements(plan.id, "early", "a third");
    plan.head = journal().append(std::move(answer)).value();
  }
};

}  // namespace clever::storage
