#include "support/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "model/budget_events.h"
#include "model/decision_events.h"
#include "model/effect_events.h"
#include "model/event_hash.h"
#include "model/event_kinds.h"
#include "model/plan_events.h"

namespace clever::model {
namespace {

using base::ErrorCode;
using test::check_data_refused;
using test::check_read_back;
using test::numbered_id;
using ::testing::HasSubstr;

template <class T>
void check_first_version(const T& value) {
  EXPECT_EQ(check_read_back(value).version, 1);
}

TEST(PlanEvents, AreReadAsTheyWereWritten) {
  check_first_version(PlanCreated{.parent = numbered_id<PlanId>(1),
                                  .title = "tidy \"up\" ü",
                                  .action = "local/task",
                                  .project = "/p",
                                  .phase = Phase::kStrategize,
                                  .state = PlanState::kProcessing});
  check_first_version(PlanCreated{.title = "no parent"});
  check_first_version(PlanMoved{Phase::kApply, PlanState::kConstrained});
}

TEST(PlanEvents, SayWhichKeyIsWrong) {
  check_data_refused<PlanCreated>("", "not JSON");
  check_data_refused<PlanCreated>("[1]", "must be an object, not array");
  check_data_refused<PlanCreated>("{}", "\"title\" must be a string without NUL, and is missing");
  check_data_refused<PlanCreated>(R"({"title":7})",
                                  "\"title\" must be a string without NUL, not number");
  check_data_refused<PlanCreated>(R"({"title":"a\u0000b"})", "\"title\"");
  check_data_refused<PlanCreated>(R"({"title":"t","parent":"x"})", "\"parent\"");
  check_data_refused<PlanMoved>(
      R"({"phase":"later","state":"queued"})",
      "'later' is not a known phase; use one of action, strategize, execute, apply");
  check_data_refused<PlanMoved>(R"({"phase":"apply","state":"odd"})",
                                "'odd' is not a known state of a plan");
  check_data_refused<PlanMoved>(R"({"phase":"apply","state":[]})", "\"state\"");
}

TEST(PlanEvents, IgnoreKeysTheyDoNotKnow) {
  EXPECT_EQ(PlanMoved::parse(R"({"phase":"apply","state":"applied","mood":{"x":1}})").value(),
            (PlanMoved{Phase::kApply, PlanState::kApplied}));
}

TEST(PlanEvents, NameEveryPhaseAndState) {
  for (int i = 0; i <= static_cast<int>(Phase::kApply); ++i) {
    const auto phase = static_cast<Phase>(i);
    EXPECT_EQ(parse_phase(to_string(phase)).value(), phase);
  }
  for (int i = 0; i <= static_cast<int>(PlanState::kConstrained); ++i) {
    const auto state = static_cast<PlanState>(i);
    EXPECT_EQ(parse_plan_state(to_string(state)).value(), state);
  }
}

TEST(DecisionEvents, AreReadAsTheyWereWritten) {
  check_first_version(DecisionRecorded{.id = numbered_id<DecisionId>(2),
                                       .parent = numbered_id<DecisionId>(1),
                                       .kind = DecisionKind::kStrategyChoice,
                                       .question = "which?",
                                       .chosen = "this",
                                       .alternatives = {"that", "neither"},
                                       .confidence = 0.5,
                                       .rationale = "because"});
  check_first_version(DecisionRecorded{.id = numbered_id<DecisionId>(1)});
  check_first_version(DecisionSuperseded{{numbered_id<DecisionId>(1), numbered_id<DecisionId>(2)}});
  check_first_version(DecisionSuperseded{});
}

TEST(DecisionEvents, SayWhichKeyIsWrong) {
  const std::string good = DecisionRecorded{.id = numbered_id<DecisionId>(1)}.to_event().data;
  const auto with = [&](std::string_view more) {
    return good.substr(0, good.size() - 1) + "," + std::string(more) + "}";
  };
  check_data_refused<DecisionRecorded>("{}", "\"id\"");
  check_data_refused<DecisionRecorded>(with(R"("kind":"whim")"),
                                       "'whim' is not a known kind of decision");
  check_data_refused<DecisionRecorded>(with(R"("confidence":1.5)"), "between 0 and 1");
  check_data_refused<DecisionRecorded>(with(R"("confidence":"high")"),
                                       "\"confidence\" must be a number");
  check_data_refused<DecisionRecorded>(with(R"("alternatives":"a")"), "an array of strings");
  check_data_refused<DecisionRecorded>(with(R"("alternatives":["a",1])"), "an array of strings");
  check_data_refused<DecisionRecorded>(with(R"("rationale":1)"), "\"rationale\"");
  check_data_refused<DecisionSuperseded>(R"({"ids":["x"]})", "\"ids\"");
}

TEST(DecisionEvents, NameEveryKind) {
  for (int i = 0; i <= static_cast<int>(DecisionKind::kUserIntervention); ++i) {
    const auto kind = static_cast<DecisionKind>(i);
    EXPECT_EQ(parse_decision_kind(to_string(kind)).value(), kind);
  }
}

TEST(BudgetEvents, AreReadAsTheyWereWritten) {
  check_first_version(BudgetReserved{{"day/1", "plan/1"}, {70, 9}, numbered_id<EffectId>(3)});
  check_first_version(BudgetReserved{{"plan/1"}, {70, 0}});
  check_first_version(BudgetSettled{4, {"plan/1"}, {70, 9}, {42, 8}});
  check_first_version(BudgetSettled{4, {"plan/1"}, {70, 9}, {71, 10}});
  check_first_version(BudgetSettled{4, {"plan/1"}, {70, 9}, {71, 10}, true});
  check_first_version(BudgetReleased{4, {"plan/1"}, {70, 9}});
}

TEST(BudgetEvents, TakeEachScopeOnceInOneOrder) {
  EXPECT_EQ(in_order_of_taking({"plan/2", "other", "plan/1", "session/9", "day/3", "plan/2"}),
            (std::vector<std::string>{"day/3", "session/9", "plan/1", "plan/2", "other"}));
  EXPECT_EQ(BudgetReserved::parse(R"({"scopes":["b","a","b"],"amount":1})").value().scopes,
            (std::vector<std::string>{"a", "b"}));
}

TEST(BudgetEvents, SayWhichKeyIsWrong) {
  check_data_refused<BudgetReserved>(R"({"amount":1})", "\"scopes\"");
  check_data_refused<BudgetReserved>(R"({"scopes":["a"]})", "\"amount\"");
  check_data_refused<BudgetReserved>(R"({"scopes":["a"],"amount":-1})", "between 0 and");
  check_data_refused<BudgetReserved>(R"({"scopes":["a"],"amount":1,"tokens":-1})", "\"tokens\"");
  check_data_refused<BudgetReserved>(R"({"scopes":["a"],"amount":1,"effect":"x"})", "\"effect\"");
  check_data_refused<BudgetReserved>(R"({"scopes":["a"],"amount":1.5})", "a whole number");
  check_data_refused<BudgetReserved>(R"({"scopes":["a"],"amount":18446744073709551615})",
                                     "a whole number of 64 bits");
  check_data_refused<BudgetSettled>(R"({"scopes":["a"],"reserved":1,"spent":1})",
                                    "\"reservation\"");
  check_data_refused<BudgetSettled>(R"({"reservation":0,"scopes":["a"],"reserved":1,"spent":1})",
                                    "the sequence of an event");
  check_data_refused<BudgetReleased>(R"({"reservation":1,"scopes":[],"reserved":1})", "\"scopes\"");
}

TEST(EffectEvents, AreReadAsTheyWereWritten) {
  const EffectRequested plain{
      .id = numbered_id<EffectId>(1), .kind = "tool.run", .data = R"({"x":[1,2]})"};
  const EffectRequested with_job{
      .id = numbered_id<EffectId>(2),
      .kind = "model.call",
      .job = JobRequest{.queue = "models", .priority = 3, .max_attempts = 5, .concurrency = "k"}};
  for (const EffectRequested& effect : {plain, with_job}) {
    EXPECT_EQ(EffectRequested::parse(effect.to_event().value().data).value(), effect);
  }
  check_first_version(EffectSettled{numbered_id<EffectId>(1), "done"});
}

TEST(EffectEvents, SayWhatIsWrong) {
  const EffectRequested effect{.id = numbered_id<EffectId>(1), .kind = "k", .data = "{"};
  EXPECT_EQ(effect.to_event().error().code(), ErrorCode::kInvalidArgument);
  const std::string start =
      R"({"id":")" + numbered_id<EffectId>(1).to_string() + R"(","kind":"k","job":)";
  check_data_refused<EffectRequested>("{}", "\"id\"");
  check_data_refused<EffectRequested>(start + "7}", "\"job\" must be an object");
  check_data_refused<EffectRequested>(start + "{}}", "\"job\": \"queue\"");
  check_data_refused<EffectRequested>(start + R"({"queue":""}})", "the name of a queue");
  check_data_refused<EffectRequested>(start + R"({"queue":"q","priority":4}})", "between 0 and 3");
  check_data_refused<EffectRequested>(start + R"({"queue":"q","max_attempts":0}})", "at least 1");
  check_data_refused<EffectSettled>(R"({"id":null})", "\"id\"");
}

TEST(EffectEvents, WithoutDataHaveNull) {
  const std::string text = R"({"id":")" + numbered_id<EffectId>(1).to_string() + R"(","kind":"k"})";
  EXPECT_EQ(EffectRequested::parse(text).value().data, "null");
}

// Whatever the bytes, reading returns.
TEST(Events, AnyTextIsReadOrRefused) {
  base::SeededRandom random(7);
  const std::string good =
      DecisionRecorded{.id = numbered_id<DecisionId>(1), .question = "q"}.to_event().data;
  for (int i = 0; i < 2000; ++i) {
    std::string text = good.substr(0, 1 + random.below(good.size()));
    text[random.below(text.size())] = static_cast<char>(random.below(256));
    for (const bool ok : {PlanCreated::parse(text).ok(), DecisionRecorded::parse(text).ok(),
                          BudgetSettled::parse(text).ok(), EffectRequested::parse(text).ok()}) {
      if (ok) {
        EXPECT_EQ(text.back(), '}');
      }
    }
  }
}

StoredEvent stored() {
  return {.plan = numbered_id<PlanId>(1),
          .sequence = 3,
          .epoch = 2,
          .time = to_timestamp(5),
          .kind = "k",
          .version = 1,
          .data = "data"};
}

// Computed apart from this code, by the description in the header.
TEST(EventHash, IsWhatTheHeaderSays) {
  EXPECT_EQ(event_hash({}, stored(), {}).to_hex(),
            "6824d38f0b1a3fd3e2d8025bf4ddd7fbafda3b2ff6caf6d60c33361803e6b871");
  const base::Sha256Digest body = base::sha256("body");
  EXPECT_EQ(event_hash(base::sha256("before"), stored(), std::array{body}).to_hex(),
            "2d270088a0cd4ae3e4ee54cb6d93c1e3a799f66b639be9965a60923588b50715");
}

TEST(EventHash, DependsOnEveryPart) {
  const auto original = event_hash({}, stored(), {});
  const auto check = [&](auto change) {
    StoredEvent event = stored();
    change(event);
    EXPECT_NE(event_hash({}, event, {}), original);
  };
  check([](StoredEvent& e) { e.plan = numbered_id<PlanId>(2); });
  check([](StoredEvent& e) { e.sequence = 4; });
  check([](StoredEvent& e) { e.epoch = 3; });
  check([](StoredEvent& e) { e.time = to_timestamp(6); });
  check([](StoredEvent& e) { e.kind = "kd", e.data = "ata"; });
  check([](StoredEvent& e) { e.version = 2; });
  check([](StoredEvent& e) { e.data = "dat"; });
  EXPECT_NE(event_hash(base::sha256("x"), stored(), {}), original);
}

EventKinds three_versions() {
  EventKinds kinds;
  const auto append = [](std::string_view text) {
    return [text](std::string_view data) -> base::Result<std::string> {
      return std::string(data) + std::string(text);
    };
  };
  kinds.add("k", {append("+2"), append("+3")});
  return kinds;
}

TEST(EventKinds, ReadOldVersionsAsTheNewest) {
  const EventKinds kinds = three_versions();
  for (const auto& [version, data] : {std::pair{1, "data+2+3"}, {2, "data+3"}, {3, "data"}}) {
    StoredEvent event = stored();
    event.version = version;
    EXPECT_TRUE(kinds.to_newest(event).ok());
    EXPECT_EQ(event.version, 3);
    EXPECT_EQ(event.data, data);
  }
}

TEST(EventKinds, RefuseVersionsTheyDoNotKnow) {
  const EventKinds kinds = three_versions();
  StoredEvent event = stored();
  event.version = 4;
  EXPECT_EQ(kinds.to_newest(event).error().code(), ErrorCode::kConflict);
  event.version = 0;
  EXPECT_EQ(kinds.to_newest(event).error().code(), ErrorCode::kCorruption);
}

TEST(EventKinds, LeaveUnknownKindsAlone) {
  const EventKinds kinds;
  StoredEvent event = stored();
  event.version = 9;
  EXPECT_TRUE(kinds.to_newest(event).ok());
  EXPECT_EQ(event.version, 9);
  EXPECT_FALSE(kinds.knows("k"));
  EXPECT_EQ(kinds.newest("k"), 0);
  EXPECT_EQ(kinds.newest("plan.created"), 1);
}

}  // namespace
}  // namespace clever::model
