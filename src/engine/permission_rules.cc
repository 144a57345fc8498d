#include "engine/permission_rules.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "base/glob.h"
#include "base/utf8.h"
#include "confine/shell_words.h"
#include "model/automation.h"
#include "tool/mcp_tools.h"

namespace clever::engine {
namespace {

using confine::is_shell;
using confine::program_name;
using confine::program_places;
using confine::shell_commands;
using confine::ShellCommand;
using confine::ShellWord;
using model::parse_permission;
using model::PermissionPattern;
using model::Verdict;
using nlohmann::json;

constexpr std::size_t kLongestShown = 300;
constexpr std::array kPathKeys{"path", "from", "to", "file", "paths", "files"};

// ---- texts and paths

/// Returns the path relative to the project's root; nothing if it leads outside.
std::optional<std::string> normal_path(std::string_view path, std::string_view root) {
  if (!root.empty() && path.starts_with(root) && path.size() > root.size() &&
      path[root.size()] == '/') {
    path.remove_prefix(root.size() + 1);
  }
  if (path.starts_with('/')) return std::nullopt;
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty() || name == ".") continue;
    if (name != "..") {
      names.push_back(name);
    } else if (names.empty()) {
      return std::nullopt;
    } else {
      names.pop_back();
    }
  }
  std::string normal;
  for (const std::string_view name : names) (normal += normal.empty() ? "" : "/") += name;
  return normal;
}

// ---- commands

/// Splits a pattern into words; `*` alone stands for any number of words.
std::vector<std::string> pattern_words(std::string_view pattern) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : pattern) {
    if (c != ' ' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

/// How to compare a command's words with a pattern.
enum class Reading : std::uint8_t {
  /// Literally: "./git" may be any program, not just git.
  kToTheLetter,
  /// By the program's name, in any folder.
  kByName,
  /// Unknown words match anything; otherwise only `*` matches them.
  kLenient,
};

bool fits_words(const std::vector<std::string>& pattern, const ShellCommand& words,
                Reading reading) {
  const std::size_t most = pattern.size();
  std::vector<bool> now(most + 1);
  const auto skip_stars = [&](std::vector<bool>& places) {
    for (std::size_t i = 0; i < most; ++i) {
      if (places[i] && pattern[i] == "*") places[i + 1] = true;
    }
  };
  now[0] = true;
  skip_stars(now);
  for (const ShellWord& word : words) {
    const bool is_program = &word == &words.front() && reading != Reading::kToTheLetter;
    std::vector<bool> next(most + 1);
    for (std::size_t i = 0; i <= most; ++i) {
      if (!now[i]) continue;
      if (word.unknown && reading == Reading::kLenient) {
        std::fill(next.begin() + static_cast<std::ptrdiff_t>(i), next.end(), true);
      }
      if (i == most) continue;
      if (pattern[i] == "*") next[i] = true;
      if (word.unknown) continue;
      const bool fits =
          base::matches_wildcards(pattern[i], word.text) ||
          (is_program && base::matches_wildcards(pattern[i], program_name(word.text)));
      if (fits) next[i + 1] = true;
    }
    skip_stars(next);
    now = std::move(next);
  }
  return now[most];
}

bool is_option(const ShellWord& word) { return !word.unknown && word.text.starts_with('-'); }

/// Returns the command without its options; with `values`, also without the word after each option.
ShellCommand without_options(const ShellCommand& words, std::size_t from, bool values) {
  ShellCommand left;
  for (std::size_t i = from; i < words.size(); ++i) {
    if (i > from && is_option(words[i])) {
      if (values && words[i].text.find('=') == std::string::npos) ++i;
      continue;
    }
    left.push_back(words[i]);
  }
  return left;
}

Fit fit_from(const std::vector<std::string>& pattern, const ShellCommand& words, std::size_t from) {
  const std::array<ShellCommand, 3> ways{
      ShellCommand(words.begin() + static_cast<std::ptrdiff_t>(from), words.end()),
      without_options(words, from, false), without_options(words, from, true)};
  Fit fit = Fit::kNo;
  for (const ShellCommand& way : ways) {
    if (fits_words(pattern, way, Reading::kByName)) return Fit::kYes;
    if (fits_words(pattern, way, Reading::kLenient)) fit = Fit::kMaybe;
  }
  return fit;
}

bool is_unknown(const ShellWord& word) { return word.unknown; }

/// Returns true if a shell runs text that is not known here: a file, its input, a variable.
bool runs_unknown(const ShellCommand& words, const std::vector<bool>& places) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!places[i] || words[i].unknown || !is_shell(program_name(words[i].text))) continue;
    const auto rest = std::span(words).subspan(i + 1);
    const bool has_script = std::ranges::any_of(rest, [](const ShellWord& word) {
      return !word.unknown && word.text.find_first_of(" \t\n;|&") != std::string::npos;
    });
    return !has_script || std::ranges::any_of(rest, is_unknown);
  }
  return false;
}

Fit concerns_command(const std::vector<std::string>& pattern, const ShellCommand& words) {
  const std::vector<bool> places = program_places(words);
  Fit fit = runs_unknown(words, places) ? Fit::kMaybe : Fit::kNo;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Fit here = fit_from(pattern, words, i);
    if (here == Fit::kYes && places[i]) return Fit::kYes;
    // The word may be an argument of a program that runs nothing, so a person decides.
    if (here == Fit::kYes || (here == Fit::kMaybe && places[i])) fit = Fit::kMaybe;
  }
  return fit;
}

Fit concerns_script(std::string_view argument, const std::string& script) {
  const auto commands = shell_commands(script);
  if (!commands) return Fit::kMaybe;
  const std::vector<std::string> pattern = pattern_words(argument);
  Fit fit = Fit::kNo;
  for (const ShellCommand& command : *commands) {
    fit = std::max(fit, concerns_command(pattern, command));
  }
  return fit;
}

bool covers_script(const std::vector<std::string>& arguments, const std::string& script) {
  const auto commands = shell_commands(script);
  if (!commands || commands->empty()) return false;
  return std::ranges::all_of(*commands, [&](const ShellCommand& command) {
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
      return fits_words(pattern_words(argument), command, Reading::kToTheLetter);
    });
  });
}

// ---- arguments of a call

struct CallArguments {
  std::optional<std::string> command{};
  std::vector<std::string> paths{};
  std::vector<std::string> texts{};
};

void add_texts(const json& value, std::vector<std::string>& into, int depth = 0) {
  constexpr int kDeepest = 16;
  if (value.is_string()) into.push_back(value.get<std::string>());
  if (!value.is_structured() || depth == kDeepest) return;
  for (const json& one : value) add_texts(one, into, depth + 1);
}

CallArguments call_arguments(const model::ToolCall& call) {
  CallArguments read;
  const json object = json::parse(call.arguments, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return read;
  if (const auto command = object.find("command");
      command != object.end() && command->is_string()) {
    read.command = command->get<std::string>();
  }
  for (const char* key : kPathKeys) {
    if (const auto path = object.find(key); path != object.end()) add_texts(*path, read.paths);
  }
  add_texts(object, read.texts);
  return read;
}

Fit concerns_path(const std::string& pattern, const std::string& path, std::string_view root) {
  const auto normal = normal_path(path, root);
  if (!normal) return Fit::kMaybe;
  return is_like_path(pattern, *normal) ? Fit::kYes : Fit::kNo;
}

// Whether the path begins like the pattern, and has the literals between its wildcards in order.
// Most paths do not: the whole comparison costs a hundred times more.
// ---- verdicts

std::string shown_call(const model::ToolCall& call) {
  const CallArguments arguments = call_arguments(call);
  std::string text = call.name;
  if (arguments.command) {
    text += " " + *arguments.command;
  } else if (!arguments.paths.empty()) {
    for (const std::string& path : arguments.paths) text += " " + path;
  } else if (!arguments.texts.empty()) {
    text += " " + arguments.texts.front();
  }
  text = base::to_valid_utf8(text);
  if (text.size() <= kLongestShown) return text;
  return std::string(base::utf8_prefix(text, kLongestShown)) + "…";
}

std::string rule_origin(const model::Permission& rule) {
  return rule.origin.empty() ? "the settings" : rule.origin;
}

bool deletes(const model::ToolCall& call) {
  if (call.name == "delete_file") return true;
  const CallArguments arguments = call_arguments(call);
  if (!arguments.command) return false;
  constexpr std::array<std::string_view, 7> kDeleting{
      "rm *", "rmdir *", "unlink *", "shred *", "git rm *", "git clean *", "find * -delete *"};
  return std::ranges::any_of(kDeleting, [&](std::string_view pattern) {
    return concerns_script(pattern, *arguments.command) == Fit::kYes;
  });
}

/// Returns a plan's verdict on one call.
class Judgement {
 public:
  Judgement(const plan::State& plan, const model::ToolCall& call, const tool::ToolSpec* spec)
      : control_(plan.settings.control),
        automation_(model::automation_of(plan.settings)),
        root_(plan.project),
        call_(call),
        spec_(spec) {}

  plan::CallVerdict pronounce() {
    if (by_guards() || by_rule(Verdict::kDeny)) return verdict_;
    const bool allowed = is_allowed();
    if (spec_ != nullptr && spec_->capabilities.unsafe && !allowed) {
      return say(Verdict::kDeny, call_.name +
                                     " is unsafe, and such tools are off; permissions.allow turns "
                                     "one on");
    }
    if (by_rule(Verdict::kAsk)) return verdict_;
    if (allowed) return say(Verdict::kAllow, "");
    return by_profile();
  }

 private:
  const plan::CallVerdict& say(Verdict verdict, std::string why) {
    verdict_ = {.verdict = verdict, .why = std::move(why)};
    if (verdict != Verdict::kAllow) verdict_.shown = shown_call(call_);
    return verdict_;
  }

  bool named_by(const std::vector<std::string>& patterns) const {
    return std::ranges::any_of(patterns,
                               [&](const std::string& one) { return names_tool(one, call_.name); });
  }

  bool by_guards() {
    if (named_by(control_.guards.denied_tools)) {
      say(Verdict::kDeny, "guards.denied_tools names " + call_.name);
      return true;
    }
    const auto& allowed = control_.guards.allowed_tools;
    if (allowed.empty() || named_by(allowed)) return false;
    say(Verdict::kDeny, "guards.allowed_tools does not name " + call_.name);
    return true;
  }

  // A rule that cannot be parsed asks about everything.
  Fit fit_of(const model::Permission& rule) const {
    const auto pattern = parse_permission(rule.pattern);
    return pattern.ok() ? concerns(*pattern, call_, root_) : Fit::kMaybe;
  }

  bool by_rule(Verdict wanted) {
    for (const model::Permission& rule : control_.permissions) {
      if (rule.verdict != wanted) continue;
      const Fit fit = fit_of(rule);
      const bool denies = wanted == Verdict::kDeny && fit == Fit::kYes;
      const bool asks = wanted == Verdict::kAsk && fit != Fit::kNo;
      if (denies) say(wanted, rule_origin(rule) + " deny " + rule.pattern);
      if (asks) say(wanted, rule_origin(rule) + " ask before " + rule.pattern);
      if (denies || asks) return true;
      // The match is too uncertain to deny or to allow.
      if (fit == Fit::kMaybe && doubt_.empty()) {
        doubt_ = "it may be what " + rule_origin(rule) + " deny: " + rule.pattern;
      }
    }
    if (wanted != Verdict::kAsk || doubt_.empty()) return false;
    say(Verdict::kAsk, doubt_);
    return true;
  }

  bool is_allowed() const {
    std::vector<PermissionPattern> patterns;
    for (const model::Permission& rule : control_.permissions) {
      if (rule.verdict != Verdict::kAllow) continue;
      if (auto pattern = parse_permission(rule.pattern); pattern.ok()) {
        patterns.push_back(*std::move(pattern));
      }
    }
    return is_covered(patterns, call_, root_);
  }

  const plan::CallVerdict& by_profile() {
    const bool writes = spec_ != nullptr && !spec_->capabilities.read_only;
    if (writes && model::asks(automation_.write)) {
      return say(Verdict::kAsk, "the profile asks before each call that writes");
    }
    if (writes && model::asks(automation_.deletion) && deletes(call_)) {
      return say(Verdict::kAsk, "the profile asks before deletions");
    }
    return say(Verdict::kAllow, "");
  }

  const model::Control& control_;
  const model::Automation automation_;
  const std::string_view root_;
  const model::ToolCall& call_;
  const tool::ToolSpec* const spec_;
  plan::CallVerdict verdict_;
  std::string doubt_;
};

}  // namespace

bool names_tool(std::string_view pattern, std::string_view tool) {
  const std::string_view former = tool::former_mcp_name(tool);
  return base::matches_wildcards(pattern, tool) ||
         (!former.empty() && base::matches_wildcards(pattern, former));
}

Compared compared_of(std::string_view input_schema) {
  const json schema = json::parse(input_schema, nullptr, /*allow_exceptions=*/false);
  if (!schema.is_object() || !schema.contains("properties")) return Compared::kTexts;
  const json& properties = schema["properties"];
  if (!properties.is_object()) return Compared::kTexts;
  if (properties.contains("command")) return Compared::kCommand;
  const bool has_path =
      std::ranges::any_of(kPathKeys, [&](const char* key) { return properties.contains(key); });
  if (has_path) return Compared::kPaths;
  return properties.empty() ? Compared::kNothing : Compared::kTexts;
}

bool is_like_path(std::string_view pattern, std::string_view path) {
  return base::Glob(pattern, {.sets = false, .loose = true}).matches(path);
}

Fit concerns(const PermissionPattern& pattern, const model::ToolCall& call, std::string_view root) {
  if (!names_tool(pattern.tool, call.name)) return Fit::kNo;
  if (pattern.argument.empty()) return Fit::kYes;
  const CallArguments arguments = call_arguments(call);
  if (arguments.command) return concerns_script(pattern.argument, *arguments.command);
  Fit fit = Fit::kNo;
  if (!arguments.paths.empty()) {
    for (const std::string& path : arguments.paths) {
      fit = std::max(fit, concerns_path(pattern.argument, path, root));
    }
    return fit;
  }
  const bool any = std::ranges::any_of(arguments.texts, [&](const std::string& text) {
    return base::matches_wildcards(pattern.argument, text);
  });
  return any ? Fit::kYes : Fit::kNo;
}

bool is_covered(const std::vector<PermissionPattern>& patterns, const model::ToolCall& call,
                std::string_view root) {
  std::vector<std::string> about;
  for (const PermissionPattern& pattern : patterns) {
    if (!names_tool(pattern.tool, call.name)) continue;
    if (pattern.argument.empty()) return true;
    about.push_back(pattern.argument);
  }
  if (about.empty()) return false;
  const CallArguments arguments = call_arguments(call);
  if (arguments.command) return covers_script(about, *arguments.command);
  const auto fits = [&](const std::string& value, bool is_path) {
    return std::ranges::any_of(about, [&](const std::string& pattern) {
      return is_path ? concerns_path(pattern, value, root) == Fit::kYes
                     : base::matches_wildcards(pattern, value);
    });
  };
  const bool by_paths = !arguments.paths.empty();
  const auto& values = by_paths ? arguments.paths : arguments.texts;
  return !values.empty() && std::ranges::all_of(values, [&](const std::string& value) {
    return fits(value, by_paths);
  });
}

plan::CallVerdict verdict_of(const plan::State& plan, const model::ToolCall& call,
                             const tool::ToolSpec* spec) {
  return Judgement(plan, call, spec).pronounce();
}

}  // namespace clever::engine
