#include "server/routes.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace clever::server {
namespace {

using enum Field::Kind;
using service::Right;

Field limit_field(std::string_view summary) {
  return {.name = "limit", .kind = kInteger, .summary = summary};
}

Field after_field() {
  return {.name = "after", .summary = "Those behind this one: `next` of the page before"};
}

std::vector<Field> task_fields() {
  return {
      {.name = "task", .kind = kWord, .summary = "What to do", .required = true},
      {.name = "projects",
       .kind = kProjects,
       .summary = "The ids of the projects to work on, several as one plan; may be left out if one "
                  "is registered"},
      {.name = "session", .summary = "The session that it belongs to"},
      {.name = "model", .summary = "provider/model, or an alias"},
      {.name = "agent", .summary = "The external agent that does the work: claude, codex, …"},
      {.name = "actor", .summary = "The actor that does the work: local/task, local/codemod, …"},
      {.name = "action", .summary = "The template to use"},
      {.name = "arguments",
       .kind = kTexts,
       .option = "arg",
       .summary = "KEY=VALUE, arguments of the actor or action"},
      {.name = "direct", .kind = kFlag, .summary = "Start work at once, without a strategy"},
      {.name = "profile", .summary = "What needs a person's approval"},
      {.name = "budget_usd",
       .kind = kDollars,
       .option = "budget",
       .summary = "The most it may cost; at that cap it asks"},
      {.name = "invariants",
       .kind = kTexts,
       .option = "invariant",
       .summary = "Sentences that must hold"},
      {.name = "validate",
       .kind = kTexts,
       .summary = "Commands that must pass before it lands; they run in the sandbox"},
      {.name = "apply", .kind = kFlag, .summary = "Apply the result as soon as it is ready"},
      {.name = "message", .summary = "With apply: the commit's message"},
      {.name = "priority", .summary = "high, normal or low: which plans are taken first"}};
}

std::vector<Route> service_routes() {
  return {
      {.method = "GET",
       .path = "/healthz",
       .own = Own::kHealth,
       .summary = "Whether the server runs",
       .open = true},
      {.method = "GET",
       .path = "/readyz",
       .own = Own::kReady,
       .summary = "Whether it can work: the database answers, and the server is not stopping",
       .open = true},
      {.method = "GET",
       .path = "/metrics",
       .own = Own::kMetrics,
       .summary = "Counts of requests, streams and jobs, in Prometheus's format"},
      {.method = "GET",
       .path = "/v1/openapi.json",
       .own = Own::kOpenApi,
       .summary = "This interface, as OpenAPI 3.1",
       .open = true},
      {.method = "GET",
       .path = "/v1/me",
       .own = Own::kMe,
       .summary = "Who calls, and with which rights",
       .any_right = true},
      {.method = "GET",
       .path = "/v1/projects",
       .own = Own::kProjects,
       .summary = "The projects that plans can work on"},
      {.method = "POST",
       .path = "/v1/projects",
       .own = Own::kNewProject,
       .summary = "Register a folder of the server's machine as a project",
       .fields =
           {{.name = "path", .kind = kPath, .summary = "The folder, absolute", .required = true},
            {.name = "namespace",
             .summary = "Where it belongs; tokens can be bound to that (default: default)"}},
       .own_right = Right::kAdmin},
      {.method = "GET",
       .path = "/v1/providers",
       .operation = "provider list",
       .summary = "The configured providers of models"},
      {.method = "GET",
       .path = "/v1/budgets",
       .operation = "budget list",
       .summary = "Spending limits, what was spent and what is reserved"},
      {.method = "GET", .path = "/v1/actors", .operation = "actor list", .summary = "The actors"},
      {.method = "GET",
       .path = "/v1/actions",
       .operation = "action list",
       .summary = "The templates of plans"},
      {.method = "GET",
       .path = "/v1/settings",
       .operation = "config list",
       .summary = "Every setting, its value and its source"},
      {.method = "PATCH",
       .path = "/v1/settings",
       .own = Own::kSetSettings,
       .summary = "Change settings: a key each, null for the default; all of them or none",
       .own_right = Right::kAdmin},
  };
}

std::vector<Route> login_routes() {
  return {
      {.method = "POST",
       .path = "/v1/login",
       .own = Own::kLogin,
       .summary = "Exchange a login code for a token; 202 while a device waits for its approval",
       .fields = {{.name = "code", .summary = "The code in a login link; it counts once"},
                  {.name = "device",
                   .summary = "The secret, 64 hexadecimal digits, of a device whose code a person "
                              "approves"},
                  {.name = "cookie",
                   .kind = kFlag,
                   .summary = "Keep the token in a cookie instead of answering it: for pages"}},
       .open = true},
      {.method = "POST",
       .path = "/v1/login/device/{code}",
       .operation = "login approve",
       .summary = "Let a device that shows this code sign in, with rights of yours",
       .fields = {{.name = "scopes",
                   .kind = kTexts,
                   .option = "scope",
                   .summary = "read, run, approve, admin (default: all of yours)"},
                  {.name = "namespaces",
                   .kind = kTexts,
                   .option = "namespace",
                   .summary = "Bind it to the projects of these (default: as yours)"},
                  {.name = "person", .summary = "Sign in another person: takes admin"}}},
      {.method = "GET",
       .path = "/v1/login/oidc",
       .own = Own::kOidcBegin,
       .summary = "Sign in at the OpenID Connect provider: redirects a browser there",
       .open = true},
      {.method = "GET",
       .path = "/v1/login/oidc/callback",
       .own = Own::kOidcEnd,
       .summary = "Where the provider sends the browser back: the token goes into a cookie",
       .fields = {{.name = "code", .summary = "The provider's code"},
                  {.name = "state", .summary = "As the login began"},
                  {.name = "iss", .summary = "The provider"},
                  {.name = "error", .summary = "Why the provider refused"},
                  {.name = "error_description", .summary = "The same for people"},
                  {.name = "error_uri", .summary = "More about it"},
                  {.name = "session_state", .summary = "Not used"},
                  {.name = "scope", .summary = "Not used"},
                  {.name = "authuser", .summary = "Not used"},
                  {.name = "hd", .summary = "Not used"},
                  {.name = "prompt", .summary = "Not used"}},
       .open = true},
      {.method = "POST",
       .path = "/v1/logout",
       .own = Own::kLogout,
       .summary = "Revoke the token that came with the request, and remove the cookie",
       .any_right = true},
  };
}

std::vector<Route> event_routes() {
  return {
      {.method = "GET",
       .path = "/v1/events",
       .own = Own::kEvents,
       .summary = "The journals of all plans, by pages from the first event on or as a stream of "
                  "Server-Sent Events from the next one on",
       .fields = {{.name = "after", .summary = "Events after this one (its id)"},
                  {.name = "project", .kind = kProjects, .summary = "Only of this project"},
                  limit_field("At most this many (default 1000); of a page alone")},
       .streams = true},
  };
}

std::vector<Route> command_routes() {
  return {
      {.method = "POST",
       .path = "/v1/commands",
       .own = Own::kNewCommand,
       .summary = "Do what a command line asks for; the answer is a stream of JSON lines"},
      {.method = "GET",
       .path = "/v1/commands/{command}",
       .own = Own::kCommand,
       .summary = "The stream of a command again, from an event on",
       .fields = {{.name = "after", .kind = kInteger, .summary = "The last event that was seen"}}},
      {.method = "POST",
       .path = "/v1/commands/{command}/answer",
       .own = Own::kCommandAnswer,
       .summary = "Answer its question",
       .fields = {{.name = "question", .kind = kInteger, .summary = "Its number", .required = true},
                  {.name = "text", .summary = "What was typed; missing at the end of the input"},
                  {.name = "error", .summary = "Why the input cannot be read"},
                  {.name = "code", .summary = "What kind of error that is"}}},
      {.method = "POST",
       .path = "/v1/commands/{command}/stop",
       .own = Own::kCommandStop,
       .summary = "Interrupt it, as Ctrl-C does"},
      {.method = "POST",
       .path = "/v1/commands/{command}/terminal",
       .own = Own::kCommandTerminal,
       .summary = "Type into its view",
       .fields = {{.name = "number",
                   .kind = kInteger,
                   .summary = "1 for the first message; a repeated one counts once",
                   .required = true},
                  {.name = "text", .summary = "What was typed"},
                  {.name = "columns", .kind = kInteger, .summary = "The terminal's width"},
                  {.name = "rows", .kind = kInteger, .summary = "Its height"},
                  {.name = "resized", .kind = kFlag, .summary = "The size is new"},
                  {.name = "ended", .kind = kFlag, .summary = "The terminal is gone"}}},
  };
}

std::vector<Route> session_routes() {
  const Field name{.name = "name", .summary = "Its name"};
  return {
      {.method = "GET",
       .path = "/v1/sessions",
       .operation = "session list",
       .summary = "Sessions, the newest first",
       .fields = {after_field(), limit_field("At most this many (default 100)")}},
      {.method = "POST",
       .path = "/v1/sessions",
       .operation = "session create",
       .summary = "Start a session on a project",
       .fields = {name,
                  {.name = "projects",
                   .kind = kProjects,
                   .summary = "The id of the project; may be left out if one is registered"},
                  {.name = "budget_usd",
                   .kind = kDollars,
                   .option = "budget",
                   .summary = "The most its plans may cost"}},
       .creates = "/v1/sessions/",
       .takes_project = true},
      {.method = "GET",
       .path = "/v1/sessions/{session}",
       .operation = "session show",
       .summary = "A session, its messages, and the plans that work on it"},
      {.method = "PATCH",
       .path = "/v1/sessions/{session}",
       .operation = "session rename",
       .summary = "Rename it",
       .fields = {{.name = "name", .kind = kWord, .summary = "Its name", .required = true}}},
      {.method = "DELETE",
       .path = "/v1/sessions/{session}",
       .operation = "session delete",
       .summary = "Delete it; its plans stay"},
      {.method = "POST",
       .path = "/v1/sessions/{session}/messages",
       .operation = "session tell",
       .summary = "Send a message; a plan works on it",
       .fields = {{.name = "text", .kind = kWord, .summary = "The message", .required = true},
                  {.name = "model", .summary = "provider/model, or an alias"}}},
      {.method = "POST",
       .path = "/v1/sessions/{session}/fork",
       .operation = "session fork",
       .summary = "Start a session with a copy of this one's messages",
       .fields = {name},
       .creates = "/v1/sessions/"},
      {.method = "GET",
       .path = "/v1/sessions/{session}/events",
       .own = Own::kSessionEvents,
       .summary = "The journals of its plans, as /v1/events has them",
       .fields = {{.name = "after", .summary = "Events after this one (its id)"},
                  limit_field("At most this many (default 1000); of a page alone")},
       .streams = true},
  };
}

std::vector<Route> inbox_routes() {
  return {
      {.method = "GET",
       .path = "/v1/inbox",
       .operation = "inbox list",
       .summary = "The approvals that plans wait for",
       .fields = {after_field(), limit_field("At most this many (default 100)")}},
      {.method = "POST",
       .path = "/v1/inbox/{approval}",
       .operation = "inbox answer",
       .summary = "Answer one; the first answer counts, a later one gets 409 with its receipt",
       .fields =
           {{.name = "answer", .kind = kWord, .summary = "approve or reject", .required = true},
            {.name = "digest", .summary = "Of what it asks", .required = true},
            {.name = "reason", .summary = "With reject: the reason that the model gets"}}},
      {.method = "GET",
       .path = "/v1/notices",
       .operation = "inbox notices",
       .summary = "Notices that are not delivered yet, and those that were given up",
       .fields = {limit_field("At most this many (default 100)")}},
      {.method = "POST",
       .path = "/v1/notices/retry",
       .operation = "inbox retry",
       .summary = "Deliver notices that were given up again"},
  };
}

std::vector<Route> queue_routes() {
  const Field queue{.name = "queue", .summary = "The queue (default default)"};
  return {
      {.method = "GET",
       .path = "/v1/queue",
       .operation = "queue list",
       .summary = "The plans that wait for a worker or run, those that run first",
       .fields = {queue, limit_field("At most this many (default 100)")}},
      {.method = "GET",
       .path = "/v1/queue/stats",
       .operation = "queue stats",
       .summary = "How many jobs there are, by their state",
       .fields = {queue}},
      {.method = "GET",
       .path = "/v1/workers",
       .operation = "worker list",
       .summary = "The processes that take plans from the queue"},
      {.method = "POST",
       .path = "/v1/workers/drain",
       .operation = "worker drain",
       .summary = "Let workers finish their plans and take no new ones",
       .fields = {{.name = "worker", .kind = kWord, .summary = "Its id (default all)"}}},
  };
}

std::vector<Route> people_routes() {
  return {
      {.method = "GET",
       .path = "/v1/people",
       .own = Own::kPeople,
       .summary = "Who has or had tokens",
       .own_right = Right::kAdmin},
      {.method = "POST",
       .path = "/v1/people",
       .own = Own::kNewPerson,
       .summary = "Add a person",
       .fields = {{.name = "name",
                   .summary = "Letters, digits and ._@-; never reused",
                   .required = true}},
       .own_right = Right::kAdmin},
      {.method = "DELETE",
       .path = "/v1/people/{person}",
       .own = Own::kRemovePerson,
       .summary = "Remove a person: all their tokens end",
       .own_right = Right::kAdmin},
      {.method = "GET",
       .path = "/v1/audit",
       .own = Own::kAudit,
       .summary = "Denied calls and changes of rights, the oldest first",
       .fields = {{.name = "after", .kind = kInteger, .summary = "Entries after this one"},
                  limit_field("At most this many (default 100)")},
       .own_right = Right::kAdmin},
  };
}

std::vector<Route> token_routes() {
  return {
      {.method = "GET",
       .path = "/v1/tokens",
       .own = Own::kTokens,
       .summary = "Tokens, the newest first; never their text",
       .fields = {{.name = "person", .summary = "Only of this person"},
                  limit_field("At most this many (default 100)"),
                  after_field()},
       .own_right = Right::kAdmin},
      {.method = "POST",
       .path = "/v1/tokens",
       .own = Own::kNewToken,
       .summary = "Create a token; its text was written to this answer and nowhere else",
       .fields = {{.name = "person", .summary = "The person; created if new", .required = true},
                  {.name = "scopes",
                   .kind = kTexts,
                   .summary = "read, run, approve, admin",
                   .required = true},
                  {.name = "namespaces",
                   .kind = kTexts,
                   .summary = "Bind it to the projects of these (default: all)"},
                  {.name = "days",
                   .kind = kInteger,
                   .summary = "Days until it expires (default 90)"},
                  {.name = "label", .summary = "What it is for"}},
       .own_right = Right::kAdmin},
      {.method = "DELETE",
       .path = "/v1/tokens/{token}",
       .own = Own::kRevokeToken,
       .summary = "Revoke a token; its streams end",
       .own_right = Right::kAdmin},
  };
}

std::vector<Route> plan_routes() {
  return {
      {.method = "GET",
       .path = "/v1/plans",
       .operation = "plan list",
       .summary = "Plans, the newest first",
       .fields = {{.name = "project", .kind = kProjects, .summary = "Only of this project"},
                  {.name = "state", .summary = "Only in this state"},
                  {.name = "subplans", .kind = kFlag, .summary = "Include subplans"},
                  after_field(),
                  limit_field("At most this many (default 20)")}},
      {.method = "POST",
       .path = "/v1/plans",
       .operation = "run",
       .summary = "Create a plan, which a process of its own drives",
       .fields = task_fields(),
       .flags = {"detach"},
       .creates_plan = true,
       .takes_project = true},
      {.method = "GET",
       .path = "/v1/plans/{plan}",
       .operation = "plan status",
       .summary = "A plan's status and its next step"},
      {.method = "GET",
       .path = "/v1/plans/{plan}/events",
       .operation = "plan events",
       .summary = "Its journal, by pages or as a stream of Server-Sent Events",
       .fields = {{.name = "from", .kind = kInteger, .summary = "The first event (default 1)"},
                  limit_field("At most this many (default 1000); of a page alone")},
       .streams = true},
      {.method = "GET",
       .path = "/v1/plans/{plan}/tree",
       .operation = "plan tree",
       .summary = "Its decisions and those of its subplans",
       .fields = {{.name = "all", .kind = kFlag, .summary = "Include superseded ones"}}},
      {.method = "GET",
       .path = "/v1/plans/{plan}/diff",
       .operation = "plan diff",
       .summary = "What it would change"},
      {.method = "GET",
       .path = "/v1/plans/{plan}/hunks",
       .operation = "plan hunks",
       .summary = "The hunks of that, to choose from"},
      {.method = "GET",
       .path = "/v1/plans/{plan}/log",
       .operation = "plan log",
       .summary = "What it did: words, thinking, tool calls and their output"},
      {.method = "GET",
       .path = "/v1/plans/{plan}/errors",
       .operation = "plan errors",
       .summary = "Its errors and how it handled them"},
      {.method = "GET",
       .path = "/v1/plans/{plan}/cost",
       .operation = "plan cost",
       .summary = "What it cost"},
      {.method = "GET",
       .path = "/v1/plans/{plan}/audit",
       .operation = "plan audit",
       .summary = "Who allowed what"},
  };
}

std::vector<Route> plan_actions() {
  return {
      {.method = "POST",
       .path = "/v1/plans/{plan}/prompt",
       .operation = "plan prompt",
       .summary = "Give it further instructions",
       .fields = {{.name = "text", .kind = kWord, .summary = "The prompt", .required = true},
                  {.name = "model", .summary = "Continue with this model"}},
       .flags = {"detach"}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/approve",
       .operation = "plan approve",
       .summary = "Approve what it asks",
       .fields = {{.name = "items",
                   .kind = kWords,
                   .summary = "Which of several, by number or id (default all)"}},
       .flags = {"detach"}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/reject",
       .operation = "plan reject",
       .summary = "Reject what it asks",
       .fields = {{.name = "items",
                   .kind = kWords,
                   .summary = "Which of several, by number or id (default all)"},
                  {.name = "reason", .summary = "The reason that the model gets"}},
       .flags = {"detach"}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/choose",
       .operation = "plan choose",
       .summary = "Keep only some hunks of what it changed; the answer has their digest",
       .fields = {{.name = "hunks",
                   .kind = kWords,
                   .summary = "Ids of hunks, or paths",
                   .required = true},
                  {.name = "digest",
                   .summary = "Of the changes, as the diff and the status show it",
                   .required = true}}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/apply",
       .operation = "plan apply",
       .summary = "Apply its changes, as reviewed",
       .fields = {{.name = "digest",
                   .summary = "Of the changes, as the diff and the status show it",
                   .required = true},
                  {.name = "message", .summary = "The commit's message"},
                  {.name = "branch", .summary = "Commit on a new branch of this name"},
                  {.name = "no_commit",
                   .kind = kFlag,
                   .option = "no-commit",
                   .summary = "Leave the files uncommitted"},
                  {.name = "remerge",
                   .kind = kFlag,
                   .summary = "If the files have changed since, merge with them"}}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/undo",
       .operation = "plan undo",
       .summary = "Undo its apply"},
      {.method = "POST",
       .path = "/v1/plans/{plan}/cancel",
       .operation = "plan cancel",
       .summary = "Cancel it and its subplans for good"},
      {.method = "POST",
       .path = "/v1/plans/{plan}/resume",
       .operation = "plan resume",
       .summary = "Resume it",
       .flags = {"detach"}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/correct",
       .operation = "plan correct",
       .summary = "Change a decision and redo the work that depends on it",
       .fields = {{.name = "decision",
                   .kind = kWord,
                   .summary = "Its number or id, as the tree shows it",
                   .required = true},
                  {.name = "guidance", .summary = "What to do differently", .required = true},
                  {.name = "mode", .summary = "revert (the default) or append"},
                  {.name = "dry_run",
                   .kind = kFlag,
                   .option = "dry-run",
                   .summary = "Only show what would follow"}},
       .flags = {"detach", "yes"}},
      {.method = "POST",
       .path = "/v1/plans/{plan}/rollback",
       .operation = "plan rollback",
       .summary = "Restore a checkpoint; without one, list them",
       .fields = {{.name = "to", .kind = kInteger, .summary = "The event to go back to"}}},
  };
}

// What the segments stand for; none: they are another path.
std::optional<PathParameters> matched(const Route& route, const std::vector<std::string>& path) {
  const std::vector<std::string_view> segments = segments_of(route);
  if (segments.size() != path.size()) return std::nullopt;
  PathParameters parameters;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string_view segment = segments[i];
    if (segment.starts_with('{')) {
      parameters.emplace(segment.substr(1, segment.size() - 2), path[i]);
    } else if (segment != path[i]) {
      return std::nullopt;
    }
  }
  return parameters;
}

}  // namespace

const std::vector<Route>& routes() {
  static const std::vector<Route> kRoutes = [] {
    std::vector<Route> all = service_routes();
    std::ranges::move(login_routes(), std::back_inserter(all));
    std::ranges::move(event_routes(), std::back_inserter(all));
    std::ranges::move(command_routes(), std::back_inserter(all));
    std::ranges::move(session_routes(), std::back_inserter(all));
    std::ranges::move(inbox_routes(), std::back_inserter(all));
    std::ranges::move(queue_routes(), std::back_inserter(all));
    std::ranges::move(people_routes(), std::back_inserter(all));
    std::ranges::move(token_routes(), std::back_inserter(all));
    std::ranges::move(plan_routes(), std::back_inserter(all));
    std::ranges::move(plan_actions(), std::back_inserter(all));
    return all;
  }();
  return kRoutes;
}

Right right_of(const Route& route) noexcept {
  return route.operation.empty() ? route.own_right : service::right_of(route.operation);
}

std::vector<std::string_view> segments_of(const Route& route) {
  return base::split(route.path.substr(1), '/');
}

Found find_route(std::string_view method, const std::vector<std::string>& path) {
  if (method == "HEAD") method = "GET";
  Found found;
  for (const Route& route : routes()) {
    auto parameters = matched(route, path);
    if (!parameters) continue;
    found.methods.push_back(route.method);
    if (route.method == "GET") found.methods.emplace_back("HEAD");
    if (route.method != method) continue;
    found.route = &route;
    found.parameters = *std::move(parameters);
  }
  return found;
}

}  // namespace clever::server
