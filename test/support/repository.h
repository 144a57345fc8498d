#pragma once
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/process.h"
#include "support/temporary_directory.h"

namespace clever::test {

/// A git repository of its own for one test, with an identity, the branch `main`, no commit, and
/// nothing of this machine's settings; removed with everything in it. The folder beside the working
/// tree is free for the test: beside("store").
///
/// Making one sets variables of the process's environment: make it before threads.
class Repository {
 public:
  enum class Kind { kGit, kPlainFolder };

  explicit Repository(Kind kind = Kind::kGit) : path_(folder_ / "project") {
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    std::filesystem::create_directory(path_);
    path_ = std::filesystem::canonical(path_);
    if (kind == Kind::kPlainFolder) return;
    git({"init", "--quiet", "--initial-branch=main"});
    std::ofstream(path_ / ".git/config", std::ios::app)
        << "[user]\n\tname = Ada\n\temail = ada@example.org\n"
        << "[commit]\n\tgpgSign = false\n[core]\n\tautocrlf = false\n";
  }

  /// The top of the working tree, without links on the way.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
    return path_ / name;
  }
  /// A path outside the working tree, removed with the repository. Nothing is there yet.
  [[nodiscard]] std::filesystem::path beside(std::string_view name) const {
    return path_.parent_path() / name;
  }

  /// Writes a file, and the folders above it.
  void write(std::string_view name, std::string_view content, bool executable = false) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << content;
    ::chmod((path_ / name).c_str(), executable ? 0755 : 0644);
  }
  void link(std::string_view name, std::string_view target) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::filesystem::create_symlink(target, path_ / name);
  }
  void remove(std::string_view name) const { std::filesystem::remove_all(path_ / name); }
  [[nodiscard]] std::string read(std::string_view name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Commits everything, and returns the commit's id.
  std::string commit(const std::string& message = "change") const {
    git({"add", "--all"});
    git({"commit", "--quiet", "--allow-empty", "-m", message});
    return line({"rev-parse", "HEAD"});
  }
  /// The id of HEAD's tree.
  [[nodiscard]] std::string head_tree() const { return line({"rev-parse", "HEAD^{tree}"}); }

  /// Runs git in the working tree and returns its output; a failure fails the test.
  std::string git(std::vector<std::string> arguments, std::string input = {}) const {
    auto result = run(std::move(arguments), std::move(input));
    EXPECT_EQ(result.exit_code, 0) << result.error_output;
    return std::move(result.output);
  }
  /// The same, whatever its exit code.
  [[nodiscard]] io::ProcessResult run(std::vector<std::string> arguments,
                                      std::string input = {}) const {
    std::vector<std::string> argv = {"git", "-C", path_.string()};
    argv.insert(argv.end(), std::make_move_iterator(arguments.begin()),
                std::make_move_iterator(arguments.end()));
    auto result = io::run_process({.argv = std::move(argv), .standard_input = std::move(input)});
    EXPECT_TRUE(result.ok()) << result.error().to_string();
    return std::move(result).value();
  }
  /// The output of a command that prints one line, without its end.
  [[nodiscard]] std::string line(std::vector<std::string> arguments) const {
    std::string output = git(std::move(arguments));
    while (output.ends_with('\n')) output.pop_back();
    return output;
  }

 private:
  const TemporaryDirectory folder_;
  std::filesystem::path path_;
};

}  // namespace clever::test
