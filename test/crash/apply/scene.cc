#include "crash/apply/scene.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/process.h"
#include "support/child_process.h"

namespace clever::apply::crash {
namespace {

constexpr std::uint32_t kExecutable = 0100755;
constexpr std::uint32_t kLink = 0120000;

void run(std::vector<std::string> argv) {
  const auto result = io::run_process({.argv = std::move(argv)});
  if (!result.ok() || !result->succeeded()) std::abort();
}

std::string output(const std::filesystem::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"git", "-C", folder.string()});
  const auto result = io::run_process({.argv = std::move(arguments)});
  if (!result.ok()) std::abort();
  return result->output;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string describe(const std::filesystem::directory_entry& entry) {
  struct stat status{};
  ::lstat(entry.path().c_str(), &status);
  const std::string mode = std::to_string(status.st_mode & 0777U) + " ";
  if (entry.is_symlink()) return "link " + std::filesystem::read_symlink(entry.path()).string();
  if (entry.is_directory()) return "folder " + mode;
  return "file " + mode + read(entry.path());
}

std::string name_of(std::size_t index) {
  return "f" + std::to_string(index % 7) + "/g" + std::to_string(index % 3) + "/file" +
         std::to_string(index);
}

}  // namespace

Picture picture_of(const std::filesystem::path& project) {
  Picture picture;
  auto at = std::filesystem::recursive_directory_iterator(project);
  for (; at != std::filesystem::recursive_directory_iterator(); ++at) {
    const std::string path = at->path().lexically_relative(project).string();
    if (path == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    picture[path] = describe(*at);
  }
  // Commits differ in their times; what they hold does not.
  picture["(branch)"] = output(project, {"log", "--format=%T %s"});
  picture["(index)"] = output(project, {"ls-files", "-s"});
  picture["(status)"] = output(project, {"status", "--porcelain"});
  return picture;
}

std::string differences(const Picture& found, const Picture& expected) {
  std::string text;
  for (const auto& [path, content] : found) {
    const auto other = expected.find(path);
    if (other == expected.end() || other->second != content)
      text += "found " + path + ": " + content + "\n";
  }
  for (const auto& [path, content] : expected) {
    if (!found.contains(path)) text += "missing " + path + "\n";
  }
  return text;
}

std::vector<std::string> leftovers_in(const std::filesystem::path& project) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(project)) {
    const std::string name = entry.path().filename().string();
    if (name.contains("cleveragents") || name == "index.lock") names.push_back(name);
  }
  return names;
}

bool die_at(const std::string& point, std::size_t pass, const std::function<void()>& body) {
  const int code = test::in_child([&] {
    ::setenv("CLEVER_CRASH_AT", (point + ":" + std::to_string(pass)).c_str(), /*overwrite=*/1);
    body();
    return 0;
  });
  EXPECT_TRUE(code == 0 || code == -SIGKILL) << code;
  return code == -SIGKILL;
}

std::filesystem::path new_folder() {
  const bool memory = ::access("/dev/shm", W_OK | X_OK) == 0;
  std::string name =
      ((memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
       "clever-XXXXXX")
          .string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  return std::filesystem::canonical(name);
}

Scene::Scene(Mode mode, std::size_t files) : mode_(mode) {
  add_files(files);
  const Copy copy(*this);
  before_ = copy.picture();
  // In a process of its own, as everything that passes crash points: the first pass reads the
  // order.
  const int applied = test::in_child([&] {
    const auto outcome = apply(copy.request());
    return outcome.ok() && outcome->kind == Outcome::Kind::kApplied ? 0 : 1;
  });
  if (applied != 0) std::abort();
  after_ = copy.picture();
}

void Scene::add_files(std::size_t files) {
  const auto project = git::Project::find(original_.path()).value();
  test::Changes changes(project, original_.beside("store"));
  const auto content = [](std::size_t index) { return "old " + std::to_string(index) + "\n"; };
  for (std::size_t index = 0; index < files; ++index) {
    const std::string path = name_of(index);
    const std::string old = content(index);
    const std::string after = "new " + std::to_string(index) + "\n";
    switch (index % 8) {
      case 0:
        changes.create("made" + std::to_string(index % 3) + "/deep/" + path, after);
        break;
      case 1:
        original_.write(path, old);
        changes.remove(path, old);
        break;
      case 2:
        original_.write(path, old);
        changes.add(path, changes.state(old), changes.state(old, kExecutable));
        break;
      case 3:
        original_.link(path, "a" + std::to_string(index));
        changes.modify(path, "a" + std::to_string(index), "b" + std::to_string(index), kLink);
        break;
      case 4:
        original_.write("gone/" + path, old);
        changes.remove("gone/" + path, old);
        break;
      case 5:
        changes.create(path + "-link", "target", kLink);
        break;
      default:
        original_.write(path, old);
        changes.modify(path, old, after);
    }
  }
  original_.write("becomes-folder", "x\n");
  changes.remove("becomes-folder", "x\n").create("becomes-folder/inside", "y\n");
  original_.write("becomes-file/inside", "x\n");
  changes.remove("becomes-file/inside", "x\n").create("becomes-file", "y\n");
  original_.write("kept", "kept\n");
  original_.commit("first");
  if (test::in_child([&] { return changes.store()->sync().ok() ? 0 : 1; }) != 0) std::abort();
  changes_ = changes.sorted();
}

Scene::Copy::Copy(const Scene& scene) : scene_(scene) {
  folder_ = new_folder();
  run({"cp", "-a", scene.original_.path().string(), project().string()});
  run({"cp", "-a", scene.original_.beside("store").string(), (folder_ / "store").string()});
  output(project(), {"update-index", "-q", "--refresh"});
}

Scene::Copy::~Copy() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Request Scene::Copy::request() const {
  const auto project = git::Project::find(this->project()).value();
  Request request{.project = project,
                  .store = git::ObjectStore::open(
                               {.folder = folder_ / "store", .borrowed = project.object_folders})
                               .value(),
                  .plan = scene_.plan_,
                  .digest = model::digest_of(scene_.changes_),
                  .changes = scene_.changes_,
                  .mode = scene_.mode_,
                  .message = "Change everything",
                  .expected_branch = "refs/heads/main",
                  .state_folder = folder_ / "state"};
  return request;
}

Picture Scene::Copy::picture() const { return picture_of(project()); }

base::Result<std::string> Scene::Copy::recover() const {
  return apply::recover(git::Project::find(project()).value(), folder_ / "state");
}

}  // namespace clever::apply::crash
