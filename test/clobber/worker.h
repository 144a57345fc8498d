#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clobber/model.h"
#include "sandbox/workspace.h"

namespace clever::clobber {

/// Does one random thing after another to a workspace and to its model, and compares. Used by one
/// thread; fails the test where they differ, and says which seed and step.
class Worker {
 public:
  Worker(std::shared_ptr<sandbox::Workspace> workspace, Model model, std::filesystem::path root,
         std::uint64_t seed, bool overlay);

  void step();
  /// Every file, its mode, the tree and what differs from the base.
  void compare_all();

 private:
  void read();
  void write();
  void edit();
  void remove();
  void move();
  void set_executable();
  void write_link();
  void list();
  void search();
  void checkpoint();
  void restore();
  void command();
  /// A line of shell, done to the model too.
  std::string shell_change();

  std::string some_path();
  std::string some_file();
  std::string some_content();
  std::size_t below(std::size_t limit);

  const std::shared_ptr<sandbox::Workspace> workspace_;
  const Model base_;
  const std::filesystem::path root_;
  const std::uint64_t seed_;
  const bool overlay_;
  base::SeededRandom random_;
  Model model_;
  std::vector<std::pair<git::ObjectId, Model>> checkpoints_;
  std::size_t steps_ = 0;
};

}  // namespace clever::clobber
