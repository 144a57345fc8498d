// What sandboxes cost on a real repository, beside what people use instead. Prints JSON.
//
//   sandbox_bench REPOSITORY SCRATCH
//
//   snapshot    the working tree of the repository into a plan's store; peer: git status
//   workspace   one more workspace on that base, edited once; peer: git worktree add
//   thousand    1,000 workspaces with ten edits each in this process: memory, locks of git
//   checkpoint  ten changed files, synced; limit: one fdatasync of the same bytes
//   search      without an index; peer: ripgrep
//   merge       100 children with ten files each, and 50 and 25: linear?
//   materialise the first and the second workspace on a base become what a command sees
//   new_files   4,000, 16,000 and 100,000 files of a command are taken over; peer: git add
//   survivors   children that edit and merge at once: how many land; peer: git worktrees
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/thread.h"
#include "base/thread_pool.h"
#include "diff/merge.h"
#include "git/object_store.h"
#include "git/project.h"
#include "git/snapshot.h"
#include "io/process.h"
#include "measure.h"
#include "sandbox/workspace.h"

namespace clever::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using sandbox::Workspace;

double milliseconds(const std::function<void()>& work) {
  const auto begin = SteadyClock::now();
  work();
  return microseconds_since(begin) / 1000;
}

double median_of(int times, const std::function<void()>& work) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) all.push_back(milliseconds(work));
  return median(std::move(all));
}

io::ProcessResult command(const fs::path& folder, std::vector<std::string> argv) {
  return io::run_process({.argv = std::move(argv), .working_directory = folder}).value();
}

void git(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(),
                   {"git", "-c", "user.name=b", "-c", "user.email=b@example.org"});
  const auto result = command(folder, std::move(arguments));
  if (!result.succeeded()) std::fprintf(stderr, "git: %s\n", result.error_output.c_str());
}

git::TreePath path(const std::string& text) { return git::TreePath::parse(text).value(); }

class Bench {
 public:
  Bench(fs::path repository, fs::path scratch)
      : repository_(std::move(repository)),
        scratch_(std::move(scratch)),
        project_(git::Project::find(repository_).value()) {
    store_ = new_store();
    base_ =
        std::make_shared<git::BaseSnapshot>(git::snapshot_working_tree(project_, *store_).value());
    files_ = open_workspace()->list("**/*.c", 2000).value().paths;
    if (files_.size() < 1000) {
      files_ = open_workspace()->list("", 100'000).value().paths;
    }
  }

  ordered_json run() {
    return {{"files", count_files()},  {"snapshot", snapshot()},       {"workspace", workspace()},
            {"thousand", thousand()},  {"checkpoint", checkpoint()},   {"search", search()},
            {"merge", merge()},        {"materialise", materialise()}, {"new_files", new_files()},
            {"survivors", survivors()}};
  }

 private:
  fs::path next_folder() { return scratch_ / std::to_string(++folders_); }

  std::shared_ptr<git::ObjectStore> new_store() {
    return git::ObjectStore::open({.folder = next_folder(), .borrowed = project_.object_folders})
        .value();
  }

  std::shared_ptr<Workspace> open_workspace() {
    return Workspace::open({.store = store_,
                            .base = base_,
                            .project_root = project_.root,
                            .folder = next_folder(),
                            .shared_folder = scratch_ / "bases",
                            .pool = &pool_})
        .value();
  }

  void edit(Workspace& workspace, std::size_t from, std::size_t count, const std::string& word) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = path(files_[(from + i) % files_.size()]);
      std::string content = workspace.read(place).value().content;
      workspace.write(place, content.insert(0, "/* " + word + " */\n")).value();
    }
  }

  std::size_t count_files() { return open_workspace()->list("", 1'000'000).value().paths.size(); }

  ordered_json snapshot() {
    const auto status = [&] { command(repository_, {"git", "status", "--porcelain"}); };
    status();
    const double peer = median_of(5, status);
    const double ours = median_of(5, [&] {
      const auto store = new_store();
      (void)git::snapshot_working_tree(project_, *store).value();
    });
    return {{"ours_ms", ours}, {"git_status_ms", peer}, {"ratio", peer / ours}};
  }

  ordered_json workspace() {
    int number = 0;
    const double peer = median_of(3, [&] {
      git(repository_, {"worktree", "add", "-q", "--detach",
                        (scratch_ / ("worktree" + std::to_string(++number))).string(), "HEAD"});
    });
    for (int i = 1; i <= number; ++i) {
      git(repository_, {"worktree", "remove", "--force",
                        (scratch_ / ("worktree" + std::to_string(i))).string()});
    }
    std::size_t turn = 0;
    const double ours = median_of(200, [&] { edit(*open_workspace(), turn++, 1, "once"); });
    return {{"ours_ms", ours}, {"git_worktree_add_ms", peer}, {"ratio", peer / ours}};
  }

  ordered_json thousand() {
    const double before = resident_kib();
    std::vector<std::shared_ptr<Workspace>> all;
    const double took = milliseconds([&] {
      for (std::size_t i = 0; i < 1000; ++i) {
        all.push_back(open_workspace());
        edit(*all.back(), i * 10, 10, std::to_string(i));
      }
    });
    const double each = (resident_kib() - before) / 1000;
    std::size_t locks = 0;
    for (const fs::path& folder : {project_.git_folder, scratch_}) {
      for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".lock") ++locks;
      }
    }
    return {{"memory_kib_each", each}, {"git_lock_files", locks}, {"ms_each", took / 1000}};
  }

  ordered_json checkpoint() {
    const auto workspace = open_workspace();
    std::vector<double> all;
    std::vector<double> raw;
    const fs::path file = scratch_ / "raw";
    const int descriptor = ::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    const std::string bytes(64 << 10, 'x');
    for (std::size_t i = 0; i < 100; ++i) {
      edit(*workspace, i * 10, 10, "checkpoint " + std::to_string(i));
      all.push_back(milliseconds([&] { workspace->checkpoint().value(); }));
      raw.push_back(milliseconds([&] {
        (void)!::write(descriptor, bytes.data(), bytes.size());
        ::fdatasync(descriptor);
      }));
    }
    ::close(descriptor);
    std::ranges::sort(all);
    const double sync = median(raw);
    return {{"median_ms", all[50]},
            {"p95_ms", all[95]},
            {"fdatasync_of_64_kib_ms", sync},
            {"times_that", all[50] / sync}};
  }

  ordered_json search() {
    ordered_json result;
    struct Case {
      std::string name;
      std::string pattern;
      bool regex;
    };
    const auto workspace = open_workspace();
    edit(*workspace, 0, 10, "searched");
    for (const Case& one :
         {Case{"rare", "spin_lock_irqsave_nested", false}, Case{"common", "mutex_lock", false},
          Case{"regex", "static int [a-z]+_probe\\(struct [a-z_]+ \\*pdev", true}}) {
      std::size_t found = 0;
      const double ours = median_of(3, [&] {
        found = workspace
                    ->search({.pattern = one.pattern, .regex = one.regex, .max_results = 1'000'000})
                    .value()
                    .matches.size();
      });
      std::vector<std::string> argv{"rg", "--hidden", "--no-messages", "-n"};
      if (!one.regex) argv.push_back("-F");
      argv.push_back("-e");
      argv.push_back(one.pattern);
      argv.push_back("./");
      std::size_t lines = 0;
      const double peer = median_of(3, [&] {
        const auto output = io::run_process({.argv = argv,
                                             .working_directory = repository_,
                                             .output_limit = std::size_t{1} << 30U})
                                .value()
                                .output;
        lines = static_cast<std::size_t>(std::ranges::count(output, '\n'));
      });
      result[one.name] = {{"ours_ms", ours},
                          {"ripgrep_ms", peer},
                          {"ours_over_ripgrep", ours / peer},
                          {"matches", found},
                          {"ripgrep_lines", lines}};
    }
    return result;
  }

  ordered_json merge() {
    ordered_json result;
    for (const std::size_t count : {25U, 50U, 100U}) {
      std::vector<diff::Child> children;
      for (std::size_t i = 0; i < count; ++i) {
        const auto workspace = open_workspace();
        edit(*workspace, i * 10, 10, "child " + std::to_string(i));
        children.push_back({"child " + std::to_string(i), base_->tree, workspace->tree().value()});
      }
      const double took = milliseconds([&] {
        const auto merged =
            diff::merge(*store_, base_->tree, children, diff::MergeStrategy::kGitThreeWay);
        if (!merged.ok() || !merged->clean()) std::fprintf(stderr, "merge: not clean\n");
      });
      result[std::to_string(count)] = {{"ms", took},
                                       {"ms_per_child", took / static_cast<double>(count)}};
    }
    return result;
  }

  ordered_json materialise() {
    const auto once = [&] {
      const auto workspace = open_workspace();
      edit(*workspace, 0, 10, "materialised");
      const double took = milliseconds([&] { workspace->begin_command({}, true).value(); });
      workspace->end_command().value();
      return took;
    };
    const double first = once();
    std::vector<double> later;
    for (int i = 0; i < 9; ++i) later.push_back(once());
    return {{"first_ms", first}, {"second_ms", later[0]}, {"later_median_ms", median(later)}};
  }

  static void make_files(const fs::path& folder, std::size_t count, bool in_one) {
    constexpr std::size_t kInEach = 20;
    for (std::size_t i = 0; i < count; ++i) {
      const fs::path below =
          folder / (in_one ? std::string("all") : "d" + std::to_string(i / kInEach));
      if (i == 0 || (!in_one && i % kInEach == 0)) fs::create_directories(below);
      std::ofstream(below / ("f" + std::to_string(i))) << "file " << i << "\n";
    }
  }

  // What a command made is taken over and synced.
  ordered_json new_files_of(std::size_t count, bool in_one) {
    const fs::path main = next_folder();
    fs::create_directories(main);
    std::ofstream(main / "first") << "first\n";
    git(main, {"init", "-q"});
    git(main, {"add", "-A"});
    git(main, {"commit", "-qm", "first"});
    const auto project = git::Project::find(main).value();
    const std::shared_ptr<git::ObjectStore> store =
        git::ObjectStore::open({.folder = next_folder(), .borrowed = project.object_folders})
            .value();
    const auto workspace =
        Workspace::open({.store = store,
                         .base = std::make_shared<git::BaseSnapshot>(
                             git::snapshot_working_tree(project, *store).value()),
                         .project_root = project.root,
                         .folder = next_folder(),
                         .shared_folder = next_folder(),
                         .pool = &pool_})
            .value();
    const auto shown = workspace->begin_command({}, false).value();
    make_files(shown.mounts.front().source, count, in_one);
    std::size_t taken = 0;
    const double ours = milliseconds([&] {
      taken = workspace->end_command().value().changes.size();
      workspace->checkpoint().value();
    });
    make_files(main, count, in_one);
    const double peer = milliseconds([&] { git(main, {"add", "-A"}); });
    return {{"files", taken}, {"ours_ms", ours}, {"git_add_ms", peer}, {"times_that", ours / peer}};
  }

  ordered_json new_files() {
    ordered_json result;
    for (const std::size_t count : {4'000U, 16'000U, 100'000U}) {
      result[std::to_string(count)] = {{"many_folders", new_files_of(count, false)},
                                       {"one_folder", new_files_of(count, true)}};
    }
    return result;
  }

  // Children edit a file each of one repository and land their work on it, all at once.
  std::size_t ours_surviving(std::size_t count) {
    std::vector<git::ObjectId> trees(count);
    {
      std::vector<std::unique_ptr<base::Thread>> threads;
      for (std::size_t i = 0; i < count; ++i) {
        threads.push_back(std::make_unique<base::Thread>("child", [&, i](const base::StopToken&) {
          const auto workspace =
              open_workspace_named("survivor" + std::to_string(count) + "-" + std::to_string(i));
          edit(*workspace, i, 1, "survivor " + std::to_string(i));
          trees[i] = workspace->checkpoint().value();
        }));
      }
    }
    std::vector<diff::Child> children;
    for (std::size_t i = 0; i < count; ++i)
      children.push_back({std::to_string(i), base_->tree, trees[i]});
    const auto merged =
        diff::merge(*store_, base_->tree, children, diff::MergeStrategy::kGitThreeWay).value();
    return git::compare(*store_, base_->tree, merged.tree).value().size();
  }

  std::shared_ptr<Workspace> open_workspace_named(const std::string& name) {
    return Workspace::open({.store = store_,
                            .base = base_,
                            .project_root = project_.root,
                            .folder = scratch_ / name,
                            .shared_folder = scratch_ / "bases"})
        .value();
  }

  // A worktree each, a commit in it, and a merge into the main branch, as parallel agents do it.
  std::size_t worktrees_surviving(std::size_t count) {
    const fs::path main = scratch_ / ("peer" + std::to_string(count));
    fs::create_directories(main);
    git(main, {"init", "-q", "-b", "main"});
    for (std::size_t i = 0; i < count; ++i)
      std::ofstream(main / ("f" + std::to_string(i))) << "x\n";
    git(main, {"add", "-A"});
    git(main, {"commit", "-qm", "base"});
    std::vector<std::unique_ptr<base::Thread>> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.push_back(std::make_unique<base::Thread>("agent", [&, i](const base::StopToken&) {
        const std::string name = std::to_string(i);
        const std::string tree = main.string() + "-" + name;
        const std::string script = "set -e; git worktree add -q -b a" + name + " '" + tree +
                                   "' main; cd '" + tree + "'; echo " + name + " > f" + name +
                                   "; git commit -qam " + name + "; cd '" + main.string() +
                                   "'; git merge -q --no-edit a" + name;
        (void)io::run_process({.argv = {"sh", "-c",
                                        "export GIT_AUTHOR_NAME=b GIT_AUTHOR_EMAIL=b@x "
                                        "GIT_COMMITTER_NAME=b GIT_COMMITTER_EMAIL=b@x; " +
                                            script},
                               .working_directory = main})
            .value();
      }));
    }
    threads.clear();
    std::size_t landed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto shown = command(main, {"git", "show", "main:f" + std::to_string(i)});
      if (shown.output == std::to_string(i) + "\n") ++landed;
    }
    return landed;
  }

  ordered_json survivors() {
    ordered_json result;
    for (const std::size_t count : {3U, 8U, 13U, 32U}) {
      result[std::to_string(count)] = {{"ours", ours_surviving(count)},
                                       {"git_worktrees", worktrees_surviving(count)}};
    }
    return result;
  }

  const fs::path repository_;
  const fs::path scratch_;
  const git::Project project_;
  base::ThreadPool pool_{{.threads = 2}};  // as many as ripgrep takes on the machine of the figures
  int folders_ = 0;
  std::shared_ptr<git::ObjectStore> store_;
  std::shared_ptr<const git::BaseSnapshot> base_;
  std::vector<std::string> files_;
};

}  // namespace
}  // namespace clever::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: sandbox_bench REPOSITORY SCRATCH\n");
    return 2;
  }
  clever::bench::Bench bench(std::filesystem::absolute(argv[1]),
                             std::filesystem::absolute(argv[2]));
  std::puts(bench.run().dump(2).c_str());
  return 0;
}
