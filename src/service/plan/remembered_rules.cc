#include "service/plan/remembered_rules.h"

#include <algorithm>

#include "base/text.h"
#include "config/edit.h"
#include "config/settings.h"
#include "io/file.h"
#include "io/file_lock.h"
#include "model/document_json.h"
#include "model/permission_pattern.h"

namespace clever::service {
namespace {

constexpr std::string_view kAllow = "permissions.allow";
constexpr unsigned kRulesFileMode = 0600;

std::filesystem::path rules_file(const Context& context) {
  return context.home() / "remembered_rules.json";
}

base::Result<Document> read_rules(const Context& context) {
  const auto text = io::read_file(rules_file(context));
  if (!text.ok() && text.error().code() == base::ErrorCode::kNotFound) return Document::map();
  if (!text.ok()) return text.error();
  auto rules = model::parse_document(*text);
  if (!rules.ok() || !rules->is_map()) {
    return base::corruption(
        rules_file(context).string() +
        " is not a JSON object: remove it, and agents asks about everything again");
  }
  return rules;
}

std::vector<std::string> project_rules(const Document& rules,
                                       const std::filesystem::path& project) {
  std::vector<std::string> texts;
  const Document* list = rules.find(project.string());
  const auto* items = list == nullptr ? nullptr : std::get_if<Document::List>(&list->value());
  if (items == nullptr) return texts;
  for (const Document& item : *items) {
    if (const auto* text = std::get_if<std::string>(&item.value())) texts.push_back(*text);
  }
  return texts;
}

base::Result<void> remember_for_project(const Context& context,
                                        const std::filesystem::path& project,
                                        const std::string& rule) {
  CLEVER_TRY(io::make_directories(context.home()));
  CLEVER_ASSIGN(const auto lock, io::FileLock::acquire(context.home() / "remembered_rules.lock",
                                                       context.stop(), base::Deadline::never()));
  CLEVER_ASSIGN(Document rules, read_rules(context));
  std::vector<std::string> all = project_rules(rules, project);
  if (std::ranges::find(all, rule) != all.end()) return {};
  all.push_back(rule);
  rules.set(project.string(), Document::texts(all));
  return io::write_file_atomically(rules_file(context), to_json(rules) + "\n", kRulesFileMode);
}

base::Result<void> remember_always(const Context& context, const std::string& rule) {
  config::Sources sources = context.sources();
  sources.project_directory.reset();
  sources.flags.clear();
  sources.environment = io::Environment();
  CLEVER_ASSIGN(const auto settings, config::load_settings(sources));
  std::vector<std::string> rules = config::rules_of(settings.text(kAllow));
  if (std::ranges::find(rules, rule) != rules.end()) return {};
  rules.push_back(rule);
  return config::set_value(context.home() / "config.toml", kAllow, base::joined(rules));
}

}  // namespace

std::optional<std::string> rule_like(const model::ApprovalItem& item) {
  if (!item.why.starts_with("the profile")) return std::nullopt;
  const std::size_t blank = std::min(item.what.find(' '), item.what.size());
  const std::string tool = item.what.substr(0, blank);
  const std::string_view rest = base::trimmed(std::string_view(item.what).substr(blank));
  std::string rule = tool;
  if (tool == "run_command") {
    // Offers no rule for a cut command, or for text that a shell might read as several commands.
    const bool is_simple = rest.find_first_of(";|&<>`$()\n\\\"'*?[]{}~#!=") == rest.npos &&
                           rest.find("…") == rest.npos;
    const std::string_view program = rest.substr(0, rest.find(' '));
    if (!is_simple || program.empty()) return std::nullopt;
    rule += "(" + std::string(program) + " *)";
  }
  return model::parse_permission(rule).ok() ? std::optional(rule) : std::nullopt;
}

base::Result<std::vector<std::string>> remembered_rules(const Context& context,
                                                        const std::filesystem::path& project) {
  CLEVER_ASSIGN(const Document rules, read_rules(context));
  return project_rules(rules, project);
}

base::Result<void> remember_rule(const Context& context, const std::filesystem::path& project,
                                 const std::string& rule, RememberFor scope) {
  if (scope == RememberFor::kProject) return remember_for_project(context, project, rule);
  return scope == RememberFor::kAlways ? remember_always(context, rule) : base::Result<void>();
}

}  // namespace clever::service
