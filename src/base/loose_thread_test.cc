#include "base/loose_thread.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/monitor.h"

namespace clever::base {
namespace {

TEST(LooseThread, TheDestructorJoins) {
  int result = 0;
  {
    const LooseThread thread("a name of more than fifteen characters", [&] { result = 5; });
  }
  EXPECT_EQ(result, 5);
}

TEST(LooseThread, ADetachedThreadIsNotJoined) {
  struct Shared {
    Monitor<bool> open;
    Monitor<bool> ended;
  };
  const auto shared = std::make_shared<Shared>();
  const auto is_set = [](bool value) { return value; };
  {
    LooseThread thread("lost", [shared, is_set] {
      (void)shared->open.wait({}, Deadline::never(), is_set);
      shared->ended.update([](bool& ended) { ended = true; });
    });
    thread.let_go();
    thread.let_go();
  }
  shared->open.update([](bool& open) { open = true; });
  EXPECT_TRUE(shared->ended.wait({}, Deadline::never(), is_set).ok());
}

}  // namespace
}  // namespace clever::base
