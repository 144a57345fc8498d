#include "engine/actor/internal/agent_reader.h"

#include <algorithm>
#include <filesystem>

#include "engine/actor/internal/builtin_actors.h"
#include "engine/actor/internal/variables.h"

namespace clever::engine::internal {
namespace {

using model::YamlValue;
using YamlKind = YamlValue::Kind;

constexpr std::size_t kMostAgentWords = 200;
constexpr std::int64_t kLongestAgentTimeout = 24 * 60 * 60;
constexpr std::size_t kMostLogins = 16;
constexpr std::size_t kLongestSettings = std::size_t{64} << 10U;

bool is_environment_name(std::string_view name) {
  const auto fits = [](char one) {
    return (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9') ||
           one == '_';
  };
  return !name.empty() && name.size() <= 128 && !(name.front() >= '0' && name.front() <= '9') &&
         std::ranges::all_of(name, fits);
}

// A login folder is a folder below the home or the root, never the home or the root itself.
bool is_folder(std::string_view text) {
  const bool of_home = text.starts_with("~/");
  const std::filesystem::path path(of_home ? text.substr(2) : text);
  const std::filesystem::path normal = path.lexically_normal();
  const bool climbs = std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
  if (climbs || normal.empty() || normal == ".") return false;
  return of_home ? !normal.is_absolute() : normal.is_absolute() && normal != normal.root_path();
}

// Accepts "NAME" and "NAME=OTHER".
bool is_passed_variable(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return is_environment_name(text);
  return is_environment_name(text.substr(0, equals)) &&
         is_environment_name(text.substr(equals + 1));
}

// Accepts a file below the home: "~/.agent/auth.json".
bool is_home_file(std::string_view text) { return text.starts_with("~/") && is_folder(text); }

bool is_host(std::string_view text) {
  return !text.empty() && text.size() <= 260 &&
         text.find_first_of(" \t/@\"'") == std::string_view::npos;
}

// These words stand for several words, or for none.
bool is_list_word(std::string_view word) { return word == "${model}" || word == "${session}"; }

class AgentReader {
 public:
  AgentReader(const YamlFields& fields, Actor& actor)
      : fields_(fields), actor_(actor), program_(actor.program) {}

  base::Result<void> read() {
    CLEVER_TRY(read_like());
    CLEVER_TRY(read_protocol());
    CLEVER_TRY(read_command());
    CLEVER_TRY(read_prompt());
    CLEVER_TRY(read_stream());
    CLEVER_TRY(read_lists());
    CLEVER_TRY(read_set("set", program_.set));
    CLEVER_TRY(read_set("acp_set", program_.acp_set));
    CLEVER_TRY(fields_.text("acp_mode", program_.acp_mode));
    CLEVER_TRY(read_logins());
    CLEVER_TRY(read_settings());
    CLEVER_TRY(fields_.text("install", program_.install));
    CLEVER_TRY(fields_.text("log_in", program_.log_in));
    CLEVER_TRY(fields_.text("provider", program_.provider));
    CLEVER_TRY(fields_.flag("network", program_.network));
    CLEVER_TRY(fields_.integer("timeout_s", 1, kLongestAgentTimeout, program_.timeout_s));
    CLEVER_TRY(read_each("folders", program_.folders, is_folder,
                         "a folder of its own, such as ~/.claude or /opt/agent"));
    CLEVER_TRY(read_each("hosts", program_.hosts, is_host, "a host, such as api.example.org"));
    return read_each("environment", program_.environment, is_passed_variable,
                     "a name of a variable, such as ANTHROPIC_API_KEY");
  }

 private:
  // `like: PRESET` fills in what the file leaves out.
  base::Result<void> read_like() {
    const YamlValue* value = fields_.find("like");
    if (value == nullptr) return {};
    std::string like;
    CLEVER_TRY(fields_.text("like", like));
    std::vector<std::string> known;
    for (const Actor& preset : agent_presets()) {
      known.push_back(preset.name.substr(preset.name.find('/') + 1));
      if (like == preset.name || like == known.back()) {
        program_ = preset.program;
        return {};
      }
    }
    return fields_.error("like", *value, ": " + model::unknown_word("preset", *value, known));
  }

  base::Result<void> read_stream() {
    const YamlValue* value = fields_.find("stream");
    if (value == nullptr) return {};
    std::string stream;
    CLEVER_TRY(fields_.text("stream", stream));
    std::vector<std::string> known;
    for (const AgentStreamFormat format :
         {AgentStreamFormat::kText, AgentStreamFormat::kClaude, AgentStreamFormat::kCodex,
          AgentStreamFormat::kOpencode, AgentStreamFormat::kGemini, AgentStreamFormat::kGoose}) {
      known.emplace_back(to_string(format));
      if (stream != known.back()) continue;
      program_.stream = format;
      return {};
    }
    return fields_.error("stream", *value, ": " + model::unknown_word("stream", *value, known));
  }

  base::Result<void> read_lists() {
    CLEVER_TRY(read_words("acp", program_.acp_command, ""));
    CLEVER_TRY(read_words("choose_model", program_.model_words, "model"));
    CLEVER_TRY(read_words("start_session", program_.session_words, "session"));
    return read_words("resume_session", program_.resume_words, "session");
  }

  base::Result<void> read_words(std::string_view key, std::vector<std::string>& into,
                                const std::string& variable) {
    CLEVER_TRY(fields_.texts(key, into));
    const YamlValue* value = fields_.find(key);
    if (value == nullptr) return {};
    const std::vector<std::string> known =
        variable.empty() ? std::vector<std::string>() : std::vector{variable};
    for (const YamlValue& word : value->items) {
      auto checked = check_variables(word.text, known);
      if (!checked.ok()) return fields_.error(key, word, ": " + checked.error().message());
    }
    return {};
  }

  base::Result<void> read_set(std::string_view key, std::map<std::string, std::string>& into) {
    const YamlValue* value = fields_.find(key);
    if (value == nullptr) return {};
    constexpr std::string_view kRight = "a mapping of variables to texts, such as {A_B: \"1\"}";
    if (!value->is(YamlKind::kMapping)) return fields_.wrong(key, *value, kRight);
    for (const auto& [name, text] : value->members) {
      const bool fits = is_environment_name(name.text) && text.is(YamlKind::kScalar);
      if (!fits) return fields_.wrong(key, name, kRight);
      into[name.text] = text.text;
    }
    return {};
  }

  base::Result<void> read_logins() {
    const YamlValue* value = fields_.find("login");
    if (value == nullptr) return {};
    const bool fits = value->is(YamlKind::kList) && value->items.size() <= kMostLogins;
    if (!fits)
      return fields_.wrong("login", *value,
                           "a list such as [{file: ~/.agent/auth.json, fields: [token]}]");
    program_.logins.clear();
    for (std::size_t i = 0; i < value->items.size(); ++i) {
      CLEVER_TRY(read_login(value->items[i], "login[" + std::to_string(i + 1) + "]"));
    }
    return {};
  }

  base::Result<void> read_login(const YamlValue& value, const std::string& place) {
    CLEVER_ASSIGN(
        const YamlFields fields,
        YamlFields::of(value, fields_.file(), place,
                       {"file", "fields", "tokens", "renewed", "account"}, {"file", "fields"}));
    AgentLogin login;
    CLEVER_TRY(fields.text("file", login.file));
    if (!is_home_file(login.file)) {
      return fields.wrong("file", *fields.find("file"), "a file of the home: ~/.agent/auth.json");
    }
    CLEVER_TRY(fields.texts("fields", login.fields));
    CLEVER_TRY(fields.texts("tokens", login.tokens));
    CLEVER_TRY(fields.texts("renewed", login.renewed));
    CLEVER_TRY(fields.texts("account", login.account));
    program_.logins.push_back(std::move(login));
    return {};
  }

  base::Result<void> read_settings() {
    const YamlValue* value = fields_.find("settings");
    if (value == nullptr) return {};
    const bool fits = value->is(YamlKind::kList) && value->items.size() <= kMostLogins;
    if (!fits)
      return fields_.wrong("settings", *value,
                           "a list such as [{file: ~/.agent/settings.json, content: \"{}\"}]");
    program_.settings.clear();
    for (std::size_t i = 0; i < value->items.size(); ++i) {
      CLEVER_TRY(read_setting(value->items[i], "settings[" + std::to_string(i + 1) + "]"));
    }
    return {};
  }

  base::Result<void> read_setting(const YamlValue& value, const std::string& place) {
    CLEVER_ASSIGN(const YamlFields fields,
                  YamlFields::of(value, fields_.file(), place, {"file", "content", "when"},
                                 {"file", "content"}));
    AgentSettings settings;
    CLEVER_TRY(fields.text("file", settings.file));
    if (!is_home_file(settings.file)) {
      return fields.wrong("file", *fields.find("file"),
                          "a file of the home: ~/.agent/settings.json");
    }
    CLEVER_TRY(fields.any_text("content", settings.content));
    if (settings.content.size() > kLongestSettings) {
      return fields.error("content", *fields.find("content"), "is longer than 64 KiB; shorten it");
    }
    std::string when = "always";
    CLEVER_TRY(fields.text("when", when));
    if (when != "always" && when != "login" && when != "no login") {
      return fields.wrong("when", *fields.find("when"), "always, login or no login");
    }
    if (when == "login") settings.when = AgentSettings::When::kWithLogin;
    if (when == "no login") settings.when = AgentSettings::When::kWithoutLogin;
    program_.settings.push_back(std::move(settings));
    return {};
  }

  base::Result<void> read_protocol() {
    const YamlValue* value = fields_.find("protocol");
    if (value == nullptr) return {};
    std::string protocol;
    CLEVER_TRY(fields_.text("protocol", protocol));
    if (protocol != "command" && protocol != "acp") {
      return fields_.error("protocol", *value,
                           ": " + model::unknown_word("protocol", *value, {"command", "acp"}));
    }
    program_.speaks_acp = protocol == "acp";
    return {};
  }

  base::Result<void> read_command() {
    const YamlValue* command = fields_.find("command");
    constexpr std::string_view kRight = "a list of words such as [claude, -p, \"${task}\"]";
    if (command == nullptr && !program_.command.empty()) return {};
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
      if (is_list_word(word.text)) continue;
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
      const YamlValue& at = value == nullptr ? *place_of_command() : *value;
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

  [[nodiscard]] const YamlValue* place_of_command() const {
    const YamlValue* command = fields_.find("command");
    return command == nullptr ? fields_.find("type") : command;
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
