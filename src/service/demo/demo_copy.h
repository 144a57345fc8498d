#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "io/process.h"
#include "service/context.h"

namespace clever::service {

/// How many tests of the demo's project pass.
struct DemoTests {
  std::int64_t passed = 0;
  std::int64_t failed = 0;
};

/// A copy of the demo's project with a home of its own, in which this program is started as a
/// person would start it: project/, home/ and script.yaml below one folder.
///
/// Used by several threads at once as long as each command has its own. Leaves the folder to
/// DemoFolder.
class DemoCopy {
 public:
  /// Makes the folder, the repository and its first commit. `not_found` without git. `own_settings`
  /// lets the person's variables for this program count.
  [[nodiscard]] static base::Result<DemoCopy> make(std::filesystem::path folder, bool own_settings,
                                                   Context& context);

  [[nodiscard]] std::filesystem::path project() const { return folder_ / "project"; }
  [[nodiscard]] std::filesystem::path home() const { return folder_ / "home"; }
  [[nodiscard]] std::filesystem::path script() const { return folder_ / "script.yaml"; }

  /// This program with these arguments, in the project. With `number_file` the process writes its
  /// number there before anything else. A stop is SIGKILL.
  [[nodiscard]] base::Result<io::ProcessResult> agents(
      std::vector<std::string> arguments, const base::StopToken& stop,
      const std::filesystem::path& number_file = {}) const;

  /// `sh test.sh`.
  [[nodiscard]] base::Result<DemoTests> test(const base::StopToken& stop) const;
  /// What git answers, without the end of the last line.
  [[nodiscard]] base::Result<std::string> git(std::vector<std::string> arguments,
                                              const base::StopToken& stop) const;

 private:
  DemoCopy(std::filesystem::path folder, std::vector<std::string> environment)
      : folder_(std::move(folder)), environment_(std::move(environment)) {}
  [[nodiscard]] base::Result<void> fill(const base::StopToken& stop) const;

  std::filesystem::path folder_;
  std::vector<std::string> environment_;
};

/// "8 passed, 0 failed" in the last line.
[[nodiscard]] base::Result<DemoTests> demo_tests_of(const std::string& output);

/// A folder for a while: removed with everything in it by the destructor, unless kept.
class DemoFolder {
 public:
  [[nodiscard]] static base::Result<DemoFolder> make(Context& context);
  ~DemoFolder();
  DemoFolder(DemoFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;
  DemoFolder& operator=(DemoFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  explicit DemoFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace clever::service
