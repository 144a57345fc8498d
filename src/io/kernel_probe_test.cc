#include "io/kernel_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using test::TemporaryDirectory;

TEST(KernelProbe, NamesTheKernel) { EXPECT_THAT(kernel_name(), testing::StartsWith("Linux ")); }

TEST(KernelProbe, LandlockIsAVersionOrNone) {
  const int abi = landlock_abi();
  EXPECT_GE(abi, 0);
  EXPECT_LT(abi, 1000);
}

TEST(KernelProbe, TellsControlGroupVersionsApart) {
  const TemporaryDirectory folder;
  EXPECT_EQ(control_groups(folder.path()), ControlGroups::kNone);
  folder.write("memory/tasks", "");
  EXPECT_EQ(control_groups(folder.path()), ControlGroups::kV1);
  folder.write("unified/cgroup.controllers", "");
  EXPECT_EQ(control_groups(folder.path()), ControlGroups::kHybrid);
  folder.write("cgroup.controllers", "");
  EXPECT_EQ(control_groups(folder.path()), ControlGroups::kV2);
}

TEST(KernelProbe, ControlGroupsHaveNames) {
  EXPECT_EQ(to_string(ControlGroups::kNone), "none");
  EXPECT_EQ(to_string(ControlGroups::kV1), "version 1");
  EXPECT_EQ(to_string(ControlGroups::kV2), "version 2");
  EXPECT_EQ(to_string(ControlGroups::kHybrid), "version 1 with version 2 beside it");
}

}  // namespace
}  // namespace clever::io
