#include "storage/circuits.h"

#include <chrono>

#include "storage/engines.h"
#include "storage/topic_watch.h"

namespace clever::storage {
namespace {

using namespace std::chrono_literals;

class CircuitsTest : public testing::EngineTest {
 protected:
  void commit(UnitOfWork unit) { ASSERT_TRUE(engine().commit(std::move(unit)).ok()); }
  [[nodiscard]] std::vector<CircuitRecord> list() { return Circuits(engine()).list().value(); }
};

TEST_P(CircuitsTest, ShowsThoseThatOpenedAndClosedAgain) {
  EXPECT_TRUE(list().empty());
  commit(Circuits::opened("openai", "gpt", "HTTP 529", 5s));
  commit(Circuits::opened("anthropic", "opus", "HTTP 500", 5s));
  commit(Circuits::closed("openai", "gpt"));
  const auto records = list();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].provider, "anthropic");
  EXPECT_EQ(records[0].state, "open");
  EXPECT_EQ(records[0].reason, "HTTP 500");
  EXPECT_EQ(records[0].next_probe - records[0].changed, 5s);
  EXPECT_EQ(records[1].state, "closed");
}

TEST_P(CircuitsTest, AResetClosesThemAndWakesWhoWatches) {
  for (const char* provider : {"a", "b"}) commit(Circuits::opened(provider, "m", "down", 5s));
  TopicWatch watch(engine(), Circuits::kTopic);
  const auto seen = watch.changes();
  EXPECT_EQ(Circuits(engine()).reset("a").value(), 1U);
  EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
  EXPECT_EQ(list()[0].state, "closed");
  EXPECT_EQ(list()[0].resets, 1);
  EXPECT_EQ(list()[1].state, "open");
  EXPECT_EQ(Circuits(engine()).reset("").value(), 1U);
  EXPECT_EQ(list()[1].state, "closed");
  EXPECT_EQ(Circuits(engine()).reset("none").value(), 0U);
}

CLEVER_ALL_ENGINES(CircuitsTest);

}  // namespace
}  // namespace clever::storage
