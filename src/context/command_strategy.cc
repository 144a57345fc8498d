#include "context/command_strategy.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"
#include "context/internal/command_answer.h"

namespace clever::context {
namespace {

using internal::CommandAnswer;
using internal::CommandCandidate;

constexpr std::size_t kMostOutput = std::size_t{4} << 20U;
// The executor accepts fewer still.
constexpr std::size_t kMostCandidates = 2000;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kShownWords = 300;
constexpr base::Duration kLongestDeadline = std::chrono::minutes(10);

std::string to_json(const Question& question, std::size_t budget) {
  const nlohmann::json object{{"plan", question.plan ? question.plan.to_string() : ""},
                              {"phase", model::to_string(question.phase)},
                              {"query", question.text},
                              {"focus", question.focus},
                              {"budget", budget}};
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// Maps lines of a file to bytes; a file that cannot be read is proposed as a whole.
syntax::Range range_of(const CommandCandidate& proposed, const Question& question) {
  if (proposed.first_line == 0 || question.view == nullptr) return {};
  const std::uint32_t last =
      proposed.last_line == 0 ? std::numeric_limits<std::uint32_t>::max() : proposed.last_line;
  const auto file = question.view->find(proposed.candidate.path);
  if (!file) return {};
  const auto content = question.view->content(*file);
  if (!content.ok()) return {};
  return internal::range_of_lines(*content, proposed.first_line, last);
}

base::Error failed(const confine::Output& output) {
  std::string text = "it ended with exit code " + std::to_string(output.ending.exit_code);
  if (!output.ending.remark.empty()) text += ": it " + output.ending.remark;
  const std::string_view words = base::utf8_prefix(output.error_output, kShownWords);
  if (!words.empty()) text += "; it wrote: " + base::to_valid_utf8(words);
  return base::unavailable(std::move(text));
}

class CommandStrategy final : public Strategy {
 public:
  explicit CommandStrategy(CommandStrategyOptions options)
      : options_(std::move(options)), command_(command_of(options_)) {}

  [[nodiscard]] std::string_view name() const override { return options_.name; }
  [[nodiscard]] double quality() const override { return options_.quality; }
  [[nodiscard]] double confidence(const Question& question) const override {
    return question.text.empty() && question.focus.empty() ? 0 : 1;
  }
  [[nodiscard]] base::Duration time_limit() const override { return options_.deadline; }

  [[nodiscard]] base::Result<std::vector<Candidate>> propose(const Question& question,
                                                             std::size_t budget,
                                                             const base::StopToken& stop,
                                                             base::Deadline deadline) override {
    CLEVER_ASSIGN(const confine::Output output,
                  options_.run(command_, to_json(question, budget), kMostOutput, stop, deadline));
    if (output.ending.exit_code != 0) return failed(output);
    CommandAnswer answer = internal::read_command_answer(output.output, kMostCandidates);
    if (answer.candidates.empty() && answer.rubbish > 0) {
      return base::invalid_argument(
          "it must print one JSON object with a \"path\" on each line, but printed: " +
          answer.first_rubbish);
    }
    return candidates_of(std::move(answer), question, stop);
  }

 private:
  static confine::Command command_of(const CommandStrategyOptions& options) {
    confine::Command command{.argv = options.argv,
                             .working_directory = options.project_root,
                             .environment = confine::clean_environment(options.world),
                             .mounts = confine::cache_mounts(options.world),
                             .hidden = {},
                             .limits = options.limits,
                             .chosen_by_person = true,
                             .unconfined = options.unconfined};
    if (!options.world.own_home.empty()) command.hidden.push_back(options.world.own_home);
    command.mounts.push_back({.kind = confine::Mount::Kind::kReadOnly,
                              .target = options.project_root,
                              .source = options.project_root});
    return command;
  }

  static base::Result<std::vector<Candidate>> candidates_of(CommandAnswer answer,
                                                            const Question& question,
                                                            const base::StopToken& stop) {
    std::vector<Candidate> candidates;
    for (CommandCandidate& proposed : answer.candidates) {
      if (stop.stop_requested()) return base::cancelled("stopped while reading its answer");
      proposed.candidate.range = range_of(proposed, question);
      candidates.push_back(std::move(proposed.candidate));
    }
    return candidates;
  }

  // Constant after construction.
  const CommandStrategyOptions options_;
  const confine::Command command_;
};

base::Error wrong_strategy(const std::string& name, const std::string& what) {
  return base::invalid_argument("context.strategy \"" + name + "\": " + what);
}

bool is_strategy_name(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, fits);
}

base::Result<void> check_strategy(const CommandStrategyOptions& options) {
  const std::string name = base::to_valid_utf8(base::utf8_prefix(options.name, kLongestName));
  if (!is_strategy_name(options.name)) {
    return wrong_strategy(name, "name must have 1 to 64 of the characters a to z, 0 to 9, _ and -");
  }
  if (options.argv.empty() || options.argv.front().empty()) {
    return wrong_strategy(name, "command must name a program");
  }
  if (!(options.quality >= 0 && options.quality <= 1)) {
    return wrong_strategy(name, "quality must be a number from 0 to 1");
  }
  if (options.deadline <= base::Duration::zero() || options.deadline > kLongestDeadline) {
    return wrong_strategy(name, "deadline_ms must be from 1 to 600000");
  }
  if (!options.project_root.is_absolute()) {
    return wrong_strategy(name, "the project's folder must be absolute");
  }
  return {};
}

}  // namespace

base::Result<std::shared_ptr<Strategy>> make_command_strategy(CommandStrategyOptions options) {
  CLEVER_TRY(check_strategy(options));
  if (!options.run) {
    options.run = [launcher = options.launcher](
                      const confine::Command& command, std::string_view standard_input,
                      std::size_t output_limit, const base::StopToken& stop,
                      base::Deadline deadline) {
      return confine::run(launcher, command, standard_input, output_limit, stop, deadline);
    };
  }
  return std::make_shared<CommandStrategy>(std::move(options));
}

}  // namespace clever::context
