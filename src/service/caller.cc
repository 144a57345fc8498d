#include "service/caller.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/automation.h"
#include "service/caller_rights.h"

namespace clever::service {
namespace {

using enum Right;

struct OperationRight {
  std::string_view operation;
  Right right;
};

// The right that each operation needs, by group. An operation that is missing here needs the
// highest.
constexpr auto kRights = std::to_array<OperationRight>({
    {"run", kRun},
    {"init", kAdmin},
    {"demo", kRun},
    {"status", kRead},
    {"diff", kRead},
    {"apply", kApprove},
    {"undo", kApprove},
    {"pr", kApprove},
    {"resume", kRun},
    {"cancel", kRun},
    {"watch", kRun},
    {"tui", kApprove},
    {"session", kApprove},
    {"session list", kRead},
    {"session show", kRead},
    {"session attach", kRead},
    {"session export", kRead},
    {"session create", kRun},
    {"session tell", kRun},
    {"session rename", kRun},
    {"session fork", kRun},
    {"session delete", kRun},
    {"session import", kRun},
    {"plan list", kRead},
    {"plan status", kRead},
    {"plan watch", kRun},
    {"plan tree", kRead},
    {"plan explain", kRead},
    {"plan correct", kRun},
    {"plan diff", kRead},
    {"plan hunks", kRead},
    {"plan review", kApprove},
    {"plan choose", kApprove},
    {"plan apply", kApprove},
    {"plan undo", kApprove},
    {"plan prompt", kRun},
    {"plan rollback", kRun},
    {"plan resume", kRun},
    {"plan cancel", kRun},
    {"plan approve", kApprove},
    {"plan reject", kApprove},
    {"plan audit", kRead},
    {"plan log", kRead},
    {"plan errors", kRead},
    {"plan events", kRead},
    {"plan export", kRead},
    {"plan cost", kRead},
    {"plan verify", kRead},
    {"plan drive", kRun},
    {"context show", kRead},
    {"context search", kRead},
    {"context why", kRead},
    {"context index", kRun},
    {"context stats", kRead},
    {"context decisions", kRead},
    {"config get", kRead},
    {"config set", kAdmin},
    {"config unset", kAdmin},
    {"config edit", kAdmin},
    {"config list", kRead},
    {"config path", kRead},
    {"db status", kAdmin},
    {"db migrate", kAdmin},
    {"db verify", kAdmin},
    {"db rebuild", kAdmin},
    {"db backup", kAdmin},
    {"db vacuum", kAdmin},
    {"model list", kRead},
    {"provider list", kRead},
    {"provider show", kRead},
    {"provider test", kRun},
    {"provider calls", kRead},
    {"provider reset", kAdmin},
    {"budget list", kRead},
    {"budget set", kAdmin},
    {"budget release", kAdmin},
    {"action list", kRead},
    {"action show", kRead},
    {"action add", kAdmin},
    {"action remove", kAdmin},
    {"actor list", kRead},
    {"actor show", kRead},
    {"actor add", kAdmin},
    {"actor remove", kAdmin},
    {"agent list", kRead},
    {"agent test", kRun},
    {"tool list", kRead},
    {"tool show", kRead},
    {"tool add", kAdmin},
    {"tool remove", kAdmin},
    {"skill list", kRead},
    {"skill show", kRead},
    {"skill add", kAdmin},
    {"skill remove", kAdmin},
    {"project list", kRead},
    {"project show", kRead},
    {"project add", kAdmin},
    {"project remove", kAdmin},
    {"validation list", kRead},
    {"validation show", kRead},
    {"validation add", kAdmin},
    {"validation remove", kAdmin},
    {"validation run", kRun},
    {"invariant list", kRead},
    {"invariant show", kRead},
    {"invariant add", kAdmin},
    {"invariant remove", kAdmin},
    {"trust", kAdmin},
    {"login", kAdmin},
    {"login approve", kRead},
    {"logout", kAdmin},
    {"whoami", kRead},
    {"token create", kAdmin},
    {"token link", kAdmin},
    {"token list", kAdmin},
    {"token revoke", kAdmin},
    {"sandbox run", kAdmin},
    {"cleanup", kAdmin},
    {"diagnostics", kAdmin},
    {"server", kAdmin},
    {"worker", kAdmin},
    {"worker list", kAdmin},
    {"worker drain", kAdmin},
    {"inbox", kRead},
    {"inbox list", kRead},
    {"inbox answer", kApprove},
    {"inbox notices", kRead},
    {"inbox retry", kAdmin},
    {"queue list", kRead},
    {"queue stats", kRead},
    {"completion", kRead},
    {"help", kRead},
    {"version", kRead},
    {"manual", kRead},
    {"complete", kRead},
});

const OperationRight* find_right(std::string_view operation) noexcept {
  const auto* found = std::ranges::find(kRights, operation, &OperationRight::operation);
  return found == kRights.end() ? nullptr : found;
}

std::string name_of(const CommandPath& operation) {
  return operation.size() < 2 ? std::string() : joined({operation.begin() + 1, operation.end()});
}

// Returns true if the plan's changes land without an approval.
bool lands_unasked(const Invocation& invocation) {
  if (invocation.flag("apply")) return true;
  const auto profile = invocation.value("profile");
  if (!profile) return false;
  const auto automation = model::automation_of_profile(*profile);
  return automation && !model::asks(automation->apply);
}

}  // namespace

std::string_view to_string(Right right) noexcept {
  switch (right) {
    case kRead:
      return "read";
    case kRun:
      return "run";
    case kApprove:
      return "approve";
    case kAdmin:
      break;
  }
  return "admin";
}

std::optional<Right> parse_right(std::string_view name) noexcept {
  for (const Right right : {kRead, kRun, kApprove, kAdmin}) {
    if (to_string(right) == name) return right;
  }
  return std::nullopt;
}

bool Caller::sees_namespace(std::string_view space) const {
  return !namespaces || std::ranges::find(*namespaces, space) != namespaces->end();
}

bool Caller::sees_project(const std::filesystem::path& folder) const {
  return !namespaces || std::ranges::find(projects, folder) != projects.end();
}

std::vector<std::string_view> Rights::names() const {
  std::vector<std::string_view> names;
  for (const Right right : {kRead, kRun, kApprove, kAdmin}) {
    if (has(right)) names.push_back(to_string(right));
  }
  return names;
}

bool may(const Context& context, Right right) {
  return context.caller() == nullptr || context.caller()->rights.has(right);
}

bool owns_home(const Context& context) {
  return context.caller() == nullptr || context.caller()->token.empty();
}

std::string person_name(const Context& context) {
  const Caller* caller = context.caller();
  if (caller != nullptr && caller->name != command_line_caller().name) return caller->name;
  for (const char* name : {"USER", "LOGNAME"}) {
    if (const auto value = context.environment().value(name); value && !value->empty()) {
      return std::string(*value);
    }
  }
  return std::string(command_line_caller().name);
}

Caller command_line_caller() { return {.name = "the command line", .rights = Rights::all()}; }

base::Result<void> require(const Caller& caller, Right right) {
  if (caller.rights.has(right)) return {};
  return base::permission_denied("this needs the right `" + std::string(to_string(right)) +
                                 "`, which " + caller.name + " does not have");
}

Right right_of(std::string_view operation) noexcept {
  const OperationRight* found = find_right(operation);
  return found == nullptr ? kAdmin : found->right;
}

bool has_right_of_its_own(std::string_view operation) noexcept {
  return find_right(operation) != nullptr;
}

Rights rights_for(const CommandPath& operation, const Invocation& invocation) {
  const std::string name = name_of(operation);
  Rights rights{right_of(name)};
  if (name == "run" && lands_unasked(invocation)) rights.add(kApprove);
  if (name == "tui" || name == "session") rights.add(kRun);
  if (invocation.flag("edit")) rights.add(kApprove);
  return rights;
}

base::Result<Report> call(const CommandPath& operation, const Invocation& invocation,
                          const Caller& caller, Context& context) {
  const Rights needed = rights_for(operation, invocation);
  for (const Right right : {kRead, kRun, kApprove, kAdmin}) {
    if (needed.has(right)) CLEVER_TRY(require(caller, right));
  }
  context.act_for(caller);
  return operation.back()->handler(invocation, context);
}

}  // namespace clever::service
