#include "io/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "base/guarded.h"
#include "io/file_descriptor.h"
#include "support/child_process.h"
#include "support/permissions.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::ErrorCode;
using test::in_child;
using test::in_unprivileged_child;
using test::permissions_of;
using test::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ReadFile, ReturnsEveryByte) {
  const TemporaryDirectory folder;
  const std::string content("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_file(folder.write("x", content)).value(), content);
}

TEST(ReadFile, ReadsAnEmptyFile) {
  const TemporaryDirectory folder;
  EXPECT_EQ(read_file(folder.write("x", "")).value(), "");
}

TEST(ReadFile, ReadsALargeFile) {
  const TemporaryDirectory folder;
  const std::string content(3'000'000, 'x');
  EXPECT_EQ(read_file(folder.write("x", content)).value(), content);
}

TEST(ReadFile, ReadsFilesThatAnnounceNoSize) {
  EXPECT_THAT(read_file("/proc/self/status").value(), HasSubstr("Pid:"));
}

TEST(ReadFile, SaysThatNothingIsThere) {
  const auto result = read_file("/nonexistent/file");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(result.error().message(), "cannot read /nonexistent/file: No such file or directory");
}

TEST(ReadFile, RefusesAFolder) {
  const TemporaryDirectory folder;
  const auto result = read_file(folder.path());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("Is a directory"));
}

TEST(ReadFile, TakesAFileOfExactlyTheLimit) {
  const TemporaryDirectory folder;
  EXPECT_EQ(read_file(folder.write("x", "12345"), 5).value(), "12345");
}

TEST(ReadFile, RefusesAFileAboveTheLimit) {
  const TemporaryDirectory folder;
  const auto result = read_file(folder.write("x", "123456"), 5);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kResourceExhausted);
  EXPECT_THAT(result.error().message(), HasSubstr("the limit of 5 bytes"));
}

TEST(ReadFile, StopsAtTheLimitOfAnEndlessFile) {
  const auto result = read_file("/dev/zero", 100'000);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kResourceExhausted);
}

TEST(ReadFile, RefusesAFifoWithoutWaiting) {
  const TemporaryDirectory folder;
  const auto fifo = folder.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const auto result = read_file(fifo);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("it is a FIFO"));
}

TEST(ReadFile, RefusesADeviceThatMayBlock) {
  const auto result = read_file("/dev/ptmx");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message(), HasSubstr("it is a device"));
}

TEST(ReadFile, SaysThatItMayNot) {
  const TemporaryDirectory folder;
  const auto file = folder.write("x", "secret");
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
  std::filesystem::permissions(file, std::filesystem::perms{0});
  EXPECT_EQ(in_unprivileged_child([&] {
              const auto result = read_file(file);
              return !result.ok() && result.error().code() == ErrorCode::kPermissionDenied ? 0 : 1;
            }),
            0);
}

TEST(ReadFile, IsRefusedUnderALock) {
  EXPECT_DEATH(
      {
        base::Guarded<int> guarded;
        guarded.with([](int&) { static_cast<void>(read_file("/dev/null")); });
      },
      "reading a file");
}

TEST(WriteFile, CreatesAFileForItsOwnerAlone) {
  const TemporaryDirectory folder;
  write_file_atomically(folder / "x", "hello").value();
  EXPECT_EQ(folder.read("x"), "hello");
  EXPECT_EQ(permissions_of(folder / "x"), 0600U);
  EXPECT_THAT(folder.names(), ElementsAre("x"));
}

TEST(WriteFile, UsesTheGivenModeForANewFile) {
  const TemporaryDirectory folder;
  write_file_atomically(folder / "x", "", 0700).value();
  EXPECT_EQ(permissions_of(folder / "x"), 0700U);
}

TEST(WriteFile, KeepsTheModeOfAnExistingFile) {
  const TemporaryDirectory folder;
  std::filesystem::permissions(folder.write("x", "old"), std::filesystem::perms{0646});
  write_file_atomically(folder / "x", "new").value();
  EXPECT_EQ(folder.read("x"), "new");
  EXPECT_EQ(permissions_of(folder / "x"), 0646U);
}

TEST(WriteFile, ReplacesTheTargetOfALink) {
  const TemporaryDirectory folder;
  folder.write("real/x", "old");
  std::filesystem::create_symlink("real/x", folder / "link");
  std::filesystem::create_symlink("link", folder / "link2");
  write_file_atomically(folder / "link2", "new").value();
  EXPECT_EQ(folder.read("real/x"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link2"));
}

TEST(WriteFile, CreatesTheTargetOfADanglingLink) {
  const TemporaryDirectory folder;
  std::filesystem::create_symlink("target", folder / "link");
  write_file_atomically(folder / "link", "new").value();
  EXPECT_EQ(folder.read("target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST(WriteFile, RefusesALoopOfLinks) {
  const TemporaryDirectory folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  const auto result = write_file_atomically(folder / "a", "new");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kInvalidArgument);
}

TEST(WriteFile, SaysThatTheFolderIsMissing) {
  const TemporaryDirectory folder;
  const auto result = write_file_atomically(folder / "no/x", "new");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
}

TEST(WriteFile, DoesNotReplaceAFolder) {
  const TemporaryDirectory folder;
  folder.write("x/inner", "kept");
  EXPECT_FALSE(write_file_atomically(folder / "x", "new").ok());
  EXPECT_EQ(folder.read("x/inner"), "kept");
  EXPECT_THAT(folder.names(), ElementsAre("x"));
}

TEST(WriteFile, LeavesTheOldFileWholeWhenTheDiskIsFull) {
  const TemporaryDirectory folder;
  folder.write("x", "old");
  EXPECT_EQ(in_child([&] {
              // The kernel refuses to grow any file beyond this, as a full disk would.
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
              const auto result = write_file_atomically(folder / "x", std::string(5000, 'n'));
              return !result.ok() && result.error().code() == ErrorCode::kResourceExhausted ? 0 : 1;
            }),
            0);
  EXPECT_EQ(folder.read("x"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("x"));
}

TEST(WriteFile, LeavesTheOldFileWholeWhenTheFolderIsNotWritable) {
  const TemporaryDirectory folder;
  std::filesystem::permissions(folder.write("x", "old"), std::filesystem::perms{0666});
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0555});
  EXPECT_EQ(in_unprivileged_child([&] {
              const auto result = write_file_atomically(folder / "x", "new");
              return !result.ok() && result.error().code() == ErrorCode::kPermissionDenied ? 0 : 1;
            }),
            0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
  EXPECT_EQ(folder.read("x"), "old");
}

TEST(WriteFile, KeepsWhatItMayOfAnotherOwnersFile) {
  const TemporaryDirectory folder;
  std::filesystem::permissions(folder.write("x", "old"), std::filesystem::perms{0664});
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0777});
  EXPECT_EQ(in_unprivileged_child(
                [&] { return write_file_atomically(folder / "x", "new").ok() ? 0 : 1; }),
            0);
  EXPECT_EQ(folder.read("x"), "new");
  EXPECT_EQ(permissions_of(folder / "x"), 0664U);
}

TEST(WriteFile, WorksWhereTheFolderCannotBeRead) {
  const TemporaryDirectory folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0333});
  EXPECT_EQ(in_unprivileged_child(
                [&] { return write_file_atomically(folder / "x", "new").ok() ? 0 : 1; }),
            0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
}

TEST(WriteFile, TakesNamesAsLongAsTheFileSystemDoes) {
  const TemporaryDirectory folder;
  const std::string name(255, 'n');
  write_file_atomically(folder / name, "new").value();
  EXPECT_EQ(folder.read(name), "new");
}

TEST(WriteFile, RemovesWhatADeadWriterLeft) {
  const TemporaryDirectory folder;
  folder.write(".x.tmp0", "half");
  write_file_atomically(folder / "x", "new").value();
  EXPECT_THAT(folder.names(), ElementsAre("x"));
}

TEST(WriteFile, LeavesTheFileOfALivingWriterAlone) {
  const TemporaryDirectory folder;
  folder.write(".x.tmp0", "half");
  const FileDescriptor other(::open((folder / ".x.tmp0").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(other.number(), LOCK_EX), 0);
  write_file_atomically(folder / "x", "new").value();
  EXPECT_EQ(folder.read("x"), "new");
  EXPECT_THAT(folder.names(), ElementsAre(".x.tmp0", "x"));
}

TEST(WriteFile, GivesUpWhenEveryNameIsTaken) {
  const TemporaryDirectory folder;
  for (int i = 0; i < 256; ++i) {
    std::filesystem::create_directory(folder / (".x.tmp" + std::to_string(i)));
  }
  const auto result = write_file_atomically(folder / "x", "new");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kResourceExhausted);
}

TEST(WriteFile, ReadersSeeOnlyWholeContentsWhileItIsReplaced) {
  const TemporaryDirectory folder;
  const std::string a(100'000, 'a');
  const std::string b(200'000, 'b');
  const auto file = folder.write("x", a);
  test::ChildProcess writer([&] {
    for (int i = 0; i < 50; ++i) {
      if (!write_file_atomically(file, i % 2 == 0 ? b : a).ok()) return 1;
    }
    return 0;
  });
  for (int i = 0; i < 200; ++i) {
    const std::string seen = read_file(file).value();
    ASSERT_TRUE(seen == a || seen == b) << seen.size();
  }
  EXPECT_EQ(writer.wait(), 0);
}

TEST(MakeDirectories, CreatesAllThatAreMissing) {
  const TemporaryDirectory folder;
  make_directories(folder / "a/b/c").value();
  EXPECT_EQ(file_kind(folder / "a/b/c"), FileKind::kDirectory);
  EXPECT_EQ(permissions_of(folder / "a"), 0700U);
}

TEST(MakeDirectories, IsContentWithWhatIsThere) {
  const TemporaryDirectory folder;
  make_directories(folder / "a").value();
  EXPECT_TRUE(make_directories(folder / "a").ok());
  EXPECT_TRUE(make_directories("/").ok());
}

TEST(MakeDirectories, SaysWhatIsInTheWay) {
  const TemporaryDirectory folder;
  folder.write("a", "file");
  const auto result = make_directories(folder / "a/b");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kAlreadyExists);
  EXPECT_THAT(result.error().message(), HasSubstr("a file with that name exists"));
}

TEST(MakeDirectories, SaysWhyNot) { EXPECT_FALSE(make_directories("/proc/nowhere").ok()); }

TEST(FileKindOf, TellsThemApart) {
  const TemporaryDirectory folder;
  EXPECT_EQ(file_kind(folder.write("x", "")), FileKind::kFile);
  EXPECT_EQ(file_kind(folder.path()), FileKind::kDirectory);
  EXPECT_EQ(file_kind("/dev/null"), FileKind::kOther);
  EXPECT_EQ(file_kind(folder / "none"), FileKind::kMissing);
}

TEST(SameFile, LooksBehindTheName) {
  const TemporaryDirectory folder;
  const auto file = folder.write("x", "");
  std::filesystem::create_symlink("x", folder / "link");
  EXPECT_TRUE(same_file(file, folder / "link"));
  EXPECT_FALSE(same_file(file, folder.path()));
  EXPECT_FALSE(same_file(folder / "none", folder / "none"));
}

TEST(AbsolutePath, RemovesDots) {
  EXPECT_EQ(absolute_path("/a/./b/../c"), "/a/c");
  EXPECT_EQ(absolute_path("x"), working_directory().value() / "x");
}

TEST(WorkingDirectory, SaysThatItIsGone) {
  EXPECT_EQ(in_child([] {
              const TemporaryDirectory folder;
              std::filesystem::current_path(folder.path());
              std::filesystem::remove_all(folder.path());
              const auto result = working_directory();
              return !result.ok() && result.error().code() == ErrorCode::kNotFound &&
                             absolute_path("x") == "x"
                         ? 0
                         : 1;
            }),
            0);
}

}  // namespace
}  // namespace clever::io
