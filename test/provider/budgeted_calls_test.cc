// Plans that pay for their calls: the worst case is reserved with the request, in one transaction;
// the answer's real cost and its trace are written with the settlement, in another.
#include <vector>

#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "model/effect_events.h"
#include "provider/call_budget.h"
#include "provider/call_record.h"
#include "provider/model_service.h"
#include "provider/scripted/scripted_backend.h"
#include "storage/budgets.h"
#include "storage/plan_test.h"
#include "storage/topic_watch.h"
#include "support/together.h"

namespace clever::provider {
namespace {

using model::BudgetReserved;
using model::BudgetSettled;
using model::Cost;
using storage::Budget;
using storage::Budgets;
using storage::testing::HeldPlan;
using storage::testing::PlanWorld;

constexpr std::string_view kScript = R"(
rules:
- match: {user: expensive}
  reply: too much
  usage: {input: 900000, output: 900000}
- reply: fine
  usage: {input: 700, output: 90}
)";

class BudgetedCallsTest : public storage::testing::PlanTest {
 protected:
  BudgetedCallsTest()
      : service_({system_, random_, timers_, pool_, &engine()}, [this](const Endpoint& endpoint) {
          return base::Result<std::shared_ptr<Backend>>(std::make_shared<ScriptedBackend>(
              endpoint.provider, Script::parse(kScript, "script.yaml").value(), timers_, pool_));
        }) {
    ProviderConfig config;
    config.endpoint = {.provider = "demo", .wire = Wire::kScripted};
    config.default_model = "m";
    ProviderSettings settings;
    settings.providers.push_back(config);
    EXPECT_TRUE(service_.registry().reconfigure(settings).ok());
  }

  static ModelFacts priced() {
    ModelFacts facts;
    facts.price = Price{.rates = {1'000'000, 10'000'000, 1'000'000, 1'000'000}};
    return facts;
  }
  static ModelRequest question(const std::string& text) {
    ModelRequest request;
    request.messages = {{model::Role::kUser, {model::Text{text}}}};
    request.max_output_tokens = 100;
    return request;
  }

  base::SystemClock system_;
  base::SystemRandom random_;
  base::ThreadPool pool_{{.name = "models", .threads = 2}};
  base::TimerQueue timers_{system_};
  ModelService service_;
};

// One plan that calls as long as its budget lets it.
class Caller {
 public:
  Caller(storage::Engine& engine, base::SimulatedClock& clock, ModelService& service, HeldPlan plan,
         ModelFacts facts)
      : engine_(engine),
        journal_(engine, clock),
        service_(service),
        plan_(std::move(plan)),
        facts_(std::move(facts)) {}

  // False: the budget has no room, and will have none.
  bool call(const ModelRequest& request, const model::EffectId& effect) {
    const auto chain = service_.registry().snapshot()->chain("").value();
    std::vector<ResolvedModel> with_prices = chain;
    for (ResolvedModel& model : with_prices) model.facts = facts_;
    const Cost worst = call_budget(with_prices, request).worst_case;
    if (!reserve(worst, effect)) return false;
    const std::int64_t reservation = plan_.head.sequence;
    const CallEnd end =
        service_.client().call_and_wait({.plan = plan_.id.to_string(), .request = request}, {});
    EXPECT_TRUE(end.answered());
    settle(reservation, worst, effect, request, end);
    return true;
  }

 private:
  const std::vector<std::string> kScopes{"day/1"};

  bool reserve(const Cost& worst, const model::EffectId& effect) {
    storage::TopicWatch watch(engine_, storage::budget_topic("day/1"));
    const model::EffectRequested requested{.id = effect, .kind = "model.call"};
    while (true) {
      const auto seen = watch.changes();
      const auto appended =
          append({requested.to_event().value(), BudgetReserved{kScopes, worst, effect}.to_event()});
      if (appended.ok()) return true;
      EXPECT_EQ(appended.error().code(), base::ErrorCode::kResourceExhausted);
      const auto room = Budgets(engine_).room(kScopes, worst).value();
      if (room.answer == Budgets::Room::Answer::kFull) return false;
      if (room.answer == Budgets::Room::Answer::kWait) {
        EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
      }
    }
  }
  void settle(std::int64_t reservation, const Cost& worst, const model::EffectId& effect,
              const ModelRequest& request, const CallEnd& end) {
    const Cost spent = actual_cost(facts_, end.trace.usage, worst);
    const RecordOptions options{.plan = plan_.id, .effect = effect, .cost = spent.money};
    storage::Append settled =
        PlanWorld::make_append(plan_, {BudgetSettled{reservation, kScopes, worst, spent}.to_event(),
                                       model::EffectSettled{effect, "done"}.to_event()});
    settled.also = storage::ModelCalls::record(call_record(request, end, options));
    plan_.head = journal_.append(std::move(settled)).value();
  }
  base::Result<storage::Head> append(std::vector<model::Event> events) {
    auto head = journal_.append(PlanWorld::make_append(plan_, std::move(events)));
    if (head.ok()) plan_.head = *head;
    return head;
  }

  storage::Engine& engine_;
  storage::Journal journal_;
  ModelService& service_;
  HeldPlan plan_;
  const ModelFacts facts_;
};

TEST_P(BudgetedCallsTest, ACallIsReservedMadeSettledAndTraced) {
  ASSERT_TRUE(Budgets(engine()).set_cap("day/1", {1'000'000}).ok());
  HeldPlan plan = create();
  const auto effect = world().next<model::EffectId>();
  ASSERT_TRUE(Caller(engine(), clock(), service_, plan, priced()).call(question("hi"), effect));
  // 700 tokens at 1 and 90 at 10 millionths of a dollar.
  EXPECT_EQ(Budgets(engine()).find("day/1").value(),
            (Budget{"day/1", {1'000'000}, {}, {1600, 790}}));
  const auto calls = storage::ModelCalls(engine()).list({.plan = plan.id}).value();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].effect, effect);
  EXPECT_EQ(calls[0].provider, "demo");
  EXPECT_EQ(calls[0].input_tokens, 700);
  EXPECT_EQ(calls[0].cost, 1600);
}

TEST_P(BudgetedCallsTest, UsageBeyondTheWorstCaseIsRecorded) {
  ASSERT_TRUE(Budgets(engine()).set_cap("day/1", {1'000'000}).ok());
  Caller caller(engine(), clock(), service_, create(), priced());
  ASSERT_TRUE(caller.call(question("expensive"), world().next<model::EffectId>()));
  EXPECT_EQ(Budgets(engine()).find("day/1").value().spent.money, 9'900'000);
  EXPECT_FALSE(caller.call(question("hi"), world().next<model::EffectId>()));
}

TEST_P(BudgetedCallsTest, SixteenPlansNeverPassTheCapWithRealCalls) {
  constexpr model::Microdollars kCap = 200'000;  // some fifty worst cases, 125 real ones
  ASSERT_TRUE(Budgets(engine()).set_cap("day/1", {kCap}).ok());
  std::vector<std::unique_ptr<Caller>> callers;
  std::vector<std::vector<model::EffectId>> effects(16);
  for (auto& mine : effects) {
    callers.push_back(std::make_unique<Caller>(engine(), clock(), service_, create(), priced()));
    for (int i = 0; i < 130; ++i) mine.push_back(world().next<model::EffectId>());
  }
  test::together(16, [&](int worker) {
    const auto index = static_cast<std::size_t>(worker);
    for (const model::EffectId& effect : effects[index]) {
      if (!callers[index]->call(question("hi"), effect)) return;
    }
  });
  const Budget left = Budgets(engine()).find("day/1").value();
  EXPECT_EQ(left.reserved, Cost());
  EXPECT_LE(left.spent.money, kCap);
  EXPECT_GE(left.spent.money, kCap / 100 * 95);
}

CLEVER_ALL_ENGINES(BudgetedCallsTest);

}  // namespace
}  // namespace clever::provider
