#include "provider/model_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/thread.h"
#include "sim/hand_backend.h"
#include "sim/model_world.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using sim::answered;
using sim::failed;
using sim::HandBackend;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Watcher final : public CallSink {
 public:
  void on_wait(const std::string& model, const Wait& wait) override {
    waits.push_back(model + " " + std::string(to_string(wait.reason)));
    last_wait = wait;
  }
  void on_delta(const Delta& delta) override { shown += std::get<TextDelta>(delta).text; }
  void on_restart() override {
    shown.clear();
    ++restarts;
  }
  void on_end(CallEnd value) override { ends.push_back(std::move(value)); }

  [[nodiscard]] const CallEnd& end() const { return ends.at(0); }
  [[nodiscard]] const Failure& failure() const { return std::get<Failure>(end().result); }
  [[nodiscard]] const CallTrace& trace() const { return end().trace; }

  std::vector<CallEnd> ends;
  std::vector<std::string> waits;
  Wait last_wait;
  std::string shown;
  int restarts = 0;
};

class ModelClientTest : public testing::Test {
 protected:
  void SetUp() override { configure({"a", "b", "c"}); }
  void TearDown() override {
    for (const auto& [name, each] : backends_) each->close();
  }

  void configure(const std::vector<std::string>& names,
                 const std::vector<std::string>& fallback = {}, const std::string& catalog = "") {
    ProviderSettings settings;
    for (const std::string& name : names) {
      settings.providers.push_back(sim::Process::provider_config(name));
    }
    settings.fallback = fallback;
    if (!catalog.empty()) settings.catalog = Catalog().with(catalog, "models.toml").value();
    process_.configure(settings);
  }
  std::shared_ptr<Watcher> call(CallRequest request = {}) {
    auto watcher = std::make_shared<Watcher>();
    if (request.plan.empty()) request.plan = "plan";
    last_call_ = process_.client().call(std::move(request), watcher);
    return watcher;
  }
  static CallRequest to(const std::string& model, base::Duration patience = 6h) {
    CallRequest request;
    request.model = model;
    request.patience = patience;
    return request;
  }
  // Three failures open a circuit.
  void open_circuits(const std::vector<std::string>& providers) {
    for (const std::string& provider : providers) {
      CallRequest request = to(provider + "/m", 10s);
      request.fallback.emplace();
      backends_[provider]->prepare(failed(FailureKind::kOverloaded), 5);
      (void)call(std::move(request));
    }
    events_.run_for(10s);
    for (const LaneView& lane : process_.governor().list()) {
      ASSERT_EQ(lane.circuit.state, base::CircuitState::kOpen);
      ASSERT_GT(lane.circuit.next_probe, events_.now());
    }
  }
  HandBackend& backend(const std::string& provider = "a") { return *backends_.at(provider); }

  sim::Events events_;
  std::map<std::string, std::shared_ptr<HandBackend>> backends_;
  sim::Process process_{events_, 1, [this](const std::string& provider) {
                          return backends_[provider] = std::make_shared<HandBackend>();
                        }};
  std::unique_ptr<Call> last_call_;
};

TEST_F(ModelClientTest, AnAnswerEndsTheCall) {
  CallRequest request;
  request.plan = "p";
  request.decision = "d";
  request.effect = "e";
  request.request.system = "be brief";
  const auto watcher = call(std::move(request));
  ASSERT_EQ(backend().count(), 1U);
  EXPECT_EQ(backend().attempt(0).model, "m");
  EXPECT_EQ(backend().attempt(0).request.system, "be brief");
  events_.run_for(1s);
  backend().attempt(0).sink->on_begin();
  backend().attempt(0).sink->on_delta(TextDelta{"hel"});
  backend().attempt(0).sink->on_delta(TextDelta{"lo"});
  events_.run_for(1s);
  AttemptEnd end = answered("x");
  std::get<ModelAnswer>(end.result).usage = {.input = 10, .output = 20, .known = true};
  backend().finish(0, end);

  ASSERT_EQ(watcher->ends.size(), 1U);
  EXPECT_EQ(std::get<ModelAnswer>(watcher->end().result).id, "x");
  EXPECT_EQ(watcher->shown, "hello");
  const CallTrace& trace = watcher->trace();
  EXPECT_EQ(trace.plan + trace.decision + trace.effect, "pde");
  EXPECT_EQ(trace.provider, "a");
  EXPECT_EQ(trace.model, "m");
  EXPECT_EQ(trace.latency, 2s);
  EXPECT_EQ(trace.first_byte, 1s);
  EXPECT_EQ(trace.usage.output, 20);
  EXPECT_EQ(trace.retries(), 0U);
  EXPECT_TRUE(trace.moves.empty());
}

TEST_F(ModelClientTest, AnUnknownProviderIsReportedAtOnce) {
  const auto watcher = call(to("nobody/m"));
  EXPECT_EQ(watcher->failure().kind, FailureKind::kUnknownModel);
  EXPECT_THAT(watcher->failure().message, HasSubstr("nobody"));
  EXPECT_EQ(watcher->trace().retries(), 0U);
}

TEST_F(ModelClientTest, ANameThatIsInvalidIsReportedAtOnce) {
  EXPECT_EQ(call(to("no slash"))->failure().kind, FailureKind::kMisconfigured);
}

TEST_F(ModelClientTest, AnUnknownFallbackIsReportedAtOnce) {
  CallRequest request;
  request.fallback = {"nobody/m"};
  EXPECT_EQ(call(std::move(request))->failure().kind, FailureKind::kUnknownModel);
  EXPECT_EQ(backend().count(), 0U);
}

class PermanentFailure : public ModelClientTest, public testing::WithParamInterface<FailureKind> {};

TEST_P(PermanentFailure, IsReportedAtOnceAfterOneAttempt) {
  backend().prepare(failed(GetParam(), "a: no"));
  const auto watcher = call();
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(backend().count(), 1U);
  ASSERT_EQ(watcher->ends.size(), 1U);
  EXPECT_EQ(watcher->failure().kind, GetParam());
  EXPECT_EQ(watcher->failure().message, "a: no");
  EXPECT_EQ(watcher->trace().latency, 0s);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PermanentFailure,
                         testing::Values(FailureKind::kQuota, FailureKind::kBadKey,
                                         FailureKind::kUnknownModel, FailureKind::kContextTooLong,
                                         FailureKind::kBadRequest, FailureKind::kRefused,
                                         FailureKind::kMisconfigured, FailureKind::kGaveUp,
                                         FailureKind::kNotRecorded, FailureKind::kScript),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

class TransientFailure : public ModelClientTest, public testing::WithParamInterface<FailureKind> {};

TEST_P(TransientFailure, IsWaitedOut) {
  backend().prepare(failed(GetParam()), 2);
  backend().prepare(answered());
  const auto watcher = call();
  EXPECT_EQ(backend().count(), 1U);
  EXPECT_TRUE(watcher->ends.empty());
  EXPECT_TRUE(events_.run_all());
  EXPECT_TRUE(watcher->end().answered());
  EXPECT_EQ(watcher->trace().retries(), 2U);
  EXPECT_EQ(watcher->trace().attempts[0].failure, GetParam());
  EXPECT_GT(watcher->trace().attempts[1].waited(), 0s);
  EXPECT_EQ(watcher->trace().attempts[2].failure, std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TransientFailure,
                         testing::Values(FailureKind::kRateLimited, FailureKind::kOverloaded,
                                         FailureKind::kConnection, FailureKind::kCut,
                                         FailureKind::kTimeout, FailureKind::kMalformed),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST_F(ModelClientTest, TriesNonsenseAnswersOnlyThreeTimes) {
  backend().prepare(failed(FailureKind::kMalformed, "a: no JSON"), 9);
  const auto watcher = call();
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(backend().count(), 3U);
  EXPECT_EQ(watcher->failure().kind, FailureKind::kGaveUp);
  EXPECT_THAT(watcher->failure().message, AllOf(HasSubstr("3 attempts"), HasSubstr("a: no JSON")));
}

TEST_F(ModelClientTest, PatienceIsTheEndOfTransientTrouble) {
  backend().prepare(failed(FailureKind::kConnection, "a: refused"), 1000);
  const auto watcher = call(to("a/m", 1h));
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(watcher->failure().kind, FailureKind::kGaveUp);
  EXPECT_THAT(watcher->failure().message,
              AllOf(HasSubstr("a/m: gave up after 1 h"), HasSubstr("connection: a: refused"),
                    HasSubstr(std::to_string(backend().count()) + " attempts")));
  EXPECT_EQ(watcher->trace().latency, 1h);
  EXPECT_EQ(watcher->trace().attempts.size(), backend().count());
  EXPECT_LT(backend().count(), 45U);
}

TEST_F(ModelClientTest, ThePatienceOfTheSettingsHoldsWhereACallHasNoneOfItsOwn) {
  ProviderSettings settings;
  settings.providers.push_back(sim::Process::provider_config("a"));
  settings.patience = 5s;
  process_.configure(settings);
  backend().prepare(failed(FailureKind::kConnection, "a: refused"), 1000);
  CallRequest request;
  request.model = "a/m";
  const auto watcher = call(std::move(request));
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(watcher->trace().latency, 5s);
  EXPECT_THAT(watcher->failure().message,
              AllOf(HasSubstr("the patience of 5 s (model.patience) ran out"),
                    HasSubstr("connection: a: refused")));
}

TEST_F(ModelClientTest, AnAttemptThatFailsAfterThePatienceIsTheLast) {
  const auto watcher = call(to("a/m", 10s));
  events_.run_for(11s);
  EXPECT_TRUE(watcher->ends.empty());
  backend().finish(0, failed(FailureKind::kTimeout));
  EXPECT_EQ(watcher->failure().kind, FailureKind::kGaveUp);
  EXPECT_EQ(backend().count(), 1U);
}

TEST_F(ModelClientTest, RetryAfterIsKept) {
  AttemptEnd limited = failed(FailureKind::kRateLimited);
  std::get<Failure>(limited.result).retry_after = 90s;
  backend().prepare(limited);
  const auto watcher = call();
  events_.run_for(90s - 1ms);
  EXPECT_EQ(backend().count(), 1U);
  events_.run_for(10s);
  EXPECT_EQ(backend().count(), 2U);
}

TEST_F(ModelClientTest, ALongWaitIsShownWithItsReasonAndTimeLeft) {
  AttemptEnd limited = failed(FailureKind::kRateLimited);
  std::get<Failure>(limited.result).retry_after = 90s;
  backend().prepare(limited);
  const auto watcher = call();
  events_.run_for(1ms);
  EXPECT_THAT(watcher->waits, ElementsAre("a/m asked_to"));
  const base::Duration left = *watcher->last_wait.until - events_.now();
  EXPECT_GE(left, 89s);
  EXPECT_LE(left, 100s);
  EXPECT_THAT(watcher->last_wait.sentence("a/m", events_.now()),
              HasSubstr("a/m limits the rate; next try in 1 min"));
  events_.run_for(31s);
  EXPECT_EQ(watcher->waits.size(), 2U);
}

TEST_F(ModelClientTest, AShortWaitIsNotShown) {
  backend().prepare(failed(FailureKind::kCut));
  const auto watcher = call();
  events_.run_for(3s);
  EXPECT_EQ(backend().count(), 2U);
  EXPECT_TRUE(watcher->waits.empty());
}

TEST_F(ModelClientTest, WaitsAreShownAtMostEveryFiveSeconds) {
  std::vector<base::TimePoint> shown;
  backend().prepare(failed(FailureKind::kOverloaded), 1000);
  const auto watcher = call(to("a/m", 30min));
  std::size_t seen = 0;
  while (watcher->ends.empty()) {
    ASSERT_TRUE(events_.run_next());
    if (watcher->waits.size() == seen) continue;
    EXPECT_EQ(watcher->waits.size(), seen + 1);
    seen = watcher->waits.size();
    EXPECT_TRUE(shown.empty() || events_.now() - shown.back() >= kLongWait);
    shown.push_back(events_.now());
  }
  EXPECT_GE(shown.size(), 30min / 125s);
  EXPECT_THAT(watcher->waits, testing::Contains("a/m unavailable"));
}

TEST_F(ModelClientTest, ANewAttemptVoidsWhatWasShown) {
  const auto watcher = call();
  backend().attempt(0).sink->on_delta(TextDelta{"half an"});
  backend().finish(0, failed(FailureKind::kCut));
  EXPECT_EQ(watcher->restarts, 0);
  events_.run_for(5s);
  ASSERT_EQ(backend().count(), 2U);
  EXPECT_EQ(watcher->restarts, 1);
  backend().attempt(1).sink->on_delta(TextDelta{"a whole one"});
  backend().finish(1, answered());
  EXPECT_EQ(watcher->shown, "a whole one");
}

TEST_F(ModelClientTest, ALostAnswerIsNotPaidForAgainAndAgain) {
  const auto watcher = call();
  for (std::size_t i = 0; watcher->ends.empty(); ++i) {
    ASSERT_GT(backend().count(), i);
    backend().attempt(i).sink->on_begin();
    backend().finish(i, failed(FailureKind::kTimeout));
    if (watcher->ends.empty()) events_.run_for(5min);
  }
  EXPECT_EQ(backend().count(), 5U);
  EXPECT_EQ(watcher->failure().kind, FailureKind::kGaveUp);
}

// ---- cancelling ---------------------------------------------------------------------------------

TEST_F(ModelClientTest, CancellingARunningCallCancelsItsAttempt) {
  const auto watcher = call();
  last_call_->cancel();
  EXPECT_TRUE(backend().attempt(0).cancelled);
  EXPECT_EQ(watcher->failure().kind, FailureKind::kCancelled);
  last_call_->cancel();
  EXPECT_EQ(watcher->ends.size(), 1U);
  EXPECT_EQ(process_.governor().list()[0].running, 0U);
}

TEST_F(ModelClientTest, CancellingAWaitingCallTakesItOutOfTheQueue) {
  const auto first = call();
  const auto second = call();
  last_call_->cancel();
  EXPECT_EQ(second->failure().kind, FailureKind::kCancelled);
  EXPECT_TRUE(first->ends.empty());
  backend().finish(0, answered());
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(backend().count(), 1U);
}

TEST_F(ModelClientTest, CancellingDuringABackoffEndsTheCall) {
  backend().prepare(failed(FailureKind::kOverloaded));
  const auto watcher = call();
  last_call_->cancel();
  EXPECT_EQ(watcher->failure().kind, FailureKind::kCancelled);
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(backend().count(), 1U);
}

TEST_F(ModelClientTest, CancellingAnEndedCallChangesNothing) {
  backend().prepare(answered());
  const auto watcher = call();
  last_call_->cancel();
  EXPECT_EQ(watcher->ends.size(), 1U);
  EXPECT_TRUE(watcher->end().answered());
}

TEST_F(ModelClientTest, ATransientFailureOfACancelledCallIsItsEnd) {
  // A backend that cannot cancel: the attempt fails by itself afterwards.
  const auto watcher = call();
  auto sink = std::exchange(backend().attempt(0).sink, nullptr);
  last_call_->cancel();
  EXPECT_TRUE(watcher->ends.empty());
  sink->on_end(failed(FailureKind::kConnection));
  EXPECT_EQ(watcher->failure().kind, FailureKind::kCancelled);
}

TEST_F(ModelClientTest, ACallContinuesWithoutItsHandle) {
  const auto watcher = call();
  last_call_.reset();
  backend().finish(0, answered());
  EXPECT_TRUE(watcher->end().answered());
}

// ---- fallback -----------------------------------------------------------------------------------

TEST_F(ModelClientTest, FallsBackAfterAPermanentFailureOfOneModel) {
  configure({"a", "b", "c"}, {"b/m", "c/m"});
  backend("a").prepare(failed(FailureKind::kQuota, "a: no credit"));
  backend("b").prepare(failed(FailureKind::kUnknownModel, "b: no such model"));
  backend("c").prepare(answered());
  const auto watcher = call(to("a/m"));
  EXPECT_TRUE(watcher->end().answered());
  const CallTrace& trace = watcher->trace();
  EXPECT_EQ(trace.provider, "c");
  EXPECT_EQ(trace.model_asked, "a/m");
  ASSERT_EQ(trace.moves.size(), 2U);
  EXPECT_EQ(trace.moves[0].from + ">" + trace.moves[0].to, "a/m>b/m");
  EXPECT_EQ(trace.moves[0].reason, "quota: a: no credit");
  EXPECT_EQ(trace.moves[1].reason, "unknown_model: b: no such model");
  EXPECT_EQ(trace.attempts.size(), 3U);
}

TEST_F(ModelClientTest, TheLastFailureOfTheChainIsReported) {
  backend("a").prepare(failed(FailureKind::kBadKey));
  backend("b").prepare(failed(FailureKind::kQuota, "b: no credit"));
  CallRequest request = to("a/m");
  request.fallback = {"b/m"};
  EXPECT_EQ(call(std::move(request))->failure().message, "b: no credit");
}

TEST_F(ModelClientTest, ARefusalIsNotTakenElsewhere) {
  configure({"a", "b"}, {"b/m"});
  for (const FailureKind kind : {FailureKind::kRefused, FailureKind::kBadRequest}) {
    backend("a").prepare(failed(kind));
    EXPECT_EQ(call(to("a/m"))->failure().kind, kind);
  }
  EXPECT_EQ(backend("b").count(), 0U);
}

TEST_F(ModelClientTest, ARateLimitIsWaitedOutThoughThereIsAnotherModel) {
  configure({"a", "b"}, {"b/m"});
  backend("a").prepare(failed(FailureKind::kRateLimited), 3);
  backend("a").prepare(answered());
  const auto watcher = call(to("a/m"));
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(watcher->trace().provider, "a");
  EXPECT_EQ(backend("b").count(), 0U);
}

TEST_F(ModelClientTest, AnOpenCircuitSendsTheCallToTheNextModelAtOnce) {
  open_circuits({"a"});
  configure({"a", "b"}, {"b/m"});
  backend("b").prepare(answered());
  const std::size_t before = backend("a").count();
  const auto watcher = call(to("a/m"));
  EXPECT_TRUE(watcher->end().answered());
  EXPECT_EQ(backend("a").count(), before);
  EXPECT_THAT(watcher->trace().moves.at(0).reason, HasSubstr("a/m is unavailable"));
  EXPECT_EQ(watcher->trace().latency, 0s);
}

TEST_F(ModelClientTest, ACallThatWaitsMovesOnWhenTheCircuitOpens) {
  configure({"a", "b"}, {"b/m"});
  backend("a").prepare(failed(FailureKind::kOverloaded, "a: busy"), 3);
  backend("b").prepare(answered());
  const auto watcher = call(to("a/m"));
  events_.run_for(10s);
  ASSERT_EQ(watcher->ends.size(), 1U);
  EXPECT_EQ(watcher->trace().provider, "b");
  EXPECT_EQ(watcher->trace().retries(), 3U);
  EXPECT_EQ(watcher->trace().moves.at(0).reason, "a/m is unavailable: a: busy");
}

TEST_F(ModelClientTest, WithoutAnotherModelAnOpenCircuitIsWaitedFor) {
  open_circuits({"a"});
  backend("a").prepare(answered());
  CallRequest request = to("a/m");
  request.fallback.emplace();
  const auto watcher = call(std::move(request));
  EXPECT_TRUE(watcher->ends.empty());
  EXPECT_TRUE(events_.run_all());
  EXPECT_TRUE(watcher->end().answered());
  EXPECT_TRUE(watcher->trace().moves.empty());
}

TEST_F(ModelClientTest, IfAllAreDownTheSoonestIsWaitedFor) {
  open_circuits({"a", "b"});
  const auto lanes = process_.governor().list();
  const bool b_is_sooner = lanes[1].circuit.next_probe < lanes[0].circuit.next_probe;
  configure({"a", "b"}, {"b/m"});
  for (const char* each : {"a", "b"}) {
    backend(each).prepare_only(answered(), 2);
  }
  // Once from each side, so that both the one it is at and the other are waited for.
  const auto from_a = call(to("a/m"));
  CallRequest other = to("b/m");
  other.fallback = {"a/m"};
  const auto from_b = call(std::move(other));
  EXPECT_TRUE(from_a->ends.empty());
  EXPECT_TRUE(from_b->ends.empty());
  EXPECT_TRUE(events_.run_all());
  const std::string soonest = b_is_sooner ? "b" : "a";
  for (const auto& each : {from_a, from_b}) {
    EXPECT_TRUE(each->end().answered());
    EXPECT_EQ(each->trace().provider, soonest);
  }
  EXPECT_EQ(from_a->trace().moves.size(), b_is_sooner ? 1U : 0U);
  EXPECT_EQ(from_b->trace().moves.size(), b_is_sooner ? 0U : 1U);
}

constexpr const char* kCatalog = R"(
[a."m"]
tools = false
images = false
context = 1000
[b."m"]
tools = false
context = 1000
[c."m"]
context = 2000
)";

CallRequest with_tools() {
  CallRequest request;
  request.model = "a/m";
  request.request.tools.push_back({.name = "read"});
  return request;
}

TEST_F(ModelClientTest, AModelThatCannotDoItIsSkipped) {
  configure({"a", "b", "c"}, {"b/m", "c/m"}, kCatalog);
  backend("c").prepare(answered());
  const auto watcher = call(with_tools());
  EXPECT_TRUE(watcher->end().answered());
  ASSERT_EQ(watcher->trace().moves.size(), 1U);
  EXPECT_EQ(watcher->trace().moves[0].to, "c/m");
  EXPECT_EQ(watcher->trace().moves[0].reason,
            "a/m has no tools; passed over b/m, which has no tools");
}

TEST_F(ModelClientTest, IfNoModelIsKnownToDoItTheWantedOneIsAsked) {
  configure({"a", "b"}, {"b/m"}, kCatalog);
  backend("a").prepare(failed(FailureKind::kQuota));
  const auto watcher = call(with_tools());
  EXPECT_EQ(watcher->failure().kind, FailureKind::kQuota);
  EXPECT_EQ(backend("b").count(), 0U);
}

TEST_F(ModelClientTest, ATooLongRequestGoesOnlyToALargerWindow) {
  configure({"a", "b", "c"}, {"b/m", "c/m"}, kCatalog);
  backend("a").prepare(failed(FailureKind::kContextTooLong));
  backend("c").prepare(answered());
  const auto watcher = call(to("a/m"));
  EXPECT_TRUE(watcher->end().answered());
  EXPECT_EQ(watcher->trace().provider, "c");
  EXPECT_EQ(backend("b").count(), 0U);
}

TEST_F(ModelClientTest, ACallInFlightStaysOnItsSnapshot) {
  const auto watcher = call(to("a/m"));
  const auto old = backends_["a"];
  auto config = sim::Process::provider_config("a");
  config.endpoint.key = "another";
  ProviderSettings settings;
  settings.providers = {config};
  process_.configure(settings);
  ASSERT_NE(old, backends_["a"]);
  old->finish(0, failed(FailureKind::kCut));
  events_.run_for(5s);
  ASSERT_EQ(old->count(), 2U);
  old->finish(1, answered());
  EXPECT_TRUE(watcher->end().answered());
  EXPECT_EQ(backend("a").count(), 0U);
}

// ---- fairness and limits ------------------------------------------------------------------------

TEST_F(ModelClientTest, APlanWithManyCallsDoesNotDelayOneWithFew) {
  CallRequest busy;
  busy.plan = "busy";
  for (int i = 0; i < 1000; ++i) call(busy);
  CallRequest few;
  few.plan = "few";
  const auto watcher = call(few);
  std::size_t done = 0;
  while (watcher->ends.empty()) backend().finish(done++, answered());
  EXPECT_LE(done, 5U);
}

TEST_F(ModelClientTest, AFullQueueRefusesClearly) {
  base::SeededRandom random(1);
  base::CircuitBreaker circuits(events_.clock(), random);
  sim::SimulatedAlarms alarms(events_);
  Governor governor({events_.clock(), random, circuits, alarms}, {.queue_limit = 2});
  const auto hand = std::make_shared<HandBackend>();
  ProviderRegistry registry(
      [&](const Endpoint&) -> base::Result<std::shared_ptr<Backend>> { return hand; });
  ProviderSettings settings;
  settings.providers.push_back(sim::Process::provider_config("a"));
  registry.reconfigure(settings).value();
  ModelClient client(registry, governor, events_.clock());
  std::vector<std::shared_ptr<Watcher>> watchers;
  for (int i = 0; i < 4; ++i) {
    watchers.push_back(std::make_shared<Watcher>());
    (void)client.call({}, watchers.back());
  }
  EXPECT_EQ(watchers[3]->failure().kind, FailureKind::kGaveUp);
  EXPECT_THAT(
      watchers[3]->failure().message,
      HasSubstr(
          "2 calls already wait for this model: run fewer plans at once, or try again later"));
  EXPECT_TRUE(watchers[2]->ends.empty());
  hand->close();
}

TEST_F(ModelClientTest, ABackendThatAnswersAtOnceDoesNotMakeTheStackDeep) {
  std::vector<std::shared_ptr<Watcher>> watchers;
  for (int i = 0; i < 20'000; ++i) watchers.push_back(call());
  backend().prepare(answered(), 20'000);
  backend().finish(0, answered());
  EXPECT_TRUE(events_.run_all());
  EXPECT_EQ(
      std::ranges::count_if(watchers, [](const auto& each) { return each->ends.size() == 1; }),
      20'000);
}

// ---- waiting for the end ------------------------------------------------------------------------

TEST_F(ModelClientTest, TheBlockingCallReturnsTheEnd) {
  backend().prepare(answered("x"));
  const CallEnd end = process_.client().call_and_wait({}, {});
  EXPECT_EQ(std::get<ModelAnswer>(end.result).id, "x");
}

TEST_F(ModelClientTest, AStopCancelsTheBlockingCall) {
  base::StopSource stop;
  stop.request_stop();
  const CallEnd end = process_.client().call_and_wait({}, stop.token());
  EXPECT_EQ(std::get<Failure>(end.result).kind, FailureKind::kCancelled);
  EXPECT_TRUE(backend().attempt(0).cancelled);
}

TEST_F(ModelClientTest, ADeadlineCancelsTheBlockingCall) {
  const base::Deadline passed = base::Deadline::after(events_.clock(), 0s);
  const CallEnd end = process_.client().call_and_wait({}, {}, passed);
  EXPECT_EQ(std::get<Failure>(end.result).kind, FailureKind::kCancelled);
}

}  // namespace
}  // namespace clever::provider
