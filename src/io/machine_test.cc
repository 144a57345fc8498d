#include "io/machine.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace clever::io {
namespace {

TEST(MachineMemory, IsNoMoreThanTheMachineHas) {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  std::uint64_t kibibytes = 0;
  facts >> name >> kibibytes;
  ASSERT_EQ(name, "MemTotal:");
  EXPECT_GT(machine_memory(), 0U);
  EXPECT_LE(machine_memory(), kibibytes << 10U);
}

}  // namespace
}  // namespace clever::io
