#include "engine/actor/internal/actor_commands.h"

#include <set>

#include "engine/actor/internal/variables.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kMostArguments = 1000;
constexpr std::size_t kMostArgumentBytes = std::size_t{96} << 10U;
constexpr std::chrono::minutes kUsualTimeout{10};

std::string as_argument(const std::string& file) {
  return file.starts_with('-') ? "./" + file : file;
}

void add_files(const std::vector<std::string>& files, std::vector<std::string>& argv) {
  for (const std::string& file : files) argv.push_back(as_argument(file));
}

std::string variable_value(const std::map<std::string, std::string>& variables,
                           const std::string& name) {
  const auto found = variables.find(name);
  if (found == variables.end()) return {};
  return name == "path" ? as_argument(found->second) : found->second;
}

std::vector<std::string> shell_line(const std::string& text,
                                    const std::map<std::string, std::string>& variables,
                                    const std::vector<std::string>& files) {
  std::string script;
  std::vector<std::string> values;
  std::set<std::string> set;
  for (const std::string& name : variables_in(text)) {
    if (!set.insert(name).second) continue;
    values.push_back(variable_value(variables, name));
    script += name + "=${" + std::to_string(values.size()) + "}\n";
  }
  script += "shift " + std::to_string(values.size()) + "\n";
  script += expand(text, [](const std::string& name) { return "${" + name + "}"; });
  std::vector<std::string> argv = {"sh", "-c", std::move(script), "sh"};
  argv.insert(argv.end(), values.begin(), values.end());
  add_files(files, argv);
  return argv;
}

}  // namespace

std::vector<std::string> command_line(const ToolActorStep& step,
                                      const std::map<std::string, std::string>& variables,
                                      const std::vector<std::string>& files) {
  if (step.argv.empty()) return shell_line(step.values.at("run"), variables, files);
  std::vector<std::string> argv;
  for (const std::string& item : step.argv) {
    if (sole_variable(item) == "paths") {
      add_files(files, argv);
    } else {
      argv.push_back(
          expand(item, [&](const std::string& name) { return variable_value(variables, name); }));
    }
  }
  return argv;
}

std::vector<std::vector<std::string>> batches_of(const std::vector<std::string>& files) {
  std::vector<std::vector<std::string>> batches;
  std::size_t bytes = 0;
  for (const std::string& file : files) {
    bytes += file.size() + 3;
    if (batches.empty() || batches.back().size() >= kMostArguments || bytes > kMostArgumentBytes) {
      batches.emplace_back();
      bytes = file.size() + 3;
    }
    batches.back().push_back(file);
  }
  return batches;
}

std::chrono::milliseconds timeout_of(const ToolActorStep& step) {
  const auto text = step.values.find("timeout_s");
  if (text == step.values.end()) return kUsualTimeout;
  return std::chrono::seconds(std::stoll(text->second));
}

}  // namespace clever::engine::internal
