#include "storage/postgres/internal/wake_up.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace clever::storage::postgres {
namespace {

bool readable(const WakeUp& wake_up) {
  pollfd watched{wake_up.descriptor(), POLLIN, 0};
  return ::poll(&watched, 1, 0) == 1;
}

TEST(WakeUpTest, ItIsReadableFromSignalToClear) {
  const WakeUp wake_up = WakeUp::create().value();
  EXPECT_FALSE(readable(wake_up));
  wake_up.signal();
  wake_up.signal();
  EXPECT_TRUE(readable(wake_up));
  wake_up.clear();
  EXPECT_FALSE(readable(wake_up));
  wake_up.clear();
}

}  // namespace
}  // namespace clever::storage::postgres
