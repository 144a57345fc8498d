#include "storage/sessions.h"

#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "base/thread.h"
#include "base/ulid.h"
#include "storage/engines.h"

namespace clever::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SessionsTest : public testing::EngineTest {
 protected:
  SessionRecord begin(const std::string& name) {
    const SessionRecord session{
        .id = SessionId(ids_.next()), .name = name, .person = "ada", .project = "/srv/a"};
    EXPECT_TRUE(sessions_.add(session).ok());
    return sessions_.find(session.id).value();
  }
  std::vector<std::string> said(const SessionId& id) {
    std::vector<std::string> texts;
    for (const auto& message : sessions_.messages(id, 0, 100).value()) {
      texts.push_back(std::to_string(message.number) + " " + message.person + ": " + message.text);
    }
    return texts;
  }

  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock(), random_};
  Sessions sessions_{engine()};
};

TEST_P(SessionsTest, ASessionIsKeptUntilItIsDeleted) {
  const SessionRecord one = begin("one");
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(one.messages, 0);
  const SessionRecord two = begin("two");
  EXPECT_THAT(sessions_.list(9).value(), ElementsAre(two, one));
  EXPECT_THAT(sessions_.list(9, two.id).value(), ElementsAre(one));
  EXPECT_THAT(sessions_.list(1).value(), ElementsAre(two));
  ASSERT_TRUE(sessions_.rename(one.id, "uno").ok());
  EXPECT_EQ(sessions_.find(one.id).value().name, "uno");
  ASSERT_TRUE(sessions_.say(one.id, "ada", "hello").ok());
  ASSERT_TRUE(sessions_.remove(one.id).ok());
  EXPECT_THAT(said(one.id), IsEmpty());
  for (const auto code :
       {sessions_.find(one.id).error().code(), sessions_.remove(one.id).error().code(),
        sessions_.rename(one.id, "x").error().code(),
        sessions_.say(one.id, "ada", "x").error().code()}) {
    EXPECT_EQ(code, base::ErrorCode::kNotFound);
  }
}

TEST_P(SessionsTest, MessagesHaveOneOrderForAll) {
  const SessionRecord session = begin("one");
  EXPECT_EQ(sessions_.say(session.id, "ada", "first").value().number, 1);
  EXPECT_EQ(Sessions(engine()).say(session.id, "bob", "second").value().number, 2);
  const model::PlanId plan(ids_.next());
  ASSERT_TRUE(sessions_.set_plan(session.id, 2, plan).ok());
  EXPECT_EQ(sessions_.set_plan(session.id, 3, plan).error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(said(session.id), ElementsAre("1 ada: first", "2 bob: second"));
  const auto second = sessions_.messages(session.id, 1, 9).value();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].plan, plan);
  EXPECT_EQ(sessions_.find(session.id).value().messages, 2);
}

TEST_P(SessionsTest, ThoseWhoSpeakAtOnceGetNumbersOfTheirOwn) {
  const SessionRecord session = begin("one");
  constexpr int kEach = 20;
  {
    std::vector<std::unique_ptr<base::Thread>> people;
    for (const char* person : {"ada", "bob", "eve"}) {
      people.push_back(std::make_unique<base::Thread>("person", [&, person](const auto&) {
        for (int i = 0; i < kEach; ++i) {
          EXPECT_TRUE(Sessions(engine()).say(session.id, person, "x").ok());
        }
      }));
    }
    for (const auto& person : people) person->join();
  }
  const auto messages = sessions_.messages(session.id, 0, 100).value();
  ASSERT_THAT(messages, SizeIs(3 * kEach));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(messages[i].number, static_cast<std::int64_t>(i) + 1);
  }
}

TEST_P(SessionsTest, AForkHasWhatWasSaid) {
  const SessionRecord session = begin("one");
  ASSERT_TRUE(sessions_.say(session.id, "ada", "first").ok());
  SessionRecord fork = session;
  fork.id = SessionId(ids_.next());
  fork.parent = session.id;
  ASSERT_TRUE(sessions_.add(fork, sessions_.messages(session.id, 0, 9).value()).ok());
  EXPECT_EQ(sessions_.find(fork.id).value().parent, session.id);
  EXPECT_EQ(sessions_.say(fork.id, "bob", "second").value().number, 2);
  EXPECT_THAT(said(fork.id), ElementsAre("1 ada: first", "2 bob: second"));
  EXPECT_THAT(said(session.id), ElementsAre("1 ada: first"));
}

CLEVER_ALL_ENGINES(SessionsTest);

}  // namespace
}  // namespace clever::storage
