#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "base/guarded.h"

namespace clever::base {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class FailingSink final : public LogSink {
 public:
  Result<void> write(const LogRecord&) override { return unavailable("no space left"); }
};

class ThrowingSink final : public LogSink {
 public:
  Result<void> write(const LogRecord&) override { throw std::runtime_error("broken"); }
};

// Fails the test if a disabled level does any work.
class ForbiddenClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return fail(), TimePoint{}; }
  [[nodiscard]] WallTime wall_now() const override { return fail(), WallTime{}; }
  void wait_until(CondVar&, Mutex&, TimePoint) override { fail(); }

 private:
  static void fail() { ADD_FAILURE() << "the clock was read"; }
};

class LoggerTest : public testing::Test {
 protected:
  [[nodiscard]] LogRecord last() const { return sink_->records().back(); }
  [[nodiscard]] LogValue field(std::string_view key) const {
    for (const auto& [name, value] : last().fields) {
      if (name == key) return value;
    }
    return std::string("no such field");
  }

  SimulatedClock clock_;
  std::shared_ptr<Redactor> redactor_ = std::make_shared<Redactor>();
  std::shared_ptr<CapturingSink> sink_ = std::make_shared<CapturingSink>();
  Logger logger_{clock_, redactor_, {sink_}};
};

TEST_F(LoggerTest, WritesMessageLevelTimeAndFields) {
  logger_.warning("slow", {{"plan", "01ARZ"}, {"attempt", 2}});
  EXPECT_EQ(last().message, "slow");
  EXPECT_EQ(last().level, LogLevel::kWarning);
  EXPECT_EQ(last().time, clock_.wall_now());
  EXPECT_EQ(field("plan"), LogValue(std::string("01ARZ")));
  EXPECT_EQ(field("attempt"), LogValue(std::int64_t{2}));
}

TEST_F(LoggerTest, TakesEveryKindOfValue) {
  const std::string text = "text";
  logger_.info("kinds", {{"bool", true},
                         {"int", -1},
                         {"unsigned", std::size_t{7}},
                         {"float", 1.5F},
                         {"string", text},
                         {"view", std::string_view(text)},
                         {"pointer", text.c_str()}});
  EXPECT_EQ(field("bool"), LogValue(true));
  EXPECT_EQ(field("int"), LogValue(std::int64_t{-1}));
  EXPECT_EQ(field("unsigned"), LogValue(std::uint64_t{7}));
  EXPECT_EQ(field("float"), LogValue(1.5));
  for (const auto* key : {"string", "view", "pointer"}) EXPECT_EQ(field(key), LogValue(text));
}

TEST_F(LoggerTest, WritesOnlyWhatItsLevelLetsThrough) {
  logger_.trace("1");
  logger_.debug("2");
  logger_.info("3");
  logger_.warning("4");
  logger_.error("5");
  std::string seen;
  for (const auto& record : sink_->records()) seen += record.message;
  EXPECT_EQ(seen, "345");
}

TEST_F(LoggerTest, TheLevelCanChange) {
  logger_.set_level(LogLevel::kTrace);
  logger_.trace("now");
  EXPECT_EQ(last().message, "now");
  logger_.set_level(LogLevel::kOff);
  logger_.error("not now");
  EXPECT_EQ(last().message, "now");
}

TEST_F(LoggerTest, NothingIsLoggedAtTheLevelOff) {
  logger_.set_level(LogLevel::kOff);
  EXPECT_FALSE(logger_.enabled(LogLevel::kOff));
  logger_.log(LogLevel::kOff, "never", {});
  EXPECT_TRUE(sink_->records().empty());
}

TEST_F(LoggerTest, ADisabledLevelDoesNoWork) {
  const ForbiddenClock clock;
  const Logger logger(clock, redactor_, {std::make_shared<FailingSink>()}, LogLevel::kError);
  logger.warning("not written", {{"a", 1}});
  EXPECT_EQ(logger.dropped(), 0U);
}

TEST_F(LoggerTest, AChildCarriesItsFields) {
  const Logger child = logger_.with({{"plan", "p"}}).with({{"step", 3}});
  child.info("hello", {{"x", true}});
  EXPECT_EQ(last().fields.size(), 3U);
  EXPECT_EQ(field("plan"), LogValue(std::string("p")));
  EXPECT_EQ(field("step"), LogValue(std::int64_t{3}));
  logger_.info("parent");
  EXPECT_TRUE(last().fields.empty());
}

TEST_F(LoggerTest, TheNearestFieldOfANameWins) {
  const Logger child = logger_.with({{"plan", "outer"}});
  child.with({{"plan", "inner"}}).info("x");
  EXPECT_EQ(field("plan"), LogValue(std::string("inner")));
  child.info("x", {{"plan", "call"}});
  EXPECT_EQ(field("plan"), LogValue(std::string("call")));
  EXPECT_EQ(last().fields.size(), 1U);
}

TEST_F(LoggerTest, AChildSharesItsParentsLevel) {
  const Logger child = logger_.with({{"plan", "p"}});
  logger_.set_level(LogLevel::kError);
  EXPECT_FALSE(child.enabled(LogLevel::kInfo));
}

TEST_F(LoggerTest, BoundFieldsOutliveWhatTheyWereMadeOf) {
  std::optional<Logger> child;
  {
    const std::string plan = "a plan whose name is too long to be stored inside a string object";
    child = logger_.with({{"plan", plan}});
  }
  child->info("x");
  EXPECT_THAT(std::get<std::string>(field("plan")), EndsWith("string object"));
}

TEST_F(LoggerTest, RedactsTheMessageAndEveryField) {
  redactor_->add("correct horse");
  logger_.info("password=x correct horse",
               {{"note", "Bearer abcdef123456"}, {"a", "correct horse"}});
  EXPECT_EQ(last().message, "password=[redacted] [redacted]");
  EXPECT_EQ(field("note"), LogValue(std::string("Bearer [redacted]")));
  EXPECT_EQ(field("a"), LogValue(std::string("[redacted]")));
}

TEST_F(LoggerTest, RedactsAFieldWhoseNameSaysSo) {
  logger_.with({{"api_key", "plain"}}).info("x", {{"password", 12345}, {"max_tokens", 5}});
  EXPECT_EQ(field("api_key"), LogValue(std::string("[redacted]")));
  EXPECT_EQ(field("password"), LogValue(std::string("[redacted]")));
  EXPECT_EQ(field("max_tokens"), LogValue(std::int64_t{5}));
}

TEST_F(LoggerTest, ASecretThatBecomesKnownLaterIsRedactedInBoundFields) {
  const Logger child = logger_.with({{"note", "correct horse"}});
  redactor_->add("correct horse");
  child.info("x");
  EXPECT_EQ(field("note"), LogValue(std::string("[redacted]")));
}

TEST_F(LoggerTest, CutsWhatIsTooLongAndSaysSo) {
  logger_.info(std::string(9000, 'm'),
               {{"a", std::string(8192, 'a')}, {"b", std::string(8191, 'b') + "€"}});
  EXPECT_EQ(last().message, std::string(8192, 'm') + "… (cut, 9000 bytes in all)");
  EXPECT_EQ(field("a"), LogValue(std::string(8192, 'a')));
  EXPECT_EQ(field("b"), LogValue(std::string(8191, 'b') + "… (cut, 8194 bytes in all)"));
}

TEST_F(LoggerTest, RedactsBeforeItCuts) {
  redactor_->add("correct horse");
  logger_.info(std::string(8186, ' ') + "correct horse");
  EXPECT_THAT(last().message, Not(HasSubstr("correct")));
}

TEST_F(LoggerTest, ReplacesWhatIsNotUtf8) {
  logger_.info("a\xff", {{"k\xfe", "\xc3"}});
  EXPECT_EQ(last().message, "a\uFFFD");
  EXPECT_EQ(field("k\uFFFD"), LogValue(std::string("\uFFFD")));
}

TEST_F(LoggerTest, CountsWhatASinkCouldNotWrite) {
  const Logger logger(clock_, redactor_, {std::make_shared<FailingSink>(), sink_});
  logger.info("one");
  logger.info("two");
  EXPECT_EQ(logger.dropped(), 2U);
  EXPECT_EQ(sink_->records().size(), 2U);
}

TEST_F(LoggerTest, SurvivesASinkThatThrows) {
  const Logger logger(clock_, redactor_, {std::make_shared<ThrowingSink>()});
  logger.info("one");
  EXPECT_EQ(logger.dropped(), 1U);
}

TEST_F(LoggerTest, WithoutSinksNothingIsDropped) {
  const Logger logger(clock_, redactor_, {});
  logger.error("to nobody");
  EXPECT_EQ(logger.dropped(), 0U);
}

using LoggerDeathTest = LoggerTest;

TEST_F(LoggerDeathTest, LoggingUnderALockIsABug) {
  Guarded<int> guarded;
  EXPECT_DEATH(guarded.with([this](int&) { logger_.info("under a lock"); }),
               "under a lock.*logging");
  EXPECT_DEATH(guarded.with([this](int&) { logger_.trace("disabled, too"); }), "logging");
}

TEST(LogLevel, HasNames) {
  for (const auto level : {LogLevel::kTrace, LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning,
                           LogLevel::kError, LogLevel::kOff}) {
    EXPECT_EQ(log_level_from_string(to_string(level)), level);
  }
  EXPECT_EQ(to_string(LogLevel::kWarning), "warn");
  EXPECT_EQ(log_level_from_string("loud"), std::nullopt);
  EXPECT_EQ(log_level_from_string(""), std::nullopt);
}

}  // namespace
}  // namespace clever::base
