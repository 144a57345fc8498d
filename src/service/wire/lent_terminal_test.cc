#include "service/wire/lent_terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/deadline.h"
#include "base/monitor.h"
#include "service/wire/wire_document.h"
#include "support/fake_terminal.h"

namespace clever::service {
namespace {

using testing::ElementsAre;

/// A server that does not answer the first messages, and what reached it.
struct Server {
  struct Seen {
    std::vector<std::string> messages{};
    int lost = 0;
    bool over = false;
  };
  base::Monitor<Seen> seen;

  bool take(const model::Document& typed) {
    return seen.update([&](Seen& now) {
      now.messages.push_back(std::to_string(number_at(typed, "number")) + bytes_at(typed, "text"));
      if (now.lost > 0) return --now.lost, false;
      now.over = flag_at(typed, "ended");
      return true;
    });
  }
  std::vector<std::string> messages_of(const std::shared_ptr<test::Person>& person, int lost) {
    seen.update([lost](Seen& now) { now.lost = lost; });
    const LentTerminal terminal(
        {.terminal = std::make_unique<test::FakeTerminal>(person),
         .send = [this](const model::Document& typed,
                        const base::StopToken&) { return take(typed); },
         .on_leave = [this] { seen.update([](Seen& now) { now.over = true; }); }});
    const auto is_over = [](const Seen& now) { return now.over; };
    EXPECT_TRUE(seen.wait({}, base::Deadline::never(), is_over).ok());
    return seen.read([](const Seen& now) { return now.messages; });
  }
};

TEST(LentTerminal, RepeatsAMessageAsItWasAndKeepsWhatIsTypedMeanwhile) {
  const auto person = std::make_shared<test::Person>();
  person->types("ab").types("c").goes_away();
  Server server;
  EXPECT_THAT(server.messages_of(person, 2), ElementsAre("1ab", "1ab", "1ab", "2c"));
}

TEST(LentTerminal, IsLeftWithCtrlCWhenNothingArrives) {
  const auto person = std::make_shared<test::Person>();
  person->types("ab").types("\x03");
  Server server;
  EXPECT_THAT(server.messages_of(person, 100), ElementsAre("1ab"));
}

}  // namespace
}  // namespace clever::service
