#include "engine/actor/internal/step_reader.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "engine/actor/internal/replacer.h"
#include "engine/actor/internal/variables.h"
#include "engine/actor/internal/yaml_fields.h"

namespace clever::engine::internal {
namespace {

using model::YamlValue;
using YamlKind = YamlValue::Kind;

struct StepKind {
  std::string_view name;
  std::vector<std::string> keys;
  std::vector<std::string> needed;
  /// The key to which a plain text is short for a mapping.
  std::string_view short_form;
};

const std::vector<StepKind>& step_kinds() {
  static const std::vector<StepKind> kKinds = {
      {"replace", {"find", "replace", "glob", "regex", "word", "required"}, {"find"}, ""},
      {"template", {"path", "content", "overwrite"}, {"path", "content"}, ""},
      {"delete", {"path", "glob"}, {}, "path"},
      {"move", {"from", "to"}, {"from", "to"}, ""},
      {"executable", {"path", "glob", "value"}, {}, "path"},
      {"command", {"run", "glob", "timeout_s"}, {"run"}, "run"},
  };
  return kKinds;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const StepKind& kind : step_kinds()) names.emplace_back(kind.name);
  return names;
}

constexpr auto kFlags =
    std::to_array<std::string_view>({"regex", "word", "required", "overwrite", "value"});
constexpr std::int64_t kLongestTimeout = 24 * 60 * 60;

bool mentions(std::string_view text, std::string_view name) {
  return std::ranges::any_of(variables_in(text),
                             [&](const std::string& found) { return found == name; });
}

class StepReader {
 public:
  StepReader(const StepRules& rules, const StepKind& kind, std::string place)
      : rules_(rules), kind_(kind), place_(std::move(place)) {
    known_ = rules.arguments;
    known_.insert(known_.end(), {"path", "project"});
  }

  base::Result<ToolActorStep> read(const YamlValue& value) {
    step_.kind = kind_.name;
    if (value.is(YamlKind::kMapping)) {
      CLEVER_TRY(read_mapping(value));
    } else if (!kind_.short_form.empty()) {
      CLEVER_TRY(read_value(std::string(kind_.short_form), value));
    } else {
      return YamlFields::of(value, rules_.file, place_, kind_.keys, kind_.needed).error();
    }
    CLEVER_TRY(check_target(value));
    CLEVER_TRY(check_files(value));
    CLEVER_TRY(check_pattern(value));
    return std::move(step_);
  }

 private:
  base::Result<void> read_mapping(const YamlValue& mapping) {
    CLEVER_TRY(YamlFields::of(mapping, rules_.file, place_, kind_.keys, kind_.needed));
    for (const auto& [key, value] : mapping.members) CLEVER_TRY(read_value(key.text, value));
    return {};
  }

  base::Error wrong(const std::string& key, const YamlValue& value, std::string_view what) const {
    return model::yaml_error(
        rules_.file, value.line,
        place_ + "." + key + (what.starts_with(':') ? "" : " ") + std::string(what));
  }
  base::Error at(const YamlValue& value, std::string_view what) const {
    return model::yaml_error(rules_.file, value.line, place_ + ": " + std::string(what));
  }

  base::Result<void> read_value(const std::string& key, const YamlValue& value) {
    if (key == "run" && value.is(YamlKind::kList)) return read_argv(value);
    const bool may_be_empty = key == "replace" || key == "content" || key == "glob";
    const bool is_text = value.is(YamlKind::kScalar) || (may_be_empty && value.is(YamlKind::kNull));
    if (!is_text || (value.text.empty() && !may_be_empty)) {
      return wrong(key, value,
                   "is " + describe(value) + ", but must be a text" +
                       (key == "run" ? " for sh, or a list of program and arguments" : ""));
    }
    CLEVER_TRY(check_text(key, value));
    step_.values[key] = value.text;
    return {};
  }

  base::Result<void> read_argv(const YamlValue& list) {
    for (const YamlValue& item : list.items) {
      if (!item.is(YamlKind::kScalar)) {
        return wrong("run", item, "holds " + describe(item) + ", but its items must be texts");
      }
      const bool all = sole_variable(item.text) == "paths";
      if (!all) CLEVER_TRY(check_text("run", item));
      step_.argv.push_back(item.text);
    }
    if (step_.argv.empty() || step_.argv.front().empty()) {
      return wrong("run", list, "is empty, but must begin with a program");
    }
    return {};
  }

  base::Result<void> check_text(const std::string& key, const YamlValue& value) {
    if (mentions(value.text, "paths")) {
      return wrong(
          key, value,
          step_.kind == "command"
              ? "has ${paths} within a text: as a list, let it be an item of its own; in a "
                "text for sh the files are \"$@\""
              : "has ${paths}, which only a command takes; ${path} stands for one file");
    }
    auto variables = check_variables(value.text, known_);
    if (!variables.ok()) return wrong(key, value, ": " + variables.error().message());
    if (std::ranges::find(kFlags, key) != kFlags.end()) return check_flag(key, value);
    if (key == "timeout_s") return check_timeout(value);
    return {};
  }
  base::Result<void> check_flag(const std::string& key, const YamlValue& value) const {
    const bool fits =
        value.text == "true" || value.text == "false" || sole_variable(value.text).has_value();
    if (fits) return {};
    return wrong(key, value, "is " + describe(value) + ", but must be true, false or a variable");
  }
  base::Result<void> check_timeout(const YamlValue& value) const {
    const bool digits =
        value.text.size() <= 5 && value.text.find_first_not_of("0123456789") == std::string::npos;
    const std::int64_t seconds = digits ? std::stoll(value.text) : 0;
    if (seconds >= 1 && seconds <= kLongestTimeout) return {};
    return wrong("timeout_s", value,
                 "is " + describe(value) + ", but must be seconds from 1 to 86400");
  }

  // A step needs exactly one target.
  base::Result<void> check_target(const YamlValue& value) const {
    if (step_.kind != "delete" && step_.kind != "executable") return {};
    if (step_.values.contains("path") != step_.values.contains("glob")) return {};
    return at(value, "needs either path or glob");
  }

  base::Result<void> check_files(const YamlValue& value) const {
    const bool has_files = rules_.split || step_.values.contains("glob");
    if (is_for_each(step_) && !has_files) {
      return at(value, "${path} needs files: say which by glob, or by split");
    }
    const bool about_files =
        step_.kind == "replace" || is_for_each(step_) || takes_all_paths(step_);
    if (!rules_.split || about_files) return {};
    return at(value,
              "with split every part does every step: each must be about its files (replace, "
              "${path}, ${paths} or \"$@\")");
  }

  // Checks a pattern without variables before anything runs.
  base::Result<void> check_pattern(const YamlValue& value) const {
    if (step_.kind != "replace") return {};
    for (const auto& [key, text] : step_.values) {
      if (!variables_in(text).empty()) return {};
    }
    auto replacer = Replacer::of(step_, {});
    if (!replacer.ok()) return at(value, replacer.error().message());
    return {};
  }

  const StepRules& rules_;
  const StepKind& kind_;
  const std::string place_;
  std::vector<std::string> known_;
  ToolActorStep step_;
};

}  // namespace

bool is_for_each(const ToolActorStep& step) {
  const auto names_path = [](std::string_view text) { return mentions(text, "path"); };
  return std::ranges::any_of(step.values,
                             [&](const auto& value) { return names_path(value.second); }) ||
         std::ranges::any_of(step.argv, names_path);
}

bool takes_all_paths(const ToolActorStep& step) {
  const auto run = step.values.find("run");
  if (run != step.values.end() && run->second.contains("$@")) return true;
  return std::ranges::any_of(step.argv,
                             [](std::string_view item) { return sole_variable(item) == "paths"; });
}

base::Result<ToolActorStep> read_step(const YamlValue& value, const std::string& place,
                                      const StepRules& rules) {
  if (!value.is(YamlKind::kMapping) || value.members.size() != 1) {
    return model::yaml_error(rules.file, value.line,
                             place + " must be a mapping with one key, the kind of the step: " +
                                 base::joined(kind_names()));
  }
  const auto& [key, body] = value.members.front();
  const auto kind = std::ranges::find(step_kinds(), key.text, &StepKind::name);
  if (kind == step_kinds().end()) {
    return model::yaml_error(rules.file, key.line,
                             place + ": " + model::unknown_word("kind of step", key, kind_names()));
  }
  return StepReader(rules, *kind, place + "." + key.text).read(body);
}

}  // namespace clever::engine::internal
