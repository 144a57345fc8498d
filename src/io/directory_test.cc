#include "io/directory.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/thread.h"
#include "support/child_process.h"
#include "support/permissions.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::ErrorCode;
using test::in_unprivileged_child;
using test::permissions_of;
using test::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kLimit = 1U << 20U;

Directory open(const TemporaryDirectory& folder) { return Directory::open(folder.path()).value(); }

template <class T>
ErrorCode code(const base::Result<T>& result) {
  EXPECT_FALSE(result.ok());
  return result.ok() ? ErrorCode::kInternal : result.error().code();
}

std::vector<std::string> names_of(const Directory& folder, std::string_view path = "") {
  std::vector<std::string> names;
  EXPECT_TRUE(folder
                  .list(path,
                        [&](std::string_view name, EntryFacts::Kind) {
                          names.emplace_back(name);
                          return true;
                        })
                  .ok());
  std::ranges::sort(names);
  return names;
}

// Every way to name a path, with the code of its refusal.
std::vector<ErrorCode> all_codes(const Directory& folder, std::string_view path) {
  return {code(folder.open_below(path)),
          code(folder.facts(path)),
          code(folder.read_file(path, kLimit)),
          code(folder.read_link(path)),
          code(folder.open_file(path)),
          code(folder.list(path, [](std::string_view, EntryFacts::Kind) { return true; })),
          code(folder.create_file(path, "x", 0644)),
          code(folder.create_link(path, "x")),
          code(folder.make_directories(path, 0755)),
          code(folder.set_mode(path, 0644)),
          code(folder.exchange(path, "inside")),
          code(folder.exchange("inside", path)),
          code(folder.move_new(path, "new")),
          code(folder.move_new("inside", path)),
          code(folder.remove_file(path)),
          code(folder.remove_directory(path)),
          code(folder.remove_all(path)),
          code(folder.sync_file(path)),
          code(folder.sync_directory(path))};
}

struct Outside {
  TemporaryDirectory folder;
  Directory below;

  Outside() : below(make(folder)) {}
  static Directory make(const TemporaryDirectory& folder) {
    folder.write("secret/file", "secret");
    folder.write("project/inside", "inside");
    return Directory::open(folder / "project").value();
  }
  void expect_untouched() const {
    EXPECT_EQ(folder.read("secret/file"), "secret");
    EXPECT_EQ(folder.read("project/inside"), "inside");
    EXPECT_THAT(folder.names(), ElementsAre("project", "secret"));
  }
};

TEST(Directory, RefusesToLeaveThroughDots) {
  const Outside outside;
  for (const char* path :
       {"..", "../secret", "../secret/file", "a/../../secret/file", "inside/.."}) {
    EXPECT_THAT(all_codes(outside.below, path), ::testing::Each(ErrorCode::kPermissionDenied))
        << path;
  }
  outside.expect_untouched();
}

TEST(Directory, RefusesAbsolutePaths) {
  const Outside outside;
  const std::string path = (outside.folder / "secret/file").string();
  EXPECT_THAT(all_codes(outside.below, path), ::testing::Each(ErrorCode::kPermissionDenied));
  EXPECT_THAT(all_codes(outside.below, "/"), ::testing::Each(ErrorCode::kPermissionDenied));
  outside.expect_untouched();
}

TEST(Directory, RefusesALinkOnTheWay) {
  const Outside outside;
  std::filesystem::create_symlink("../secret", outside.folder / "project/link");
  EXPECT_THAT(all_codes(outside.below, "link/file"), ::testing::Each(ErrorCode::kPermissionDenied));
  outside.expect_untouched();
}

TEST(Directory, RefusesALinkOnTheWayThatStaysInside) {
  const TemporaryDirectory folder;
  folder.write("a/file", "x");
  std::filesystem::create_symlink("a", folder / "link");
  EXPECT_EQ(code(open(folder).read_file("link/file", kLimit)), ErrorCode::kPermissionDenied);
}

TEST(Directory, RefusesSpellingsThatAreNoPlainNames) {
  const Outside outside;
  for (const std::string path : {"./inside", "a//b", "inside/", ".", "a/./b"}) {
    EXPECT_THAT(all_codes(outside.below, path), ::testing::Each(ErrorCode::kInvalidArgument))
        << path;
  }
  EXPECT_THAT(all_codes(outside.below, std::string_view("a\0b", 3)),
              ::testing::Each(ErrorCode::kInvalidArgument));
  outside.expect_untouched();
}

TEST(Directory, FollowsLinksToTheFolderItself) {
  const TemporaryDirectory folder;
  folder.write("real/file", "x");
  std::filesystem::create_symlink("real", folder / "link");
  EXPECT_EQ(Directory::open(folder / "link").value().read_file("file", kLimit).value(), "x");
}

TEST(Directory, SaysThatThereIsNoFolder) {
  const TemporaryDirectory folder;
  EXPECT_EQ(code(Directory::open(folder / "missing")), ErrorCode::kNotFound);
  EXPECT_EQ(code(Directory::open(folder.write("file", "x"))), ErrorCode::kNotFound);
  EXPECT_EQ(code(open(folder).open_below("missing")), ErrorCode::kNotFound);
}

TEST(Directory, OpensFoldersBelow) {
  const TemporaryDirectory folder;
  folder.write("a/b/c", "x");
  const Directory below = open(folder).open_below("a/b").value();
  EXPECT_EQ(below.read_file("c", kLimit).value(), "x");
  EXPECT_EQ(code(below.read_file("../b/c", kLimit)), ErrorCode::kPermissionDenied);
  EXPECT_THAT(names_of(below.open_below("").value()), ElementsAre("c"));
}

TEST(Directory, TellsTheFactsOfEachKind) {
  const TemporaryDirectory folder;
  folder.write("a/file", "12345");
  std::filesystem::create_symlink("nowhere", folder / "a/link");
  ASSERT_EQ(::mkfifo((folder / "a/fifo").c_str(), 0600), 0);
  ASSERT_EQ(::chmod((folder / "a/file").c_str(), 0750), 0);
  const Directory here = open(folder);
  const EntryFacts file = here.facts("a/file").value();
  EXPECT_EQ(file.kind, EntryFacts::Kind::kFile);
  EXPECT_EQ(file.mode, 0750U);
  EXPECT_EQ(file.size, 5U);
  EXPECT_GT(file.modified, std::int64_t{1'500'000'000'000'000'000});
  EXPECT_GE(file.changed, file.modified);
  EXPECT_EQ(here.facts("a/link").value().kind, EntryFacts::Kind::kLink);
  EXPECT_EQ(here.facts("a/fifo").value().kind, EntryFacts::Kind::kOther);
  EXPECT_EQ(here.facts("a").value().kind, EntryFacts::Kind::kDirectory);
  EXPECT_EQ(here.facts("a").value(), here.open_below("a").value().facts("").value());
  EXPECT_EQ(code(here.facts("b")), ErrorCode::kNotFound);
  EXPECT_EQ(code(here.facts("a/file/b")), ErrorCode::kNotFound);
}

TEST(Directory, ReadsEveryByte) {
  const TemporaryDirectory folder;
  const std::string content("a\0b\r\n\xff", 6);
  folder.write("binary", content);
  folder.write("empty", "");
  folder.write("large", std::string(3'000'000, 'x'));
  const Directory here = open(folder);
  EXPECT_EQ(here.read_file("binary", kLimit).value(), content);
  EXPECT_EQ(here.read_file("empty", 0).value(), "");
  EXPECT_EQ(here.read_file("large", 3'000'000).value(), std::string(3'000'000, 'x'));
  EXPECT_EQ(code(here.read_file("large", 2'999'999)), ErrorCode::kResourceExhausted);
}

TEST(Directory, ReadsFilesThatAnnounceNoSize) {
  const Directory proc = Directory::open("/proc/self").value();
  EXPECT_THAT(proc.read_file("status", kLimit).value(), HasSubstr("Pid:"));
  EXPECT_EQ(code(proc.read_file("status", 10)), ErrorCode::kResourceExhausted);
}

TEST(Directory, OpensOnlyRegularFiles) {
  const TemporaryDirectory folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  const FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = (folder / "socket").string();
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  ASSERT_EQ(::bind(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  std::filesystem::create_directory(folder / "folder");
  std::filesystem::create_symlink("/etc/passwd", folder / "link");
  const Directory here = open(folder);
  // A fifo that was opened without a writer would make this wait for ever.
  EXPECT_EQ(code(here.open_file("fifo")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(here.sync_file("fifo")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(here.read_file("socket", kLimit)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(here.read_file("folder", kLimit)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(here.read_file("link", kLimit)), ErrorCode::kPermissionDenied);
  EXPECT_EQ(code(Directory::open("/dev").value().open_file("null")), ErrorCode::kInvalidArgument);
}

TEST(Directory, HashesFilesOfAnySize) {
  const TemporaryDirectory folder;
  const std::string content(300'000, 'x');
  folder.write("large", content);
  folder.write("empty", "");
  const Directory here = open(folder);
  EXPECT_EQ(here.hash_file("large").value(), base::sha256(content));
  EXPECT_EQ(here.hash_file("empty").value(), base::sha256(""));
  EXPECT_EQ(code(here.hash_file("missing")), ErrorCode::kNotFound);
}

TEST(Directory, DetectsAWriter) {
  const TemporaryDirectory folder;
  const std::filesystem::path path = folder.write("file", "x");
  const Directory here = open(folder);
  EXPECT_FALSE(here.is_being_written("file").value());
  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(here.is_being_written("file").value());
  FileDescriptor writer(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  EXPECT_TRUE(here.is_being_written("file").value());
  writer.reset();
  EXPECT_FALSE(here.is_being_written("file").value());
}

TEST(Directory, ReadsLinksOfAnyLength) {
  const TemporaryDirectory folder;
  const Directory here = open(folder);
  const std::string target(2000, 't');
  here.create_link("long", target).value();
  here.create_link("odd", "a\nb\xff").value();
  EXPECT_EQ(here.read_link("long").value(), target);
  EXPECT_EQ(here.read_link("odd").value(), "a\nb\xff");
  EXPECT_EQ(code(here.create_link("odd", "x")), ErrorCode::kAlreadyExists);
  EXPECT_EQ(code(here.create_link("nul", std::string_view("a\0b", 3))),
            ErrorCode::kInvalidArgument);
  folder.write("file", "x");
  EXPECT_EQ(code(here.read_link("file")), ErrorCode::kInvalidArgument);
}

TEST(Directory, GivesAFileOfAnotherFolderASecondName) {
  const TemporaryDirectory folder;
  folder.write("a/file", "x");
  folder.write("b/taken", "y");
  std::filesystem::create_symlink("file", folder / "a/link");
  const Directory here = open(folder);
  const Directory a = here.open_below("a").value();
  const Directory b = here.open_below("b").value();
  b.add_name_of(a, "file").value();
  b.add_name_of(a, "link").value();
  EXPECT_EQ(b.facts("file")->inode, a.facts("file")->inode);
  EXPECT_EQ(b.facts("link")->kind, EntryFacts::Kind::kLink);
  EXPECT_EQ(code(b.add_name_of(a, "file")), ErrorCode::kAlreadyExists);
  EXPECT_EQ(code(b.add_name_of(a, "missing")), ErrorCode::kNotFound);
}

TEST(Directory, ListsNamesAndKinds) {
  const TemporaryDirectory folder;
  folder.write("d/file", "x");
  std::filesystem::create_symlink("x", folder / "d/link");
  std::filesystem::create_directory(folder / "d/folder");
  std::vector<std::pair<std::string, EntryFacts::Kind>> found;
  open(folder)
      .list("d",
            [&](std::string_view name, EntryFacts::Kind kind) {
              found.emplace_back(name, kind);
              return true;
            })
      .value();
  EXPECT_THAT(found, ::testing::UnorderedElementsAre(
                         ::testing::Pair("file", EntryFacts::Kind::kFile),
                         ::testing::Pair("link", EntryFacts::Kind::kLink),
                         ::testing::Pair("folder", EntryFacts::Kind::kDirectory)));
}

TEST(Directory, ListingEndsWhenTheVisitorHasEnough) {
  const TemporaryDirectory folder;
  folder.write("a", "");
  folder.write("b", "");
  int visits = 0;
  open(folder).list("", [&](std::string_view, EntryFacts::Kind) { return ++visits < 1; }).value();
  EXPECT_EQ(visits, 1);
}

TEST(Directory, KeepsOddNames) {
  const TemporaryDirectory folder;
  const Directory here = open(folder);
  const std::vector<std::string> names = {"\x01", "\xff\xfe", "a\nb", "quote\"'", " "};
  for (const std::string& name : names) here.create_file(name, name, 0600).value();
  for (const std::string& name : names) EXPECT_EQ(here.read_file(name, kLimit).value(), name);
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  EXPECT_EQ(names_of(here), sorted);
}

TEST(Directory, RefusesNamesThatAreTooLong) {
  const TemporaryDirectory folder;
  const Directory here = open(folder);
  here.create_file(std::string(255, 'n'), "x", 0600).value();
  EXPECT_EQ(code(here.create_file(std::string(256, 'n'), "x", 0600)), ErrorCode::kInvalidArgument);
}

TEST(Directory, CreatesFilesWithExactlyTheirMode) {
  const TemporaryDirectory folder;
  const Directory here = open(folder);
  for (const mode_t mode : {0777U, 0666U, 0400U, 0000U}) {
    const std::string name = std::to_string(mode);
    here.create_file(name, "content", mode).value();
    EXPECT_EQ(permissions_of(folder / name), mode);
    EXPECT_EQ(std::filesystem::file_size(folder / name), 7U);
  }
}

TEST(Directory, CreatesNothingWhereSomethingIs) {
  const TemporaryDirectory folder;
  folder.write("file", "mine");
  std::filesystem::create_symlink("missing", folder / "link");
  const Directory here = open(folder);
  EXPECT_EQ(code(here.create_file("file", "x", 0600)), ErrorCode::kAlreadyExists);
  EXPECT_EQ(code(here.create_file("link", "x", 0600)), ErrorCode::kAlreadyExists);
  EXPECT_EQ(code(here.create_file("no/folder", "x", 0600)), ErrorCode::kNotFound);
  EXPECT_EQ(folder.read("file"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "missing"));
}

TEST(Directory, MakesTheFoldersThatAreMissing) {
  const TemporaryDirectory folder;
  const Directory here = open(folder);
  here.make_directories("a/b/c", 0700).value();
  here.make_directories("a/b/d", 0700).value();
  here.make_directories("a/b/d", 0700).value();
  EXPECT_EQ(permissions_of(folder / "a/b/c"), 0700U);
  folder.write("file", "x");
  EXPECT_EQ(code(here.make_directories("file", 0700)), ErrorCode::kAlreadyExists);
  EXPECT_EQ(code(here.make_directories("file/below", 0700)), ErrorCode::kAlreadyExists);
  std::filesystem::create_symlink("a", folder / "link");
  EXPECT_EQ(code(here.make_directories("link/below", 0700)), ErrorCode::kPermissionDenied);
  EXPECT_FALSE(std::filesystem::exists(folder / "a/below"));
}

TEST(Directory, SetsModesButNotThroughLinks) {
  const TemporaryDirectory folder;
  folder.write("file", "x");
  std::filesystem::create_symlink("file", folder / "link");
  const Directory here = open(folder);
  here.set_mode("file", 0000).value();
  EXPECT_EQ(permissions_of(folder / "file"), 0000U);
  here.set_mode("file", 0640).value();
  EXPECT_EQ(code(here.set_mode("link", 0777)), ErrorCode::kPermissionDenied);
  EXPECT_EQ(permissions_of(folder / "file"), 0640U);
  EXPECT_EQ(code(here.set_mode("missing", 0644)), ErrorCode::kNotFound);
}

TEST(Directory, ExchangesTwoThings) {
  const TemporaryDirectory folder;
  folder.write("a/one", "1");
  folder.write("two", "2");
  const Directory here = open(folder);
  here.exchange("a/one", "two").value();
  EXPECT_EQ(folder.read("a/one"), "2");
  EXPECT_EQ(folder.read("two"), "1");
  here.exchange("a", "two").value();
  EXPECT_EQ(folder.read("two/one"), "2");
  EXPECT_EQ(code(here.exchange("two", "missing")), ErrorCode::kNotFound);
  EXPECT_EQ(code(here.exchange("two", "two/one")), ErrorCode::kUnavailable);
}

TEST(Directory, MovesOnlyToWhereNothingIs) {
  const TemporaryDirectory folder;
  folder.write("one", "1");
  folder.write("two", "2");
  const Directory here = open(folder);
  EXPECT_EQ(code(here.move_new("one", "two")), ErrorCode::kAlreadyExists);
  here.move_new("one", "three").value();
  EXPECT_EQ(folder.read("three"), "1");
  EXPECT_EQ(folder.read("two"), "2");
  EXPECT_EQ(code(here.move_new("one", "four")), ErrorCode::kNotFound);
}

TEST(Directory, DoesNotMoveBetweenFileSystems) {
  const Directory root = Directory::open("/").value();
  EXPECT_EQ(code(root.move_new("proc/version", "dev/shm/version")), ErrorCode::kUnavailable);
}

TEST(Directory, RemovesFilesAndLinks) {
  const TemporaryDirectory folder;
  folder.write("d/file", "x");
  std::filesystem::create_symlink("d/file", folder / "link");
  const Directory here = open(folder);
  here.remove_file("link").value();
  EXPECT_EQ(folder.read("d/file"), "x");
  EXPECT_EQ(code(here.remove_file("d")), ErrorCode::kInvalidArgument);
  here.remove_file("d/file").value();
  EXPECT_EQ(code(here.remove_file("d/file")), ErrorCode::kNotFound);
}

TEST(Directory, RemovesFoldersThatAreEmpty) {
  const TemporaryDirectory folder;
  folder.write("d/file", "x");
  const Directory here = open(folder);
  EXPECT_EQ(code(here.remove_directory("d")), ErrorCode::kConflict);
  EXPECT_EQ(code(here.remove_directory("d/file")), ErrorCode::kInvalidArgument);
  here.remove_file("d/file").value();
  here.remove_directory("d").value();
  EXPECT_EQ(code(here.remove_directory("d")), ErrorCode::kNotFound);
}

TEST(Directory, RemovesWholeTreesWithoutFollowingLinks) {
  const Outside outside;
  outside.folder.write("project/d/a/b/c", "x");
  outside.folder.write("project/d/removed0/removed0/x", "x");
  outside.folder.write("project/d/removed1", "a file under a name that is taken");
  std::filesystem::create_symlink("../../secret", outside.folder / "project/d/link");
  std::filesystem::create_directory(outside.folder / "project/d/empty");
  ASSERT_EQ(::mkfifo((outside.folder / "project/d/a/fifo").c_str(), 0600), 0);
  outside.below.remove_all("d").value();
  outside.below.remove_all("d").value();
  EXPECT_THAT(names_of(outside.below), ElementsAre("inside"));
  outside.expect_untouched();
}

TEST(Directory, RemovesATreeOfOneFileOrLink) {
  const TemporaryDirectory folder;
  folder.write("file", "x");
  folder.write("d/kept", "x");
  std::filesystem::create_symlink("d", folder / "link");
  const Directory here = open(folder);
  here.remove_all("file").value();
  here.remove_all("link").value();
  EXPECT_EQ(folder.read("d/kept"), "x");
  EXPECT_EQ(code(here.remove_all("")), ErrorCode::kInvalidArgument);
}

TEST(Directory, RemovesTreesDeeperThanAnyPath) {
  const TemporaryDirectory folder;
  const Directory here = open(folder);
  here.make_directories("deep", 0755).value();
  Directory below = here.open_below("deep").value();
  const std::string name(100, 'd');
  for (int depth = 0; depth < 300; ++depth) {
    below.create_file("file", "x", 0400).value();
    below.make_directories(name, 0755).value();
    below = below.open_below(name).value();
  }
  here.remove_all("deep").value();
  EXPECT_THAT(names_of(here), IsEmpty());
}

TEST(Directory, RemovesFoldersThatMayNotBeRead) {
  const TemporaryDirectory folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  EXPECT_EQ(in_unprivileged_child([&] {
              const Directory here = open(folder);
              here.make_directories("d/a/b/c", 0755).value();
              here.create_file("d/a/b/file", "x", 0000).value();
              for (const char* path : {"d/a/b/c", "d/a/b", "d/a", "d"}) {
                here.set_mode(path, 0000).value();
              }
              return here.remove_all("d").ok() && names_of(here).empty() ? 0 : 1;
            }),
            0);
}

TEST(Directory, SaysWhatItMayNotDo) {
  const TemporaryDirectory folder;
  folder.write("d/file", "x");
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(in_unprivileged_child([&] {
              const Directory here = open(folder);
              const bool refused =
                  code(here.remove_all("d")) == ErrorCode::kPermissionDenied &&
                  code(here.create_file("x", "", 0600)) == ErrorCode::kPermissionDenied;
              return refused ? 0 : 1;
            }),
            0);
  EXPECT_EQ(folder.read("d/file"), "x");
}

TEST(Directory, SyncsFilesAndFolders) {
  const TemporaryDirectory folder;
  folder.write("d/file", "x");
  const Directory here = open(folder);
  here.sync_file("d/file").value();
  here.sync_directory("d").value();
  here.sync_directory("").value();
  EXPECT_EQ(code(here.sync_directory("d/file")), ErrorCode::kNotFound);
  EXPECT_EQ(code(here.sync_file("missing")), ErrorCode::kNotFound);
}

TEST(Directory, StaysInsideWhileALinkIsSwappedIn) {
  const Outside outside;
  outside.folder.write("project/d/file", "mine");
  std::filesystem::create_symlink("../secret", outside.folder / "project/link");
  int reads = 0;
  int refusals = 0;
  {
    const base::Thread swapper("swapper", [&](const base::StopToken& stop) {
      while (!stop.stop_requested()) outside.below.exchange("d", "link").value();
    });
    for (int round = 0; round < 3000; ++round) {
      const auto content = outside.below.read_file("d/file", kLimit);
      if (content.ok()) {
        EXPECT_EQ(*content, "mine");
      }
      ++(content.ok() ? reads : refusals);
      const std::string name = "d/new" + std::to_string(round);
      if (outside.below.create_file(name, "x", 0600).ok()) ++reads;
      static_cast<void>(outside.below.remove_all("d/file2"));
    }
  }
  EXPECT_THAT(names_of(Directory::open(outside.folder / "secret").value()), ElementsAre("file"));
  EXPECT_EQ(outside.folder.read("secret/file"), "secret");
  EXPECT_GT(reads, 0);
  EXPECT_GT(refusals, 0);
}

}  // namespace
}  // namespace clever::io
