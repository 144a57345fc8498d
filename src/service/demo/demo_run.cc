#include "service/demo/demo_run.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <utility>

#include "config/settings.h"
#include "io/file.h"
#include "model/work_events.h"
#include "service/demo/demo_project.h"
#include "service/demo/demo_watch.h"
#include "service/demo/demo_worker.h"
#include "service/live.h"
#include "service/screen.h"

namespace clever::service {
namespace {

namespace fs = std::filesystem;

// The budget of a live demo, in USD.
constexpr const char* kBudget = "1";

std::int64_t steps_done(const plan::State& plan) {
  return std::ranges::count(plan.steps, model::StepState::kDone, &plan::Step::state);
}

class Demo {
 public:
  Demo(const DemoOptions& options, Context& context)
      : options_(options),
        context_(context),
        screen_(context.screen()),
        live_(screen_.live_display({})) {
    live_->pause();
  }

  base::Result<DemoOutcome> run() {
    const auto began = context_.clock().now();
    CLEVER_ASSIGN(auto folder, DemoFolder::make(context_));
    const fs::path path = folder.path();
    if (options_.keep) folder.keep();
    CLEVER_ASSIGN(const DemoCopy copy, make_copy(path / "demo"));
    outcome_.kept = options_.keep;
    outcome_.live = options_.live;
    outcome_.project = copy.project();
    CLEVER_ASSIGN(outcome_.tests_before, copy.test(stop()));
    if (!options_.live) tell("No model is called: a script answers in its place.");
    tell("A small project in " + copy.project().string() + ": " +
         std::to_string(outcome_.tests_before.failed) + " of its tests fail.");
    CLEVER_TRY(options_.live ? disturbed(copy) : beside_an_undisturbed_one(copy, path));
    CLEVER_TRY(land(copy));
    outcome_.duration_ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(context_.clock().now() - began)
            .count();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] base::StopToken stop() const { return context_.stop(); }

  // Writes to standard error, where progress is shown, but not into the middle of it.
  void tell(const std::string& text) {
    if (screen_.quiet || is_for_programs(screen_.format)) return;
    const std::string mark = screen_.error_look.unicode ? "▸ " : "> ";
    live_->pause();
    static_cast<void>(screen_.say({Prose{{{{mark, Tone::kAccent}, {text, Tone::kStrong}}}}}));
  }

  base::Result<void> watch(const DemoWorker& worker, const DemoWatch::Enough& enough) {
    live_->resume();
    auto watched = watched_->watch(*live_, worker, stop(), enough);
    live_->pause();
    return watched;
  }

  base::Result<DemoCopy> make_copy(const fs::path& folder) {
    CLEVER_ASSIGN(DemoCopy copy, DemoCopy::make(folder, options_.live, context_));
    if (!options_.live) return copy;
    // Uses the person's own keys and models.
    const auto settings = io::read_file(config::user_file(context_.home()));
    if (settings.ok()) {
      CLEVER_TRY(io::write_file_atomically(config::user_file(copy.home()), *settings));
    }
    return copy;
  }

  [[nodiscard]] std::vector<std::string> with_answers(std::vector<std::string> arguments,
                                                      const DemoCopy& copy) const {
    if (!options_.live) {
      arguments.insert(arguments.end(), {"--script", copy.script().string()});
    }
    return arguments;
  }
  [[nodiscard]] std::vector<std::string> run_arguments(const DemoCopy& copy) const {
    return with_answers({"run", std::string(demo_task()), "--budget", kBudget, "--quiet"}, copy);
  }

  base::Result<void> beside_an_undisturbed_one(const DemoCopy& copy, const fs::path& folder) {
    CLEVER_ASSIGN(const DemoCopy calm, make_copy(folder / "undisturbed"));
    DemoWorker worker(calm, run_arguments(calm));
    CLEVER_TRY(disturbed(copy));
    CLEVER_TRY(worker.wait(stop()));
    CLEVER_ASSIGN(const auto watched, DemoWatch::find(calm.home(), worker, context_));
    CLEVER_TRY(watched->look(nullptr, stop()));
    outcome_.undisturbed = {.tree = watched->state().tree,
                            .digest = digest_of(watched->state()),
                            .answers = watched->answers()};
    tell(outcome_.same_as_undisturbed()
             ? "An undisturbed run made the same tree: " + watched->state().tree
             : "An undisturbed run made another tree: " + watched->state().tree);
    return {};
  }

  base::Result<void> disturbed(const DemoCopy& copy) {
    tell("agents run: one plan, a subplan for each function, all at once.");
    CLEVER_TRY(kill_half_way(copy));
    return resume(copy);
  }

  base::Result<void> kill_half_way(const DemoCopy& copy) {
    const fs::path number_file = copy.home() / "worker";
    DemoWorker worker(copy, run_arguments(copy), number_file);
    auto found = DemoWatch::find(copy.home(), worker, context_);
    // A failed worker explains better why there is no plan.
    if (!found.ok() && worker.has_ended()) CLEVER_TRY(worker.wait(stop()));
    CLEVER_ASSIGN(watched_, std::move(found));
    CLEVER_TRY(watch(worker, [](const plan::State& plan) {
      return !plan.steps.empty() &&
             2 * steps_done(plan) >= static_cast<std::int64_t>(plan.steps.size());
    }));
    if (worker.has_ended()) {
      CLEVER_TRY(worker.wait(stop()));
      return {};
    }
    worker.kill();
    const plan::State& plan = watched_->state();
    outcome_.kill = {.process = number_in(number_file),
                     .steps_done = steps_done(plan),
                     .steps = static_cast<std::int64_t>(plan.steps.size())};
    tell("kill -9 " + std::to_string(outcome_.kill->process) + ": the worker is gone, with " +
         std::to_string(outcome_.kill->steps_done) + " of " + std::to_string(outcome_.kill->steps) +
         " subplans done.");
    return {};
  }

  base::Result<void> resume(const DemoCopy& copy) {
    if (outcome_.kill) {
      tell("agents plan resume: another process continues the plan.");
      DemoWorker worker(
          copy, with_answers({"plan", "resume", watched_->id().to_string(), "--quiet"}, copy));
      CLEVER_TRY(watch(worker, [](const plan::State&) { return false; }));
      CLEVER_TRY(worker.wait(stop()));
    }
    CLEVER_TRY(watched_->look(nullptr, stop()));
    outcome_.plan = watched_->state();
    outcome_.answers = watched_->answers();
    if (outcome_.plan.is_ready_to_apply()) return {};
    return base::unavailable("the plan is not ready to apply: " + outcome_.plan.reason);
  }

  base::Result<void> land(const DemoCopy& copy) {
    const std::string id = watched_->id().to_string();
    CLEVER_ASSIGN(const auto diff, copy.agents({"plan", "diff", id, "--format", "plain"}, stop()));
    outcome_.diff = diff.output;
    watched_.reset();
    DemoWorker worker(copy, {"plan", "apply", id, "--digest", outcome_.digest()});
    CLEVER_TRY(worker.wait(stop()));
    CLEVER_ASSIGN(outcome_.commit, copy.git({"rev-parse", "--short", "HEAD"}, stop()));
    CLEVER_ASSIGN(outcome_.tree, copy.git({"rev-parse", "HEAD^{tree}"}, stop()));
    CLEVER_ASSIGN(outcome_.tests_after, copy.test(stop()));
    tell("agents plan apply: commit " + outcome_.commit + "; " +
         std::to_string(outcome_.tests_after.passed) + " tests pass.");
    return {};
  }

  static std::string digest_of(const plan::State& plan) {
    return plan.changeset.digest ? plan.changeset.digest->to_hex() : "";
  }

  static std::int64_t number_in(const fs::path& file) {
    const std::string text = io::read_file(file).value_or("");
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  const DemoOptions options_;
  Context& context_;
  const Screen screen_;
  std::unique_ptr<LiveDisplay> live_;
  DemoOutcome outcome_;
  std::unique_ptr<DemoWatch> watched_;
};

}  // namespace

std::string DemoOutcome::digest() const {
  return plan.changeset.digest ? plan.changeset.digest->to_hex() : "";
}

bool DemoOutcome::same_as_undisturbed() const {
  return undisturbed && undisturbed->tree == plan.tree && undisturbed->digest == digest();
}

base::Result<DemoOutcome> run_demo(const DemoOptions& options, Context& context) {
  return Demo(options, context).run();
}

}  // namespace clever::service
