#include "clobber/worker.h"

#include <gtest/gtest.h>

#include <array>

#include "confine/confined_process.h"
#include "support/confine_launcher.h"
#include "support/tree_paths.h"

namespace clever::clobber {
namespace {

using test::path_of;

git::FileMode mode_of(const ModelFile& file) {
  if (file.link) return git::FileMode::kLink;
  return file.executable ? git::FileMode::kExecutable : git::FileMode::kFile;
}

git::ObjectId tree_of(git::ObjectStore& store, const Model& model) {
  std::vector<git::TreeChange> changes;
  for (const auto& [path, file] : model.files()) {
    const auto id = store.put(git::ObjectKind::kBlob, file.content).value();
    changes.push_back({path_of(path), git::Node{mode_of(file), id}});
  }
  return git::edit_tree(store, git::empty_tree(), std::move(changes)).value();
}

std::size_t differences(const Model& left, const Model& right) {
  std::size_t count = 0;
  for (const auto& [path, file] : left.files()) {
    const ModelFile* other = right.find(path);
    if (other == nullptr || *other != file) ++count;
  }
  for (const auto& [path, file] : right.files()) count += left.find(path) == nullptr ? 1 : 0;
  return count;
}

}  // namespace

Worker::Worker(std::shared_ptr<sandbox::Workspace> workspace, Model model,
               std::filesystem::path root, std::uint64_t seed, bool overlay)
    : workspace_(std::move(workspace)),
      base_(model),
      root_(std::move(root)),
      seed_(seed),
      overlay_(overlay),
      random_(seed),
      model_(std::move(model)) {}

void Worker::step() {
  ++steps_;
  const testing::ScopedTrace trace(
      __FILE__, __LINE__, "seed " + std::to_string(seed_) + ", step " + std::to_string(steps_));
  using Act = void (Worker::*)();
  static constexpr std::array<std::pair<unsigned, Act>, 12> kActs = {{{20, &Worker::read},
                                                                      {20, &Worker::write},
                                                                      {15, &Worker::edit},
                                                                      {10, &Worker::remove},
                                                                      {10, &Worker::move},
                                                                      {5, &Worker::set_executable},
                                                                      {3, &Worker::write_link},
                                                                      {5, &Worker::list},
                                                                      {3, &Worker::search},
                                                                      {5, &Worker::checkpoint},
                                                                      {3, &Worker::restore},
                                                                      {3, &Worker::command}}};
  unsigned all = 0;
  for (const auto& act : kActs) all += act.first;
  auto chosen = static_cast<unsigned>(below(all));
  for (const auto& [weight, act] : kActs) {
    if (chosen < weight) return (this->*act)();
    chosen -= weight;
  }
}

std::size_t Worker::below(std::size_t limit) {
  return static_cast<std::size_t>(random_.below(limit));
}

// Few names, so that files and folders get in each other's way.
std::string Worker::some_path() {
  static constexpr std::array kNames = {"p", "q", "r", "two words", "n\nl", "caf\xE9"};
  std::string path = kNames[below(kNames.size())];
  for (std::size_t depth = below(3); depth > 0; --depth) {
    path += "/" + std::string(kNames[below(kNames.size())]);
  }
  return path;
}

std::string Worker::some_file() {
  std::vector<std::string> files;
  for (const auto& [path, file] : model_.files()) {
    // What is ignored must stay so.
    if (!file.link && path != ".gitignore") files.push_back(path);
  }
  return files.empty() || below(8) == 0 ? some_path() : files[below(files.size())];
}

std::string Worker::some_content() {
  return "v" + std::to_string(random_.below(1'000'000)) + "\nalpha\nbeta beta\n";
}

void Worker::read() {
  const std::string path = some_file();
  const auto found = workspace_->read(path_of(path));
  const ModelFile* expected = model_.find(path);
  ASSERT_EQ(found.ok(), expected != nullptr) << path;
  if (expected == nullptr) return;
  EXPECT_EQ(found->content, expected->content) << path;
  EXPECT_EQ(found->executable, expected->executable) << path;
}

void Worker::write() {
  const std::string path = below(2) == 0 ? some_path() : some_file();
  const std::string content = some_content();
  EXPECT_EQ(workspace_->write(path_of(path), content).ok(), model_.write(path, content)) << path;
}

void Worker::edit() {
  const std::string path = some_file();
  const std::string from = below(3) == 0 ? "beta" : below(2) == 0 ? "alpha" : "v";
  const std::string to = from + std::to_string(below(100));
  EXPECT_EQ(workspace_->edit(path_of(path), from, to, false).ok(), model_.replace(path, from, to))
      << path;
}

void Worker::remove() {
  const std::string path = below(2) == 0 ? some_path() : some_file();
  EXPECT_EQ(workspace_->remove(path_of(path)).ok(), model_.remove(path)) << path;
}

void Worker::move() {
  const std::string from = below(2) == 0 ? some_path() : some_file();
  const std::string to = some_path();
  EXPECT_EQ(workspace_->move(path_of(from), path_of(to)).ok(), model_.move(from, to))
      << from << " to " << to;
}

void Worker::set_executable() {
  const std::string path = some_file();
  const bool executable = below(2) == 0;
  EXPECT_EQ(workspace_->set_executable(path_of(path), executable).ok(),
            model_.set_executable(path, executable))
      << path;
}

void Worker::write_link() {
  const std::string path = "link" + std::to_string(below(3));
  const std::string target = "to/" + std::to_string(below(10));
  EXPECT_EQ(workspace_->write_link(path_of(path), target).ok(), model_.write_link(path, target));
}

void Worker::list() { EXPECT_EQ(workspace_->list("", 1'000'000)->paths, model_.paths()); }

void Worker::search() {
  std::size_t expected = 0;
  for (const auto& [path, file] : model_.files()) {
    expected += !file.link && file.content.find("beta beta") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(workspace_->search({.pattern = "beta beta", .max_results = 10'000})->matches.size(),
            expected);
}

void Worker::checkpoint() {
  const auto tree = workspace_->checkpoint();
  ASSERT_TRUE(tree.ok()) << tree.error().to_string();
  if (checkpoints_.size() == 5) checkpoints_.erase(checkpoints_.begin());
  checkpoints_.emplace_back(*tree, model_);
}

void Worker::restore() {
  if (checkpoints_.empty()) return;
  const auto& [tree, model] = checkpoints_[below(checkpoints_.size())];
  const auto restored = workspace_->restore(tree);
  ASSERT_TRUE(restored.ok()) << restored.error().to_string();
  model_ = model;
}

std::string Worker::shell_change() {
  const std::string path = below(2) == 0 ? some_path() : some_file();
  const std::string quoted = "'" + path + "'";
  if (below(3) == 0) {
    model_.remove(path);
    return "rm -rf -- " + quoted + "\n";
  }
  const std::string content = some_content();
  model_.force(path, content);
  std::string script = "rm -rf -- " + quoted + "\n";
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string above = "'" + path.substr(0, slash) + "'";
    script += "test -d " + above + " || { rm -f -- " + above + "; mkdir -- " + above + "; }\n";
  }
  return script + "printf '%s' '" + content + "' > " + quoted + "\n";
}

void Worker::command() {
  std::string script = "set -e\n";
  for (std::size_t i = 1 + below(4); i > 0; --i) script += shell_change();
  // Ignored: stays on the disk, and is no change.
  script += "echo x > ignored.o\n";
  const auto shown = workspace_->begin_command({}, overlay_);
  ASSERT_TRUE(shown.ok()) << shown.error().to_string();
  const auto output = confine::run(test::confine_launcher(),
                                   {.argv = {"sh", "-c", script},
                                    .working_directory = root_,
                                    .environment = {"PATH=/usr/bin:/bin"},
                                    .mounts = shown->mounts},
                                   "", 1 << 16, {}, base::Deadline::never());
  ASSERT_TRUE(output.ok()) << output.error().to_string();
  EXPECT_EQ(output->ending.exit_code, 0) << output->error_output;
  const auto captured = workspace_->end_command();
  ASSERT_TRUE(captured.ok()) << captured.error().to_string();
  EXPECT_TRUE(captured->skipped.empty()) << captured->skipped.front();
  const testing::ScopedTrace trace(__FILE__, __LINE__, script);
  list();
}

void Worker::compare_all() {
  const testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed_));
  list();
  for (const auto& [path, file] : model_.files()) {
    if (file.link) continue;
    const auto found = workspace_->read(path_of(path));
    ASSERT_TRUE(found.ok()) << path;
    EXPECT_EQ(found->content, file.content) << path;
  }
  EXPECT_EQ(workspace_->tree().value(), tree_of(workspace_->store(), model_));
  EXPECT_EQ(workspace_->status()->size(), differences(base_, model_));
}

}  // namespace clever::clobber
