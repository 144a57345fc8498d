#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/ulid.h"
#include "model/plan_events.h"
#include "service/notice/notice_delivery.h"
#include "service/notice/notice_queue.h"
#include "support/temporary_directory.h"

namespace clever::service {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

base::Result<std::vector<NoticeTarget>> targets_of(const std::string& toml,
                                                   const io::Environment& environment = {}) {
  const test::TemporaryDirectory home;
  home.write("config.toml", toml);
  const auto settings = config::load_settings({.home = home.path()});
  if (!settings.ok()) return settings.error();
  return notice_targets(*settings, environment);
}

TEST(NoticeTargets, AreReadFromTheHome) {
  const auto targets = targets_of(
                           "[[notify]]\nname = 'chat'\nurl = 'https://chat.example/x'\n"
                           "events = ['plan.waiting']\nsecret_env = 'KEY'\n",
                           io::Environment({{"KEY", "k"}}))
                           .value();
  ASSERT_THAT(targets, SizeIs(1));
  EXPECT_EQ(targets[0].url, "https://chat.example/x");
  EXPECT_EQ(targets[0].events, std::vector<std::string>{"plan.waiting"});
  EXPECT_EQ(targets[0].secret, "k");
  EXPECT_FALSE(targets[0].allow_private);
}

TEST(NoticeTargets, MistakesAreNamed) {
  const auto mistake = [](const std::string& more) {
    const auto targets = targets_of("[[notify]]\nname = 'a'\n" + more);
    return targets.ok() ? std::string() : targets.error().sentence();
  };
  EXPECT_THAT(mistake("url = 'https://a'\nevents = ['plan.gone']\n"),
              HasSubstr("there is no event 'plan.gone'; there are plan.waiting"));
  EXPECT_THAT(mistake("url = 'ftp://a'\n"), HasSubstr("begins with https://"));
  EXPECT_THAT(mistake("command = 'x'\nurl = 'https://a'\n"), HasSubstr("url"));
}

class NoticeJobs : public ::testing::Test {
 protected:
  NoticeJobs() {
    state_.id = model::PlanId(base::UlidGenerator(clock_, random_).next());
    state_.sequence = 7;
    targets_.set({{.name = "a", .events = {"plan.waiting", "plan.complete"}},
                  {.name = "b", .events = {"plan.complete"}}});
  }

  std::size_t jobs_of(model::PlanState to) {
    storage::Append append{.plan = state_.id};
    append.events.push_back(
        model::PlanMoved{.phase = model::Phase::kExecute, .state = to}.to_event());
    add_notices(targets_, state_, append);
    return append.topics.size();
  }

  base::SystemClock clock_;
  base::SystemRandom random_;
  plan::State state_;
  NoticeTargets targets_;
};

TEST_F(NoticeJobs, GoToThoseThatHearOfTheEvent) {
  EXPECT_EQ(jobs_of(model::PlanState::kComplete), 2U);
  EXPECT_EQ(jobs_of(model::PlanState::kWaiting), 1U);
  EXPECT_EQ(jobs_of(model::PlanState::kProcessing), 0U);
  targets_.set({});
  EXPECT_EQ(jobs_of(model::PlanState::kComplete), 0U);
}

TEST_F(NoticeJobs, OfASubplanTellOnlyThatItWaits) {
  state_.parent = state_.id;
  EXPECT_EQ(jobs_of(model::PlanState::kComplete), 0U);
  EXPECT_EQ(jobs_of(model::PlanState::kWaiting), 1U);
}

TEST_F(NoticeJobs, AreReadAsTheyWereWritten) {
  const Notice notice{.event = "plan.waiting", .plan = state_.id, .sequence = 7, .target = "a"};
  EXPECT_EQ(parse_notice(to_body(notice)).value(), notice);
  EXPECT_EQ(notice.id(), state_.id.to_string() + ".7");
  EXPECT_FALSE(parse_notice("{}").ok());
}

// echo -n '5.{}' | openssl dgst -sha256 -hmac key
TEST(NoticeSignature, IsThatOfTimeAndBody) {
  const NoticeTarget target{.secret = "key"};
  EXPECT_EQ(notice_signature(target, 5, "{}"),
            "t=5,v1=9be615aec64f0d044b5ad6854ab1d893ec88617fb728d2149dcd3a3428e8c45d");
}

}  // namespace
}  // namespace clever::service
