#include <algorithm>

#include "base/utf8.h"
#include "engine/actor/internal/actor_files.h"
#include "engine/actor/internal/replacer.h"
#include "engine/actor/internal/variables.h"
#include "engine/actor/new_plan.h"
#include "engine/actor/tool_actor.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

using Values = std::map<std::string, std::string>;

// Fewer files are done sooner than a subplan starts.
constexpr std::size_t kFewFiles = 8;
constexpr std::size_t kLeastPerPart = 4;
// The most bytes that a strategy's paths may take in the journal.
constexpr std::size_t kMostPathBytes = std::size_t{4} << 20U;

std::string quoted_line(const std::string& text) {
  constexpr std::size_t kShown = 60;
  const std::string valid = base::to_valid_utf8(text.substr(0, text.find('\n')));
  const std::string_view cut = base::utf8_prefix(valid, kShown);
  return "\"" + std::string(cut) + (cut.size() < text.size() ? "…" : "") + "\"";
}

model::StrategyStep whole_step(const Actor& actor, std::vector<std::string> paths) {
  return {.id = "work",
          .title = actor.description.empty() ? actor.name : plan_title(actor.description),
          .mode = model::StepMode::kInline,
          .paths = std::move(paths)};
}

// Splits the files into parts of nearly equal size; neighbours stay together.
std::vector<model::StrategyStep> part_steps(const std::vector<std::string>& files,
                                            std::size_t parts) {
  std::vector<model::StrategyStep> steps;
  for (std::size_t i = 0; i < parts; ++i) {
    const auto at = [&](std::size_t part) {
      return files.begin() + static_cast<std::ptrdiff_t>(files.size() * part / parts);
    };
    model::StrategyStep step{.id = "part-" + std::to_string(i + 1),
                             .mode = model::StepMode::kSubplan,
                             .paths = {at(i), at(i + 1)}};
    step.title = tool::counted(step.paths.size(), "file") + ": " +
                 git::printable(step.paths.front()) + " … " + git::printable(step.paths.back());
    steps.push_back(std::move(step));
  }
  return steps;
}

class Splitter {
 public:
  Splitter(const Actor& actor, const Values& values, sandbox::Workspace& workspace,
           const base::StopToken& stop)
      : actor_(actor), values_(values), workspace_(workspace), stop_(stop) {}

  base::Result<model::Strategy> strategy() {
    CLEVER_ASSIGN(std::vector<std::string> files, matching());
    model::Strategy strategy{.summary = summary_of(files.size())};
    const std::size_t parts = parts_for(files);
    if (parts > 1) {
      strategy.steps = part_steps(files, parts);
      strategy.summary += "; " + std::to_string(parts) + " parts are worked on at the same time";
    } else {
      if (bytes_of(files) > kMostPathBytes) files.clear();
      strategy.steps = {whole_step(actor_, std::move(files))};
    }
    return strategy;
  }

 private:
  base::Result<std::vector<std::string>> matching() {
    const std::string glob = internal::expand(actor_.split_glob, values_);
    if (actor_.split_text.empty()) {
      return internal::files_matching(workspace_, glob, {}, stop_);
    }
    const ToolActorStep pattern{
        .kind = "replace", .values = {{"find", actor_.split_text}, {"regex", actor_.split_regex}}};
    CLEVER_ASSIGN(const auto replacer, internal::Replacer::of(pattern, values_));
    const bool regex = internal::expand(actor_.split_regex, values_) == "true";
    const std::string plain = regex ? "" : internal::expand(actor_.split_text, values_);
    CLEVER_ASSIGN(std::vector<std::string> files,
                  internal::candidates(workspace_, glob, {}, plain, stop_));
    return holding(std::move(files), *replacer);
  }
  base::Result<std::vector<std::string>> holding(std::vector<std::string> files,
                                                 const internal::Replacer& pattern) const {
    CLEVER_ASSIGN(const internal::TextReader reader,
                  internal::TextReader::of(workspace_, files, stop_));
    std::vector<std::string> found;
    for (std::string& path : files) {
      if (stop_.stop_requested()) return base::cancelled("stopped before all files were searched");
      CLEVER_ASSIGN(const internal::TextFile file, reader.read(path));
      if (file.unfit.empty() && pattern.is_in(file.content)) found.push_back(std::move(path));
    }
    return found;
  }

  static std::size_t bytes_of(const std::vector<std::string>& files) {
    std::size_t bytes = 0;
    for (const std::string& file : files) bytes += file.size();
    return bytes;
  }
  [[nodiscard]] std::size_t parts_for(const std::vector<std::string>& files) const {
    if (files.size() <= kFewFiles || bytes_of(files) > kMostPathBytes) return 1;
    const std::size_t useful = (files.size() + kLeastPerPart - 1) / kLeastPerPart;
    return std::min(static_cast<std::size_t>(actor_.split_into), useful);
  }
  [[nodiscard]] std::string summary_of(std::size_t files) const {
    if (actor_.split_text.empty()) return tool::counted(files, "file");
    return tool::counted(files, "file") + (files == 1 ? " holds " : " hold ") +
           quoted_line(internal::expand(actor_.split_text, values_));
  }

  const Actor& actor_;
  const Values& values_;
  sandbox::Workspace& workspace_;
  const base::StopToken& stop_;
};

}  // namespace

base::Result<model::Strategy> ToolActorRunner::strategize(const Actor& actor,
                                                          const Values& arguments,
                                                          sandbox::Workspace& workspace,
                                                          const base::StopToken& stop) const {
  if (actor.type != ActorType::kTool) {
    return base::invalid_argument("the actor " + actor.name + " works with a model");
  }
  CLEVER_ASSIGN(const Values values, actor_arguments(actor, arguments));
  if (actor.split_into > 0) return Splitter(actor, values, workspace, stop).strategy();
  return model::Strategy{.summary = actor.description, .steps = {whole_step(actor, {})}};
}

}  // namespace clever::engine
