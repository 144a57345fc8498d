#include "engine/actor/internal/actor_work.h"

#include "base/utf8.h"
#include "engine/actor/internal/actor_commands.h"
#include "engine/actor/internal/actor_files.h"
#include "engine/actor/internal/replacer.h"
#include "engine/actor/internal/step_reader.h"
#include "engine/actor/internal/variables.h"
#include "git/tree.h"
#include "tool/output_text.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kShownOutput = 2000;
constexpr std::size_t kShownFiles = 10;

std::string text_of(const ToolActorStep& step, const std::string& key,
                    const std::map<std::string, std::string>& values) {
  const auto found = step.values.find(key);
  return found == step.values.end() ? std::string() : expand(found->second, values);
}

base::Result<bool> flag_of(const ToolActorStep& step, const std::string& key,
                           const std::map<std::string, std::string>& values, bool otherwise) {
  const std::string text = text_of(step, key, values);
  if (text.empty()) return otherwise;
  if (text == "true" || text == "false") return text == "true";
  return base::invalid_argument(key + " must be true or false");
}

std::string tail(const std::string& output) {
  return tool::cut_middle(base::to_valid_utf8(output), kShownOutput);
}

base::Error command_failed(const std::vector<std::string>& argv,
                           const tool::CommandReport& report) {
  const std::string name = base::to_valid_utf8(argv.front());
  if (report.failure) return base::Error(*report.failure).add_context("running " + name);
  const confine::Output& output = *report.output;
  std::string message =
      "the command " + name + " ended with exit code " + std::to_string(output.ending.exit_code);
  if (!output.ending.remark.empty()) message += "; it " + output.ending.remark;
  const std::string& said = output.error_output.empty() ? output.output : output.error_output;
  if (!said.empty()) message += ": " + tail(said);
  return base::invalid_argument(std::move(message));
}

}  // namespace

base::Result<void> ActorWork::check_stop() const {
  if (!stop_.stop_requested()) return {};
  return base::cancelled("the actor was asked to stop");
}

base::Result<std::vector<std::string>> ActorWork::files_of(const ToolActorStep& step,
                                                           const Values& values) const {
  return files_matching(workspace_, text_of(step, "glob", values), paths_, stop_);
}

// Returns the step's path, or the files that match its glob.
base::Result<std::vector<std::string>> ActorWork::targets(const ToolActorStep& step,
                                                          const Values& values) const {
  if (!step.values.contains("path")) return files_of(step, values);
  return std::vector{text_of(step, "path", values)};
}

base::Result<void> ActorWork::run(const ToolActorStep& step) {
  CLEVER_TRY(check_stop());
  if (!is_for_each(step)) return run_once(step, values_);
  CLEVER_ASSIGN(const std::vector<std::string> files, files_of(step, values_));
  Values values = values_;
  for (const std::string& file : files) {
    CLEVER_TRY(check_stop());
    values["path"] = file;
    CLEVER_TRY(run_once(step, values).context("for " + git::printable(file)));
  }
  return {};
}

base::Result<void> ActorWork::run_once(const ToolActorStep& step, const Values& values) {
  if (step.kind == "replace") return replace(step, values);
  if (step.kind == "template") return make_file(step, values);
  if (step.kind == "delete") return remove(step, values);
  if (step.kind == "move") return move(step, values);
  if (step.kind == "executable") return set_executable(step, values);
  return run_commands(step, values);
}

base::Result<void> ActorWork::replace(const ToolActorStep& step, const Values& values) {
  CLEVER_ASSIGN(const auto replacer, Replacer::of(step, values));
  CLEVER_ASSIGN(const bool regex, flag_of(step, "regex", values, false));
  CLEVER_ASSIGN(const bool required, flag_of(step, "required", values, false));
  const std::string plain = regex ? "" : text_of(step, "find", values);
  CLEVER_ASSIGN(const std::vector<std::string> files,
                candidates(workspace_, text_of(step, "glob", values), paths_, plain, stop_));
  CLEVER_ASSIGN(const TextReader reader, TextReader::of(workspace_, files, stop_));
  bool found = false;
  for (const std::string& path : files) {
    CLEVER_TRY(check_stop());
    CLEVER_ASSIGN(const bool here, replace_in(path, *replacer, reader));
    found = found || here;
  }
  if (found || !required) return {};
  return base::not_found("the text to replace is in none of " +
                         tool::counted(files.size(), "file"));
}

base::Result<bool> ActorWork::replace_in(const std::string& path, const Replacer& replacer,
                                         const TextReader& reader) {
  CLEVER_ASSIGN(const TextFile file, reader.read(path));
  if (!file.unfit.empty()) {
    if (file.unfit != "a link") {
      left_alone_.push_back(git::printable(path) + " (" + std::string(file.unfit) + ")");
    }
    return false;
  }
  const Replacer::Replaced replaced = replacer.replace(file.content);
  if (replaced.count == 0) return false;
  CLEVER_ASSIGN(const git::TreePath tree_path, git::TreePath::parse(path));
  // Reads the file, so that a merge knows the dependency.
  CLEVER_TRY(workspace_.read(tree_path));
  replacements_ += replaced.count;
  if (replaced.text == file.content) return true;
  CLEVER_TRY(
      workspace_.write(tree_path, replaced.text).context("replacing in " + git::printable(path)));
  ++files_;
  return true;
}

base::Result<void> ActorWork::make_file(const ToolActorStep& step, const Values& values) {
  CLEVER_ASSIGN(const git::TreePath path, workspace_.resolve(text_of(step, "path", values)));
  CLEVER_ASSIGN(const bool overwrite, flag_of(step, "overwrite", values, false));
  CLEVER_ASSIGN(const git::ObjectId tree, workspace_.tree());
  CLEVER_ASSIGN(const auto node, git::find(workspace_.store(), tree, path));
  if (node && !overwrite) {
    return base::already_exists("there is a file " + git::printable(path.text()) +
                                " already; add overwrite: true to the step to replace it");
  }
  CLEVER_TRY(workspace_.write(path, text_of(step, "content", values)));
  ++made_;
  return {};
}

base::Result<void> ActorWork::remove(const ToolActorStep& step, const Values& values) {
  CLEVER_ASSIGN(const std::vector<std::string> files, targets(step, values));
  for (const std::string& file : files) {
    CLEVER_TRY(check_stop());
    CLEVER_ASSIGN(const git::TreePath path, workspace_.resolve(file));
    CLEVER_TRY(workspace_.remove(path).context("deleting " + git::printable(file)));
    ++removed_;
  }
  return {};
}

base::Result<void> ActorWork::move(const ToolActorStep& step, const Values& values) {
  CLEVER_ASSIGN(const git::TreePath from, workspace_.resolve(text_of(step, "from", values)));
  CLEVER_ASSIGN(const git::TreePath to, workspace_.resolve(text_of(step, "to", values)));
  CLEVER_TRY(workspace_.move(from, to));
  ++moved_;
  return {};
}

base::Result<void> ActorWork::set_executable(const ToolActorStep& step, const Values& values) {
  CLEVER_ASSIGN(const bool value, flag_of(step, "value", values, true));
  CLEVER_ASSIGN(const std::vector<std::string> files, targets(step, values));
  for (const std::string& file : files) {
    CLEVER_TRY(check_stop());
    CLEVER_ASSIGN(const git::TreePath path, workspace_.resolve(file));
    CLEVER_TRY(workspace_.set_executable(path, value));
    ++modes_;
  }
  return {};
}

base::Result<void> ActorWork::run_commands(const ToolActorStep& step, const Values& values) {
  if (!takes_all_paths(step)) return run_command(step, command_line(step, values, {}));
  CLEVER_ASSIGN(const std::vector<std::string> files, files_of(step, values));
  for (const std::vector<std::string>& batch : batches_of(files)) {
    CLEVER_TRY(run_command(step, command_line(step, values, batch)));
  }
  return {};
}

base::Result<void> ActorWork::run_command(const ToolActorStep& step,
                                          std::vector<std::string> argv) {
  CLEVER_TRY(check_stop());
  if (commands_ == nullptr) return base::unavailable("commands cannot run here");
  const tool::WorkspaceCommand command{
      .argv = argv, .timeout = timeout_of(step), .chosen_by_person = true};
  CLEVER_ASSIGN(const tool::CommandReport report,
                commands_->run(workspace_, command, stop_, base::Deadline::never()));
  const bool succeeded = report.output && report.output->ending.exit_code == 0;
  if (!succeeded) return command_failed(argv, report);
  ++commands_run_;
  return {};
}

ToolActorResult ActorWork::result() const {
  std::string text;
  const auto add = [&](std::int64_t count, std::string_view before, std::string_view thing) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::string(before) + " " +
            tool::counted(static_cast<std::uint64_t>(count), thing);
  };
  add(replacements_, "replaced", "occurrence");
  if (replacements_ > 0) {
    text += " in " + tool::counted(static_cast<std::uint64_t>(files_), "file");
  }
  add(made_, "wrote", "file");
  add(removed_, "deleted", "path");
  add(moved_, "moved", "path");
  add(modes_, "set the mode of", "file");
  add(commands_run_, "ran", "command");
  if (text.empty()) text = "nothing to do";
  for (std::size_t i = 0; i < left_alone_.size() && i < kShownFiles; ++i) {
    text += (i == 0 ? "; left alone: " : ", ") + left_alone_[i];
  }
  if (left_alone_.size() > kShownFiles) {
    text += " and " + std::to_string(left_alone_.size() - kShownFiles) + " more";
  }
  return {.summary = std::move(text), .replacements = replacements_, .files = files_};
}

}  // namespace clever::engine::internal
