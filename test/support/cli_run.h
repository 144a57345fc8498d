#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "storage/database_source.h"
#include "storage/engine_cache.h"
#include "support/cli_models.h"
#include "support/confine_launcher.h"
#include "support/temporary_directory.h"

namespace clever::test {

/// The databases themselves, as the program has them.
class CliDatabases final : public service::Databases {
 public:
  explicit CliDatabases(base::Clock& clock) : clock_(clock) {}

  [[nodiscard]] base::Result<storage::Inspection> inspect(const storage::DatabaseUrl& url,
                                                          const base::StopToken& stop) override {
    return storage::inspect(url, clock_, stop);
  }
  [[nodiscard]] base::Result<std::shared_ptr<storage::Engine>> open(
      const storage::DatabaseUrl& url, const storage::EngineOptions& options,
      const base::StopToken& stop) override {
    last_options = options;
    storage::DatabaseSource source(options, clock_);
    return storage::EngineCache(source).open(url, stop);
  }

  storage::EngineOptions last_options;

 private:
  base::Clock& clock_;
};

/// Link clever_confine_launcher.
///
/// The command line in this process: a home, a working directory and an environment of its own, and
/// what was written caught. The process's environment has no say.
class CliRun {
 public:
  CliRun() {
    std::filesystem::create_directories(work());
    environment_["CLEVERAGENTS_HOME"] = home().string();
    environment_["HOME"] = folder_.path().string();
    environment_["PATH"] = "/usr/bin:/bin";
  }

  /// Runs one command line; returns its exit code.
  int run(const std::vector<std::string>& arguments) {
    output.clear();
    error_output.clear();
    const service::Surroundings surroundings{.environment = io::Environment(environment_),
                                             .working_directory = work(),
                                             .clock = &clock_,
                                             .databases = &databases_,
                                             .models = &models_,
                                             .launcher = launcher,
                                             .input = [this] { return input; },
                                             .interruption = [this] { return stop.token(); },
                                             .insistence = [this] { return insist.token(); },
                                             .background = background};
    console.output = [this](std::string_view text) { return keep(output, text); };
    console.error_output = [this](std::string_view text) { return keep(error_output, text); };
    return static_cast<int>(cli::run(cli::command_tree(), arguments, surroundings, console));
  }

  void set(const std::string& variable, std::string value) {
    environment_[variable] = std::move(value);
  }

  [[nodiscard]] std::filesystem::path home() const { return folder_ / "home"; }
  /// What lies in the folder of sandboxes beside the checkouts that plans share.
  [[nodiscard]] std::vector<std::string> sandboxes_left() const {
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(home() / "sandboxes")) {
      if (entry.path().filename() != "bases") left.push_back(entry.path().filename());
    }
    return left;
  }
  [[nodiscard]] std::filesystem::path work() const { return folder_ / "work"; }
  [[nodiscard]] const TemporaryDirectory& folder() const { return folder_; }
  [[nodiscard]] CliDatabases& databases() { return databases_; }
  [[nodiscard]] CliModels& models() { return models_; }
  [[nodiscard]] base::SystemClock& clock() { return clock_; }

  cli::Console console;
  confine::Launcher launcher = confine_launcher();
  std::string output;
  std::string error_output;
  /// What is on the standard input.
  base::Result<std::string> input = std::string();
  /// What writing to the standard output comes to.
  base::Result<void> write_outcome{};
  /// Ctrl-C, and Ctrl-C again.
  base::StopSource stop;
  base::StopSource insist;
  /// What leaving something running comes to.
  decltype(service::Surroundings::background) background{};

 private:
  base::Result<void> keep(std::string& to, std::string_view text) const {
    if (&to == &output && !write_outcome.ok()) return write_outcome;
    to.append(text);
    return {};
  }

  TemporaryDirectory folder_;
  io::Environment::Entries environment_;
  base::SystemClock clock_;
  CliDatabases databases_{clock_};
  CliModels models_;
};

}  // namespace clever::test
