#include "engine/actor/internal/agent_reader.h"

#include <algorithm>
#include <filesystem>

#include "engine/actor/internal/variables.h"

namespace clever::engine::internal {
namespace {

using tool::YamlValue;
using YamlKind = YamlValue::Kind;

constexpr std::size_t kMostAgentWords = 200;
constexpr std::int64_t kLongestAgentTimeout = 24 * 60 * 60;

bool is_environment_name(std::string_view name) {
  const auto fits = [](char one) {
    return (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') ||
           one == '_';
  };
  return !name.empty() && name.size() <= 128 && !(name.front() >= '0' && name.front() <= '9') &&
         std::ranges::all_of(name, fits);
}

// A whole home, or all there is, is nobody's login folder.
bool is_folder(std::string_view text) {
  const bool of_home = text.starts_with("~/");
  const std::filesystem::path path(of_home ? text.substr(2) : text);
  const std::filesystem::path normal = path.lexically_normal();
  const bool climbs = std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
  if (climbs || normal.empty() || normal == ".") return false;
  return of_home ? !normal.is_absolute() : normal.is_absolute() && normal != normal.root_path();
}

class AgentReader {
 public:
  AgentReader(const YamlFields& fields, Actor& actor)
      : fields_(fields), actor_(actor), program_(actor.program) {}

  base::Result<void> read() {
    CLEVER_TRY(read_protocol());
    CLEVER_TRY(read_command());
    CLEVER_TRY(read_prompt());
    CLEVER_TRY(fields_.flag("network", program_.network));
    CLEVER_TRY(fields_.integer("timeout_s", 1, kLongestAgentTimeout, program_.timeout_s));
    CLEVER_TRY(read_each("folders", program_.folders, is_folder,
                         "a folder of its own, such as ~/.claude or /opt/agent"));
    return read_each("environment", program_.environment, is_environment_name,
                     "a name of a variable, such as ANTHROPIC_API_KEY");
  }

 private:
  base::Result<void> read_protocol() {
    const YamlValue* value = fields_.find("protocol");
    if (value == nullptr) return {};
    std::string protocol;
    CLEVER_TRY(fields_.text("protocol", protocol));
    if (protocol != "command" && protocol != "acp") {
      return fields_.error("protocol", *value,
                           ": " + tool::unknown_word("protocol", *value, {"command", "acp"}));
    }
    program_.speaks_acp = protocol == "acp";
    return {};
  }

  base::Result<void> read_command() {
    const YamlValue* command = fields_.find("command");
    constexpr std::string_view kRight = "a list of words such as [claude, -p, \"${task}\"]";
    if (command == nullptr) {
      return fields_.error("command", *fields_.find("type"),
                           "is missing; an agent is started by " + std::string(kRight));
    }
    const bool fits = command->is(YamlKind::kList) && !command->items.empty() &&
                      command->items.size() <= kMostAgentWords;
    if (!fits) return fields_.wrong("command", *command, kRight);
    CLEVER_TRY(fields_.texts("command", program_.command));
    std::vector<std::string> known = names_of(actor_.arguments);
    known.emplace_back("project");
    if (!program_.speaks_acp) known.emplace_back("task");
    for (const YamlValue& word : command->items) {
      auto checked = check_variables(word.text, known);
      if (!checked.ok()) return fields_.error("command", word, ": " + checked.error().message());
    }
    if (!variables_in(program_.command.front()).empty()) {
      return fields_.error("command", command->items.front(),
                           "begins with a variable; name the program itself");
    }
    return {};
  }

  base::Result<void> read_prompt() {
    const YamlValue* value = fields_.find("prompt");
    const bool has_task = std::ranges::any_of(program_.command, [](const std::string& word) {
      return std::ranges::count(variables_in(word), "task") > 0;
    });
    if (program_.speaks_acp) {
      if (value == nullptr) return {};
      return fields_.error("prompt", *value, "is the protocol's to say; remove it");
    }
    std::string prompt = has_task ? "argument" : "";
    CLEVER_TRY(fields_.text("prompt", prompt));
    if (prompt != "argument" && prompt != "stdin") {
      const YamlValue& at = value == nullptr ? *fields_.find("command") : *value;
      if (value != nullptr) return fields_.wrong("prompt", at, "argument or stdin");
      return fields_.error(
          "command", at, "has no ${task}: add it, or prompt: stdin if the program reads the task");
    }
    program_.reads_task = prompt == "stdin";
    if (program_.reads_task != has_task) return {};
    return fields_.error("prompt", *value,
                         has_task ? "is stdin, but the command has ${task}; remove one of them"
                                  : "is argument, but the command has no ${task}; add it");
  }

  template <class Fits>
  base::Result<void> read_each(std::string_view key, std::vector<std::string>& into,
                               const Fits& fits, std::string_view right) {
    CLEVER_TRY(fields_.texts(key, into));
    const YamlValue* value = fields_.find(key);
    if (value == nullptr) return {};
    for (const YamlValue& item : value->items) {
      if (!fits(item.text)) return fields_.wrong(key, item, right);
    }
    return {};
  }

  const YamlFields& fields_;
  Actor& actor_;
  AgentProgram& program_;
};

}  // namespace

base::Result<void> read_agent(const YamlFields& fields, Actor& actor) {
  return AgentReader(fields, actor).read();
}

}  // namespace clever::engine::internal
