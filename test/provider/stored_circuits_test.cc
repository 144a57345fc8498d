#include "provider/stored_circuits.h"

#include "base/monitor.h"
#include "storage/engines.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;

class StoredCircuitsTest : public storage::testing::EngineTest {
 protected:
  [[nodiscard]] storage::Circuits circuits() { return storage::Circuits(engine()); }
  // Waits until what was submitted before is written.
  void settle() { ASSERT_TRUE(circuits().reset("nobody").ok()); }

  const LaneKey kLane{"openai", "openai:0", "gpt"};
};

TEST_P(StoredCircuitsTest, OthersSeeThemOpenAndClose) {
  StoredCircuits news(engine(), clock());
  news.opened(kLane, clock().now() + 5s);
  settle();
  ASSERT_EQ(circuits().list().value().size(), 1U);
  EXPECT_EQ(circuits().list().value()[0].state, "open");
  EXPECT_EQ(circuits().list().value()[0].model, "gpt");
  news.closed(kLane);
  settle();
  EXPECT_EQ(circuits().list().value()[0].state, "closed");
}

TEST_P(StoredCircuitsTest, AResetByAPersonIsSeenOnce) {
  StoredCircuits(engine(), clock()).opened(kLane, clock().now() + 5s);
  ASSERT_TRUE(circuits().reset("").ok());  // before anybody listens
  base::Monitor<std::vector<std::string>> heard;
  ResetWatch watch(engine(), [&](const std::string& provider) {
    heard.update([&](auto& all) { all.push_back(provider); });
  });
  ASSERT_TRUE(circuits().reset("openai").ok());
  heard
      .update_when(
          {}, base::Deadline::never(), [](const auto& all) { return !all.empty(); }, [](auto&) {})
      .value();
  EXPECT_EQ(heard.read([](const auto& all) { return all; }), std::vector<std::string>{"openai"});
}

CLEVER_ALL_ENGINES(StoredCircuitsTest);

}  // namespace
}  // namespace clever::provider
