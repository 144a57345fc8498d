#include "base/log_format.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "base/random.h"
#include "base/utf8.h"

namespace clever::base {
namespace {

const WallTime kTime{std::chrono::milliseconds(1'700'000'000'007)};

LogRecord record_of(std::string message,
                    std::vector<std::pair<std::string, LogValue>> fields = {}) {
  return {kTime, LogLevel::kInfo, std::move(message), std::move(fields)};
}

void check_formats(const LogRecord& input, std::string_view text, std::string_view json) {
  EXPECT_EQ(format_text(input), "2023-11-14T22:13:20.007Z info " + std::string(text));
  EXPECT_EQ(format_json(input), R"({"time":"2023-11-14T22:13:20.007Z","level":"info","message":)" +
                                    std::string(json) + "}");
}

TEST(LogFormat, AMessageAlone) { check_formats(record_of("hello"), "hello", R"("hello")"); }

TEST(LogFormat, Numbers) {
  check_formats(record_of("n", {{"a", std::int64_t{-5}},
                                {"b", std::numeric_limits<std::uint64_t>::max()},
                                {"c", 0.1},
                                {"d", true},
                                {"e", false}}),
                "n a=-5 b=18446744073709551615 c=0.1 d=true e=false",
                R"("n","a":-5,"b":18446744073709551615,"c":0.1,"d":true,"e":false)");
}

TEST(LogFormat, NumbersThatJsonHasNot) {
  check_formats(record_of("n", {{"a", std::numeric_limits<double>::infinity()},
                                {"b", std::numeric_limits<double>::quiet_NaN()}}),
                "n a=inf b=nan", R"("n","a":"inf","b":"nan")");
}

TEST(LogFormat, TextsAreQuotedWhereTheyMustBe) {
  check_formats(
      record_of("t",
                {{"a", "plain"}, {"b", "two words"}, {"c", ""}, {"d", "x=\"y\\\""}, {"e", "ä"}}),
      R"(t a=plain b="two words" c="" d="x=\"y\\\"" e="ä")",
      R"("t","a":"plain","b":"two words","c":"","d":"x=\"y\\\"","e":"ä")");
}

TEST(LogFormat, ALineCannotBeBroken) {
  check_formats(record_of("one\ntwo\r", {{"a", "x\ny\tz"}}), R"(one\ntwo\r a="x\ny\tz")",
                R"("one\ntwo\r","a":"x\ny\tz")");
}

TEST(LogFormat, ATerminalCannotBeReached) {
  check_formats(record_of("\x1b[31m\x7f", {{"a", std::string(1, '\0') + "\xc2\x9b\u202e\u2028"}}),
                R"(\u001b[31m\u007f a="\u0000\u009b\u202e\u2028")",
                R"("\u001b[31m\u007f","a":"\u0000\u009b\u202e\u2028")");
}

TEST(LogFormat, AKeyCannotBreakTheFormat) {
  check_formats(record_of("k", {{"a b=\n", "x"}}), "k a_b__=x", R"("k","a b=\n":"x")");
}

TEST(LogFormat, ReservedKeysGiveWay) {
  check_formats(record_of("k", {{"time", "x"}, {"level", "y"}, {"message", "z"}}),
                "k time=x level=y message=z", R"("k","time_":"x","level_":"y","message_":"z")");
}

TEST(LogFormat, InvalidUtf8IsReplaced) { check_formats(record_of("\xff"), "\uFFFD", "\"\uFFFD\""); }

TEST(LogFormat, ColoursOnlyIfAsked) {
  LogRecord red = record_of("x");
  red.level = LogLevel::kError;
  EXPECT_EQ(format(red, LogFormat::kText), "2023-11-14T22:13:20.007Z error x");
  EXPECT_EQ(format(red, LogFormat::kColouredText),
            "2023-11-14T22:13:20.007Z \x1b[31merror\x1b[0m x");
  EXPECT_EQ(format(red, LogFormat::kJson), format_json(red));
}

TEST(LogFormat, TimesBefore1970AreTimesToo) {
  EXPECT_EQ(format_time(WallTime(std::chrono::milliseconds(-1))), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(format_time(WallTime{}), "1970-01-01T00:00:00.000Z");
}

TEST(LogFormat, RubbishStaysOneVisibleLine) {
  SeededRandom random(4);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes(random.below(40), '\0');
    random.fill(std::as_writable_bytes(std::span(bytes)));
    for (const auto how : {LogFormat::kText, LogFormat::kJson}) {
      const std::string line = format(record_of(bytes, {{bytes, bytes}}), how);
      for (std::size_t at = 0; at < line.size();) {
        const CodePoint next = decode_utf8(line, at);
        ASSERT_TRUE(next.valid && !is_invisible_control(next.value)) << line;
        at += next.size;
      }
    }
  }
}

}  // namespace
}  // namespace clever::base
