#include "git/snapshot.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "git/tree.h"
#include "support/child_process.h"
#include "support/repository.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using test::Repository;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<ObjectStore> store_for(const Project& project, const fs::path& folder) {
  return ObjectStore::open({.folder = folder, .borrowed = project.object_folders}).value();
}

std::vector<std::string> texts(const std::vector<TreePath>& paths) {
  std::vector<std::string> found;
  for (const TreePath& path : paths) found.push_back(path.text());
  return found;
}

// A project, a store beside it, and what a snapshot says.
struct Taken {
  explicit Taken(const Repository& repository) : Taken(repository, repository.path()) {}
  Taken(const Repository& repository, const fs::path& folder)
      : project(Project::find(folder).value()),
        store(store_for(project, repository.beside("store"))),
        snapshot(snapshot_working_tree(project, *store).value()) {}

  [[nodiscard]] std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    walk(*store, snapshot.tree, std::nullopt, [&](const std::string& path, const Node& node) {
      found[path] =
          node.mode == FileMode::kSubmodule ? "(submodule)" : store->blob(node.id).value();
      return true;
    }).value();
    return found;
  }
  [[nodiscard]] FileMode mode(std::string_view path) const {
    return find(*store, snapshot.tree, TreePath::parse(path).value()).value()->mode;
  }

  Project project;
  std::shared_ptr<ObjectStore> store;
  BaseSnapshot snapshot;
};

using Files = std::map<std::string, std::string>;

// Everything about every file below a folder: mode, time of change and content.
using Facts = std::map<std::string, std::string>;
Facts facts_of(const fs::path& folder) {
  Facts facts;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    struct stat status{};
    EXPECT_EQ(::lstat(entry.path().c_str(), &status), 0);
    std::string content;
    if (S_ISREG(status.st_mode)) {
      std::ifstream in(entry.path(), std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(in), {});
    }
    facts[entry.path()] = std::to_string(status.st_mode) + " " +
                          std::to_string(status.st_mtim.tv_sec) + "." +
                          std::to_string(status.st_mtim.tv_nsec) + " " +
                          object_id_of(ObjectKind::kBlob, content).to_hex();
  }
  return facts;
}

std::vector<std::string> changed(const Facts& before, const Facts& after) {
  std::vector<std::string> paths;
  for (const auto& [path, fact] : after) {
    const auto old = before.find(path);
    if (old == before.end() || old->second != fact) paths.push_back(path);
  }
  for (const auto& [path, fact] : before) {
    if (!after.contains(path)) paths.push_back(path);
  }
  return paths;
}

TEST(Snapshot, OfACleanTreeIsHead) {
  const Repository repository;
  repository.write("a", "1");
  repository.write("d/b", "2");
  repository.commit();
  const Taken taken(repository);
  EXPECT_EQ(taken.snapshot.tree.to_hex(), repository.head_tree());
  EXPECT_EQ(taken.snapshot.head, head_state(taken.project).value());
  EXPECT_THAT(taken.snapshot.uncommitted, IsEmpty());
  EXPECT_THAT(taken.snapshot.remarks, IsEmpty());
}

TEST(Snapshot, TakesFilesAsTheyAreOnTheDisk) {
  const Repository repository;
  repository.write(".gitignore", "*.o\n");
  for (const char* name : {"edited", "staged", "staged and edited", "deleted", "same", "d/gone"}) {
    repository.write(name, "old");
  }
  repository.commit();
  repository.write("edited", "new");
  repository.write("staged", "new");
  repository.write("staged and edited", "staged");
  repository.git({"add", "staged", "staged and edited"});
  repository.write("staged and edited", "edited");
  repository.remove("deleted");
  repository.remove("d");
  repository.write("untracked/deep", "u");
  repository.write("ignored.o", "i");
  repository.write("added but not its content", "x");
  repository.git({"add", "-N", "added but not its content"});
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{".gitignore", "*.o\n"},
                                  {"edited", "new"},
                                  {"staged", "new"},
                                  {"staged and edited", "edited"},
                                  {"same", "old"},
                                  {"untracked/deep", "u"},
                                  {"added but not its content", "x"}}));
  EXPECT_THAT(texts(taken.snapshot.uncommitted),
              ElementsAre("added but not its content", "d/gone", "deleted", "edited", "staged",
                          "staged and edited", "untracked/deep"));
}

TEST(Snapshot, EqualsWhatGitWouldCommit) {
  const Repository repository;
  repository.write("a", "1");
  repository.write("script", "2", false);
  repository.write("becomes a folder", "3");
  repository.write("becomes a file/x", "4");
  repository.write("becomes a link", "5");
  repository.commit();
  ::chmod((repository / "script").c_str(), 0755);
  repository.remove("becomes a folder");
  repository.write("becomes a folder/y", "6");
  repository.remove("becomes a file");
  repository.write("becomes a file", "7");
  repository.remove("becomes a link");
  repository.link("becomes a link", "a");
  const Taken taken(repository);
  repository.commit();
  EXPECT_EQ(taken.snapshot.tree.to_hex(), repository.head_tree());
}

TEST(Snapshot, LeavesTheRepositoryAsItWas) {
  const Repository repository;
  for (int i = 0; i < 20; ++i) repository.write("d/f" + std::to_string(i), std::to_string(i));
  repository.commit();
  repository.git({"repack", "-q", "-a", "-d"});
  repository.write("d/f1", "changed");
  repository.commit();
  repository.write("d/f1", "1");        // a content that a pack has
  repository.write("d/f2", "changed");  // and one that a loose object has
  repository.write("new", "new");
  repository.write("staged", "staged");
  repository.git({"add", "staged"});
  const Facts before = facts_of(repository.path());
  const Taken taken(repository);
  EXPECT_THAT(changed(before, facts_of(repository.path())), IsEmpty());
  EXPECT_EQ(taken.files().at("d/f1"), "1");
}

TEST(Snapshot, IsDurableAndWhole) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.write("b/c", "2");
  const Taken taken(repository);
  const auto again = store_for(taken.project, taken.store->folder());
  const auto node = find(*again, taken.snapshot.tree, TreePath::parse("b/c").value()).value();
  EXPECT_EQ(again->blob(node->id).value(), "2");
}

TEST(Snapshot, LeavesNothingBesideObjectsInTheStore) {
  const Repository repository;
  repository.write("a", "1");
  const Taken taken(repository);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(taken.store->folder())) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  EXPECT_THAT(names, ElementsAre("log", "objects"));
}

TEST(Snapshot, WorksBeforeTheFirstCommit) {
  const Repository repository;
  repository.write("a", "1");
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"a", "1"}}));
  EXPECT_THAT(texts(taken.snapshot.uncommitted), ElementsAre("a"));
}

TEST(Snapshot, OfAnEmptyRepositoryIsEmpty) {
  const Repository repository;
  EXPECT_EQ(Taken(repository).snapshot.tree, empty_tree());
}

TEST(Snapshot, WorksOnADetachedHead) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.git({"checkout", "-q", "--detach"});
  repository.write("b", "2");
  EXPECT_EQ(Taken(repository).files(), (Files{{"a", "1"}, {"b", "2"}}));
}

TEST(Snapshot, WorksInALinkedWorktree) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.git({"worktree", "add", "-q", repository.beside("linked").string()});
  std::ofstream(repository.beside("linked") / "b") << "2";
  repository.write("only in the main one", "3");
  const Taken taken(repository, repository.beside("linked"));
  EXPECT_EQ(taken.files(), (Files{{"a", "1"}, {"b", "2"}}));
}

TEST(Snapshot, OfAPlainFolderHonoursIgnoreFiles) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write(".gitignore", "build/\n");
  folder.write("a", "1");
  folder.write("d/run", "2", true);
  folder.write("build/x", "3");
  const Facts before = facts_of(folder.path());
  const Taken taken(folder);
  EXPECT_EQ(taken.files(), (Files{{".gitignore", "build/\n"}, {"a", "1"}, {"d/run", "2"}}));
  EXPECT_EQ(taken.mode("d/run"), FileMode::kExecutable);
  EXPECT_THAT(changed(before, facts_of(folder.path())), IsEmpty());
  EXPECT_THAT(texts(taken.snapshot.uncommitted), ElementsAre(".gitignore", "a", "d/run"));
}

TEST(Snapshot, KeepsNamesAndLinksAsTheyAre) {
  const Repository repository;
  repository.write("two\nlines", "1");
  repository.write("b\xff\xfe", "2");
  repository.write(" space\t", "3");
  repository.link("dangling", "nowhere");
  repository.link("loop", "loop");
  repository.link("outside", "/etc/passwd");
  repository.link("folder link", ".");
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"two\nlines", "1"},
                                  {"b\xff\xfe", "2"},
                                  {" space\t", "3"},
                                  {"dangling", "nowhere"},
                                  {"loop", "loop"},
                                  {"outside", "/etc/passwd"},
                                  {"folder link", "."}}));
  EXPECT_EQ(taken.mode("outside"), FileMode::kLink);
}

TEST(Snapshot, ConvertsLineEndsAsGitDoes) {
  const Repository repository;
  repository.write("unix", "a\nb\n");
  repository.commit();
  repository.git({"config", "core.autocrlf", "true"});
  repository.git({"config", "core.safecrlf", "true"});
  // In the index with CRLF already: git leaves such a file alone.
  repository.write("windows", "a\r\nb\r\n");
  repository.git({"-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "add", "windows"});
  repository.git({"commit", "-q", "-m", "two"});
  repository.write("windows", "a\r\nb\r\nc\r\n");
  repository.write("new", "x\r\ny\r\n");
  const Taken taken(repository);
  EXPECT_EQ(taken.files().at("windows"), "a\r\nb\r\nc\r\n");
  EXPECT_EQ(taken.files().at("new"), "x\ny\n");
  EXPECT_THAT(texts(taken.snapshot.uncommitted), ElementsAre("new", "windows"));
}

TEST(Snapshot, TakesSparseFilesAsCommitted) {
  const Repository repository;
  repository.write("in/a", "1");
  repository.write("out/b", "2");
  repository.commit();
  repository.git({"sparse-checkout", "set", "--cone", "--sparse-index", "in"});
  ASSERT_FALSE(fs::exists(repository / "out/b"));
  repository.write("in/a", "changed");
  const Facts before = facts_of(repository.path());
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"in/a", "changed"}, {"out/b", "2"}}));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("sparse")));
  EXPECT_THAT(changed(before, facts_of(repository.path())), IsEmpty());
}

TEST(Snapshot, WorksOnAShallowClone) {
  const Repository origin;
  origin.write("a", "1");
  origin.commit();
  origin.commit();
  origin.git({"clone", "-q", "--depth=1", "file://" + origin.path().string(),
              origin.beside("clone").string()});
  const Taken taken(origin, origin.beside("clone"));
  EXPECT_EQ(taken.files(), (Files{{"a", "1"}}));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("shallow")));
}

TEST(Snapshot, WorksWithASplitIndex) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.git({"update-index", "--split-index"});
  repository.write("b", "2");
  EXPECT_EQ(Taken(repository).files(), (Files{{"a", "1"}, {"b", "2"}}));
}

TEST(Snapshot, NamesSubmodules) {
  const Repository inner;
  inner.write("x", "1");
  inner.commit();
  const Repository repository;
  repository.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
                  inner.path().string(), "libs/inner"});
  repository.commit();
  repository.write("libs/inner/dirty", "not looked at");
  const Taken taken(repository);
  EXPECT_EQ(taken.snapshot.tree.to_hex(), repository.head_tree());
  EXPECT_THAT(texts(taken.snapshot.submodules), ElementsAre("libs/inner"));
  EXPECT_EQ(taken.mode("libs/inner"), FileMode::kSubmodule);
}

TEST(Snapshot, TakesTheCommitThatASubmoduleIsAt) {
  const Repository inner;
  inner.write("x", "1");
  inner.commit();
  const Repository repository;
  repository.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
                  inner.path().string(), "sub"});
  repository.commit();
  repository.git({"-C", "sub", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q",
                  "--allow-empty", "-m", "moved"});
  const Taken taken(repository);
  EXPECT_THAT(texts(taken.snapshot.uncommitted), ElementsAre("sub"));
  EXPECT_EQ(
      find(*taken.store, taken.snapshot.tree, TreePath::parse("sub").value()).value()->id.to_hex(),
      repository.line({"-C", "sub", "rev-parse", "HEAD"}));
}

TEST(Snapshot, TakesAnEmbeddedRepositoryAsASubmodule) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.git({"init", "-q", "with commit"});
  repository.git({"-C", "with commit", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q",
                  "--allow-empty", "-m", "x"});
  repository.git({"init", "-q", "without"});
  repository.write("without/file", "y");
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"a", "1"}, {"with commit", "(submodule)"}}));
  EXPECT_THAT(texts(taken.snapshot.submodules), ElementsAre("with commit"));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("'with commit' is a repository")));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("'without' is left out")));
}

TEST(Snapshot, LeavesOutAHugeFileWithoutReadingIt) {
  const Repository repository;
  repository.write("tracked", "small");
  repository.commit();
  for (const char* name : {"huge", "tracked"}) {
    repository.write(name, "");
    fs::resize_file(repository / name, std::uintmax_t{4} << 30U);
  }
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"tracked", "small"}}));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("'huge' is left out: it has 4294967296")));
}

TEST(Snapshot, RefusesMoreThanADiskShouldTake) {
  const Repository repository;
  for (int i = 0; i < 9; ++i) {
    const std::string name = "large" + std::to_string(i);
    repository.write(name, "");
    fs::resize_file(repository / name, std::uintmax_t{1} << 30U);
  }
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  EXPECT_EQ(snapshot_working_tree(project, *store).error().code(), ErrorCode::kResourceExhausted);
}

TEST(Snapshot, LeavesOutWhatIsNotAFile) {
  const Repository repository;
  repository.write("was a file", "1");
  repository.write("a", "2");
  repository.commit();
  repository.remove("was a file");
  ASSERT_EQ(::mkfifo((repository / "was a file").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((repository / "fifo").c_str(), 0600), 0);
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"a", "2"}}));
}

TEST(Snapshot, LeavesOutNamesThatMeanDotGitElsewhere) {
  const Repository repository;
  repository.write("a", "1");
  repository.write("git~2", "2");
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"a", "1"}}));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("'git~2' is left out")));
}

// What a snapshot of a plain folder holds and says when root's power is gone.
std::string seen_without_power(const Repository& folder) {
  for (const fs::path& path : {folder.path(), folder.path().parent_path()}) {
    fs::permissions(path, fs::perms::all);
  }
  const fs::path answer = folder.beside("answer");
  EXPECT_EQ(test::in_unprivileged_child([&] {
              const Project project = Project::find(folder.path()).value();
              const auto store = store_for(project, folder.beside("store"));
              const auto snapshot = snapshot_working_tree(project, *store);
              if (!snapshot.ok()) return 1;
              std::ofstream out(answer);
              for (const TreePath& path : snapshot->uncommitted) out << path.text() << '\n';
              for (const std::string& remark : snapshot->remarks) out << remark << '\n';
              return 0;
            }),
            0);
  std::ifstream in(answer);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Snapshot, LeavesOutUnreadableFiles) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("a", "1");
  folder.write("secret", "2");
  folder.write("locked/x", "3");
  fs::permissions(folder / "secret", fs::perms::none);
  fs::permissions(folder / "locked", fs::perms::none);
  const std::string seen = seen_without_power(folder);
  fs::permissions(folder / "locked", fs::perms::all);
  EXPECT_THAT(seen, testing::StartsWith("a\n"));
  EXPECT_THAT(seen, HasSubstr("'secret' is left out: it cannot be read"));
  EXPECT_THAT(seen, HasSubstr("could not open directory 'locked/'"));
}

TEST(Snapshot, NamesFilesUnderAFilter) {
  const Repository repository;
  repository.git({"config", "filter.upper.clean", "tr a-z A-Z"});
  repository.write(".gitattributes", "*.txt filter=upper\n*.md -filter\n");
  repository.write("a.txt", "content");
  repository.write("b.md", "content");
  repository.commit();
  repository.write("a.txt", "changed");
  const Taken taken(repository);
  EXPECT_THAT(texts(taken.snapshot.filtered), ElementsAre("a.txt"));
  EXPECT_EQ(taken.files().at("a.txt"), "CHANGED");
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("external filter")));
}

TEST(Snapshot, FindsFiltersThatOnlyTheRepositoryKnows) {
  const Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  fs::create_directories(repository / ".git/info");
  std::ofstream(repository / ".git/info/attributes") << "*.txt filter=x\n";
  EXPECT_THAT(texts(Taken(repository).snapshot.filtered), ElementsAre("a.txt"));
}

TEST(Snapshot, FindsFiltersOfTheUser) {
  const Repository repository;
  repository.write("a.txt", "content");
  repository.commit();
  std::ofstream(repository.beside("attributes")) << "*.txt filter=x\n";
  repository.git({"config", "core.attributesFile", repository.beside("attributes").string()});
  EXPECT_THAT(texts(Taken(repository).snapshot.filtered), ElementsAre("a.txt"));
}

TEST(Snapshot, RefusesInTheMiddleOfAMerge) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.git({"checkout", "-q", "-b", "other"});
  repository.write("a", "2");
  repository.commit();
  repository.git({"checkout", "-q", "main"});
  repository.write("a", "3");
  repository.commit();
  (void)repository.run({"merge", "other"});
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  const auto during = snapshot_working_tree(project, *store);
  EXPECT_EQ(during.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(during.error().message(), HasSubstr("git merge --abort"));
  fs::remove(repository / ".git/MERGE_HEAD");
  const auto unmerged = snapshot_working_tree(project, *store);
  EXPECT_EQ(unmerged.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(unmerged.error().message(), HasSubstr("unmerged paths: 'a'"));
}

TEST(Snapshot, WorksDuringABisect) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.git({"bisect", "start"});
  EXPECT_THAT(Taken(repository).snapshot.remarks, Contains(HasSubstr("bisect")));
}

TEST(Snapshot, NamesADamagedIndex) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  std::ofstream(repository / ".git/index") << "no index";
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  EXPECT_EQ(snapshot_working_tree(project, *store).error().code(), ErrorCode::kCorruption);
}

TEST(Snapshot, CanBeStopped) {
  const Repository repository;
  repository.write("a", "1");
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(snapshot_working_tree(project, *store, stop.token()).error().code(),
            ErrorCode::kCancelled);
}

TEST(Snapshot, TakesAFolderOfManyFiles) {
  const Repository repository;
  for (int i = 0; i < 2000; ++i) repository.write("many/f" + std::to_string(i), "same");
  const Taken taken(repository);
  EXPECT_EQ(taken.snapshot.uncommitted.size(), 2000U);
}

TEST(Snapshot, SeesAnEditThatKeepsSizeAndComesAtOnce) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  repository.write("a", "2");
  EXPECT_EQ(Taken(repository).files(), (Files{{"a", "2"}}));
}

TEST(SnapshotReference, TakesACommit) {
  const Repository repository;
  repository.write("a", "1");
  repository.commit();
  const std::string tree = repository.head_tree();
  repository.git({"tag", "-a", "-m", "x", "v1"});
  repository.write("a", "2");
  repository.commit();
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  for (const char* reference : {"HEAD~1", "v1", "main^"}) {
    const auto snapshot = snapshot_reference(project, *store, reference).value();
    EXPECT_EQ(snapshot.tree.to_hex(), tree) << reference;
    EXPECT_EQ(snapshot.head, head_state(project).value());
    EXPECT_THAT(snapshot.uncommitted, IsEmpty());
  }
}

TEST(SnapshotReference, FindsTheCommitItself) {
  const Repository repository;
  const std::string commit = repository.commit();
  const Project project = Project::find(repository.path()).value();
  EXPECT_EQ(find_commit(project, "main").value().to_hex(), commit);
  EXPECT_EQ(find_commit(project, "nowhere").error().code(), ErrorCode::kNotFound);
  const Repository folder(Repository::Kind::kPlainFolder);
  EXPECT_EQ(find_commit(Project::find(folder.path()).value(), "main").error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(SnapshotReference, NamesWhatIsNear) {
  const Repository repository;
  repository.commit();
  repository.git({"branch", "feature/login"});
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  const auto error = [&](std::string_view reference) {
    return snapshot_reference(project, *store, reference).error();
  };
  EXPECT_EQ(error("feature/logni").code(), ErrorCode::kNotFound);
  EXPECT_THAT(error("feature/logni").message(), HasSubstr("did you mean 'feature/login'"));
  EXPECT_THAT(error("zzz").message(), HasSubstr("there are feature/login, main"));
  EXPECT_EQ(error("--help").code(), ErrorCode::kNotFound);
  EXPECT_EQ(error("").code(), ErrorCode::kInvalidArgument);
}

TEST(SnapshotReference, HasNoneToNameInAnEmptyRepository) {
  const Repository repository;
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  EXPECT_THAT(snapshot_reference(project, *store, "main").error().message(),
              HasSubstr("the repository has none"));
}

TEST(SnapshotReference, NamesSubmodulesAndFilters) {
  const Repository repository;
  repository.write(".gitattributes", "*.txt filter=x\n");
  repository.write("a.txt", "content");
  repository.git({"init", "-q", "sub"});
  repository.git({"-C", "sub", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q",
                  "--allow-empty", "-m", "x"});
  repository.git({"-c", "advice.addEmbeddedRepo=false", "add", "-A"});
  repository.git({"commit", "-q", "-m", "all"});
  const Project project = Project::find(repository.path()).value();
  const auto store = store_for(project, repository.beside("store"));
  const auto snapshot = snapshot_reference(project, *store, "main").value();
  EXPECT_THAT(texts(snapshot.submodules), ElementsAre("sub"));
  EXPECT_THAT(texts(snapshot.filtered), ElementsAre("a.txt"));
}

TEST(SnapshotReference, NeedsARepository) {
  const Repository folder(Repository::Kind::kPlainFolder);
  const Project project = Project::find(folder.path()).value();
  const auto store = store_for(project, folder.beside("store"));
  EXPECT_EQ(snapshot_reference(project, *store, "main").error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(Snapshot, SecretsAreNoPartOfIt) {
  const Repository repository;
  repository.write("a.txt", "a");
  repository.write(".env", "KEY=committed");
  repository.write("keys/.ssh/id_rsa", "private");
  repository.write(".npmrc", "registry=https://r.example\n");
  repository.write("web/.npmrc", "//r.example/:_authToken=abc\n");
  repository.commit();
  repository.write(".env", "KEY=changed");
  repository.write("new/.netrc", "password x");
  repository.write(".npmrc", "registry=https://s.example\n");
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{".npmrc", "registry=https://s.example\n"}, {"a.txt", "a"}}));
  EXPECT_THAT(texts(taken.snapshot.hidden),
              ElementsAre(".env", "keys/.ssh/id_rsa", "new/.netrc", "web/.npmrc"));
  EXPECT_THAT(texts(taken.snapshot.uncommitted), ElementsAre(".npmrc"));
  EXPECT_THAT(taken.snapshot.remarks, Contains(HasSubstr("'.env'")));
  // Nor is their content in the store.
  for (const char* content : {"KEY=changed", "password x"}) {
    EXPECT_FALSE(taken.store->contains(object_id_of(ObjectKind::kBlob, content)).value());
  }
}

TEST(Snapshot, SecretsAreNoPartOfACommit) {
  const Repository repository;
  repository.write("a.txt", "a");
  repository.write(".env", "KEY=committed");
  repository.commit();
  Taken taken(repository);
  taken.snapshot = snapshot_reference(taken.project, *taken.store, "HEAD").value();
  EXPECT_EQ(taken.files(), (Files{{"a.txt", "a"}}));
  EXPECT_THAT(texts(taken.snapshot.hidden), ElementsAre(".env"));
}

TEST(Snapshot, SecretsOfAPlainFolderAreNoPartOfIt) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("a.txt", "a");
  folder.write(".ssh/id_rsa", "private");
  folder.write(".env.example", "KEY=");
  EXPECT_EQ(Taken(folder).files(), (Files{{".env.example", "KEY="}, {"a.txt", "a"}}));
}

TEST(Snapshot, ASecretThatWasRemovedFromTheIndexIsHidden) {
  const Repository repository;
  repository.write("a.txt", "a");
  repository.write(".env", "KEY=committed");
  repository.commit();
  repository.git({"rm", "-q", "--cached", ".env"});
  const Taken taken(repository);
  EXPECT_EQ(taken.files(), (Files{{"a.txt", "a"}}));
  EXPECT_THAT(taken.snapshot.uncommitted, IsEmpty());
}

TEST(Snapshot, ShowsFilesListedByName) {
  const Repository repository;
  repository.write(".env", "KEY=a");
  repository.commit();
  const Project project = Project::find(repository.path(), {.include = {".env"}}).value();
  const auto store = store_for(project, repository.beside("store"));
  EXPECT_THAT(snapshot_working_tree(project, *store).value().hidden, IsEmpty());
}

}  // namespace
}  // namespace clever::git
