#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/redact.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "config/settings.h"
#include "confine/confined_process.h"
#include "git/project.h"
#include "io/environment.h"
#include "service/databases.h"
#include "service/models.h"
#include "service/screen.h"
#include "storage/engine.h"

namespace clever::service {

struct Caller;
class FoundProjects;
class LocalAnswers;
class PlanRecorder;

/// What the process was given: made once by main(), replaced by tests.
struct Surroundings {
  io::Environment environment;
  std::filesystem::path working_directory;
  base::Clock* clock = nullptr;
  Databases* databases = nullptr;
  Models* models = nullptr;
  /// Starts the first process of a sandbox.
  confine::Launcher launcher{};
  /// The whole standard input.
  std::function<base::Result<std::string>()> input{};
  /// Called by the first command that can be interrupted: from then on Ctrl-C asks for a stop.
  /// None: no interruption.
  std::function<base::StopToken()> interruption{};
  /// The same for the second Ctrl-C: for who asks, after the first, what was meant. None: the
  /// second one ends the process.
  std::function<base::StopToken()> insistence{};
  /// From this call on SIGHUP ends nothing, and `note` is called for each, on another thread; it
  /// must not block. Before `interruption`. None: SIGHUP ends nothing, and nothing hears of it.
  std::function<void(std::function<void()> note)> hangups{};
  /// Starts this program anew, in a session of its own, with these arguments; what it says goes to
  /// the log. Returns its number. None: there can be no background.
  std::function<base::Result<std::int64_t>(const std::vector<std::string>& arguments,
                                           const std::filesystem::path& directory,
                                           const std::filesystem::path& log)>
      background{};
  /// What looks up projects for many calls; none: each looks by itself.
  FoundProjects* projects = nullptr;
  /// What asks servers of models on this machine for many calls; none: each asks by itself.
  LocalAnswers* local_answers = nullptr;
  /// What records plans that this process does not drive; none: each call opens an engine.
  const PlanRecorder* recorder = nullptr;
  /// Plans that are left to the background wait in the queue for a worker, even if there is none.
  bool queues_plans = false;
};

/// How far long work is: what is being done, how much of it, of how much.
using storage::Progress;

/// What a handler may use beside its own words. Lives for one call, on one thread. Nothing is read
/// before a handler asks for it.
class Context {
 public:
  /// `flags` are the settings given as options, `directory` is where the command works (-C).
  Context(const Surroundings& surroundings, std::filesystem::path directory,
          std::vector<std::pair<std::string, std::string>> flags, std::size_t width,
          std::function<storage::Progress()> progress, std::function<Screen()> screen,
          base::Redactor& redactor);

  [[nodiscard]] const io::Environment& environment() const noexcept {
    return surroundings_.environment;
  }
  /// The same for another program: "NAME=VALUE".
  [[nodiscard]] std::vector<std::string> environment_lines() const;
  [[nodiscard]] base::Clock& clock() const noexcept { return *surroundings_.clock; }
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  /// Where state lives; need not exist.
  [[nodiscard]] const std::filesystem::path& home() const noexcept { return home_; }
  /// Columns for text that is wrapped before it is rendered.
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  /// What a handler may open.
  [[nodiscard]] Databases& databases() const;
  /// What a handler may talk to models with.
  [[nodiscard]] Models& models() const;
  /// What commands in sandboxes are started with.
  [[nodiscard]] const confine::Launcher& launcher() const noexcept {
    return surroundings_.launcher;
  }
  /// Knows the secrets of this command line: handlers add what they learn, and pass through it what
  /// others say. Messages and the log pass through it anyway.
  [[nodiscard]] base::Redactor& redactor() const noexcept { return redactor_; }
  /// Who asked for the operation; outlives the context. call() says it.
  void act_for(const Caller& caller) { caller_ = &caller; }
  /// None: the command line.
  [[nodiscard]] const Caller* caller() const noexcept { return caller_; }
  /// Whether who asks is bound to no namespace.
  [[nodiscard]] bool sees_all() const;
  /// Whether what belongs to the project of this folder exists for who asks.
  [[nodiscard]] bool sees_project(const std::filesystem::path& folder) const;
  /// For whatever takes long: asks whether the user wants it to end.
  [[nodiscard]] base::StopToken stop() const;
  /// For who asks after the first Ctrl-C what was meant: asked for by the second.
  [[nodiscard]] base::StopToken insistence() const;
  /// For services, before stop(): Surroundings::hangups.
  void on_hangup(std::function<void()> note) const;
  /// This program again, outliving this process; its number. `unavailable` where that cannot be.
  [[nodiscard]] base::Result<std::int64_t> start_in_background(
      const std::vector<std::string>& arguments, const std::filesystem::path& log) const;
  /// Whether plans for the background wait in the queue for a worker, even if there is none.
  [[nodiscard]] bool queues_plans() const noexcept { return surroundings_.queues_plans; }
  /// None: an answer is asked for each time.
  [[nodiscard]] LocalAnswers* local_answers() const noexcept { return surroundings_.local_answers; }
  /// None: a command that records plans opens an engine of its own.
  [[nodiscard]] const PlanRecorder* recorder() const noexcept { return surroundings_.recorder; }
  /// Shows the progress of long work at a terminal. Used by one thread at a time.
  [[nodiscard]] storage::Progress progress() const { return progress_(); }

  /// For what cannot wait for the report. Reads the settings.
  [[nodiscard]] Screen screen() const { return screen_(); }
  /// All that is on the standard input; `resource_exhausted` beyond 64 MiB.
  [[nodiscard]] base::Result<std::string> input() const;

  [[nodiscard]] config::Sources sources() const;
  /// All layers merged, read once; what they name as keys the redactor knows from then on. A broken
  /// file or variable is `corruption`: it is not the fault of the command line.
  [[nodiscard]] const base::Result<config::Settings>& settings();
  /// The next settings() reads the files again: they were changed. What the last one returned ends.
  void forget_settings() { settings_.reset(); }
  /// What directory() is in, looked up once.
  [[nodiscard]] const base::Result<git::Project>& project();
  /// Another one.
  [[nodiscard]] base::Result<git::Project> find_project(const std::filesystem::path& folder);

  // For other threads too, as all that is const here.

  /// The settings as a command has them that works in `folder`.
  [[nodiscard]] base::Result<config::Settings> settings_in(
      const std::filesystem::path& folder) const;
  /// The project in `folder`, by the settings there.
  [[nodiscard]] base::Result<git::Project> find_project(const std::filesystem::path& folder,
                                                        const config::Settings& settings) const;

 private:
  [[nodiscard]] base::Result<config::Settings> load(const config::Sources& sources) const;

  // Constant after construction.
  const Surroundings& surroundings_;
  std::filesystem::path directory_;
  std::filesystem::path home_;
  std::vector<std::pair<std::string, std::string>> flags_;
  std::size_t width_;
  std::function<storage::Progress()> progress_;
  std::function<Screen()> screen_;
  base::Redactor& redactor_;
  // None: the command line.
  const Caller* caller_ = nullptr;
  // Read on demand.
  std::optional<base::Result<config::Settings>> settings_;
  std::optional<base::Result<git::Project>> project_;
};

/// Whether the plans of a project exist for the caller; those of several projects do if all do.
[[nodiscard]] bool sees_project(const Caller& caller, const std::filesystem::path& folder,
                                const std::filesystem::path& home);

/// The same error under a code that does not blame the command line: it was right, and a file or a
/// folder is not as it should be.
[[nodiscard]] base::Error blame_file(const base::Error& error);

}  // namespace clever::service
