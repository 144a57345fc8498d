#include "server/api.h"

#include <algorithm>
#include <utility>

#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "config/edit.h"
#include "config/schema.h"
#include "config/typed_value.h"
#include "model/document_json.h"
#include "server/openapi.h"
#include "server/representation.h"
#include "service/notice/notice_queue.h"
#include "service/plan/kept_sessions.h"
#include "service/plan/session_plans.h"
#include "service/text.h"
#include "service/timestamp.h"
#include "storage/journal.h"
#include "storage/sessions.h"
#include "worker/job_queue.h"

namespace clever::server {
namespace {

using model::Document;
using service::in_quotes;
using service::Invocation;

constexpr int kOk = 200;
constexpr std::string_view kHealthPath = "/healthz";
constexpr std::size_t kLongestKey = 255;
constexpr std::int64_t kUsualEvents = 1000;
constexpr std::int64_t kMostEvents = 10'000;

http::Response not_allowed(const Found& found) {
  return response_to({.status = 405,
                      .code = "method_not_allowed",
                      .detail = "this path takes " + base::joined(found.methods),
                      .headers = {{"Allow", base::joined(found.methods)}}});
}

http::Response options_answer(const Found& found) {
  return {.status = 204, .headers = {{"Allow", base::joined(found.methods) + ", OPTIONS"}}};
}

Problem no_such_path(const http::Request& request) {
  return {.status = 404,
          .code = "not_found",
          .detail = "there is nothing at " + in_quotes(request.target),
          .hint = "see GET /v1/openapi.json"};
}

bool wants_stream(const http::Request& request) {
  const auto accept = request.header("accept");
  return accept && base::lower_case(*accept).contains("text/event-stream");
}

bool has_json_body(const http::Request& request) {
  if (request.body.empty()) return true;
  const std::string type = base::lower_case(request.header("content-type").value_or(""));
  return base::trimmed(std::string_view(type).substr(0, type.find(';'))) == "application/json";
}

std::optional<Problem> check_key(std::string_view key) {
  const bool visible = std::ranges::all_of(key, [](char c) { return c > ' ' && c < 0x7F; });
  if (!key.empty() && key.size() <= kLongestKey && visible) return std::nullopt;
  return Problem{.status = 400,
                 .code = "invalid_argument",
                 .detail = "Idempotency-Key: expected 1 to " + std::to_string(kLongestKey) +
                           " visible characters"};
}

// The value of a setting as `agents config set` takes it.
base::Result<std::string> setting_text(const std::string& key, const Document& value) {
  if (const auto* text = std::get_if<std::string>(&value.value())) return *text;
  if (value.is_map()) return base::invalid_argument(key + ": expected a value, not an object");
  return model::to_json(value);
}

using config::ValueChange;

base::Result<ValueChange> change_of(const std::string& key, const Document& value) {
  const config::KeyInfo* info = config::find_key(key);
  if (info == nullptr) return config::unknown_key(config::schema(), key);
  if (value.is_null()) return ValueChange{key, std::nullopt};
  CLEVER_ASSIGN(const std::string text, setting_text(key, value));
  CLEVER_ASSIGN(std::string typed, config::typed_value(*info, key, text));
  return ValueChange{key, std::move(typed)};
}

// All of them, before the first is written.
base::Result<std::vector<ValueChange>> changes_of(const Document& body) {
  std::vector<ValueChange> changes;
  for (const auto& [key, value] : std::get<Document::Map>(body.value())) {
    CLEVER_ASSIGN(ValueChange change, change_of(key, value));
    changes.push_back(std::move(change));
  }
  if (changes.empty())
    return base::invalid_argument(
        "the body names no setting: give a JSON object with one key per setting");
  return changes;
}

std::string text_of(const Document& document, std::string_view key) {
  const Document* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

http::Response healthy() {
  http::Response response = json_response(kOk, Document::map().set("status", "ok"));
  represent({.method = "GET"}, response);
  return response;
}

Document me(const service::Caller& caller) {
  return Document::map()
      .set("caller", caller.name)
      .set("rights", Document::texts(caller.rights.names()))
      .set("namespaces", caller.namespaces ? Document::texts(*caller.namespaces) : Document())
      .set("token", caller.token.empty() ? Document() : Document(caller.token))
      .set("expires_at", caller.until ? Document(service::timestamp(*caller.until)) : Document());
}

// An answer that holds a secret is kept without it.
Problem shown_once() {
  return {.status = 409,
          .code = "conflict",
          .detail = "a token was made under this Idempotency-Key, and its text was shown then",
          .hint = "DELETE /v1/tokens/{token} revokes a lost one"};
}

bool takes_option(const Invocation& invocation, std::string_view name) {
  const auto& options = invocation.command().options;
  return std::ranges::find(options, name, &service::Option::name) != options.end();
}

// The first event that a stream is to send.
base::Result<std::int64_t> first_event(const http::Request& request) {
  const auto last = request.header("last-event-id");
  const auto from = request.query_value("from");
  if (!last && !from) return 1;
  const auto number = base::to_number<std::int64_t>(last ? *last : *from);
  if (!number || *number < (last ? 0 : 1) || *number == INT64_MAX) {
    return base::invalid_argument(std::string(last ? "Last-Event-ID" : "from") +
                                  ": expected the number of an event");
  }
  return last ? *number + 1 : *number;
}

}  // namespace

Api::Api(const Parts& parts) : parts_(parts), healthy_(healthy()) {}

void Api::drain() {
  draining_.store(true);
  parts_.streams.drain();
  parts_.commands.drain();
}

std::optional<http::Response> Api::answer_at_once(const http::Request& request) {
  const bool is_plain =
      request.method == "GET" && request.target == kHealthPath && !request.header("if-none-match");
  if (!is_plain || !parts_.gate.knows_peer(request)) return std::nullopt;
  if (parts_.gate.proxies().sent(request) || parts_.gate.check_site(request)) return std::nullopt;
  parts_.traffic.note({.request = request,
                       .route = kHealthPath,
                       .status = healthy_.status,
                       .bytes = healthy_.body.size()});
  return healthy_;
}

void Api::handle(const http::Request& request, http::Responder responder) {
  if (const auto confined = parts_.gate.check_peer(request)) {
    http::Response response = deny(request, "", *confined);
    response.close = true;
    parts_.traffic.note({.request = request, .status = response.status});
    static_cast<void>(responder.answer(std::move(response)));
    return;
  }
  if (!parts_.gate.proxies().sent(request)) {
    handle_from_client(request, std::move(responder));
    return;
  }
  http::Request forwarded = request;
  forwarded.peer = parts_.gate.proxies().client_of(request);
  handle_from_client(forwarded, std::move(responder));
}

void Api::handle_from_client(const http::Request& request, http::Responder responder) {
  const base::TimePoint began = parts_.clock.now();
  const auto note = [&](std::string_view route, std::string_view caller, int status,
                        std::size_t bytes) {
    parts_.traffic.note({.request = request,
                         .route = route,
                         .caller = caller,
                         .status = status,
                         .bytes = bytes,
                         .took = parts_.clock.now() - began});
  };
  auto admitted = admit(request);
  if (auto* refusal = std::get_if<http::Response>(&admitted)) {
    note("", "", refusal->status, refusal->body.size());
    responder.answer(std::move(*refusal));
    return;
  }
  const Call& call = std::get<Call>(admitted);
  if (call.route.streams && wants_stream(request)) {
    note(call.route.path, call.caller.name, stream(call, std::move(responder)), 0);
    return;
  }
  if (call.route.own == Own::kNewCommand || call.route.own == Own::kCommand) {
    note(call.route.path, call.caller.name, command(call, std::move(responder)), 0);
    return;
  }
  Answer answered = answer(call);
  const auto* problem = std::get_if<Problem>(&answered);
  http::Response response = problem == nullptr ? std::get<http::Response>(std::move(answered))
                                               : deny(request, call.caller.name, *problem);
  represent(request, response);
  note(call.route.path, call.caller.name, response.status, response.body.size());
  responder.answer(std::move(response));
}

std::variant<Api::Call, http::Response> Api::admit(const http::Request& request) {
  if (const auto foreign = parts_.gate.check_site(request)) return deny(request, "", *foreign);
  Found found = find_route(request.method, request.path);
  if (request.method == "OPTIONS" && !found.methods.empty()) return options_answer(found);
  if (found.route != nullptr && found.route->open) {
    return Call{request, *found.route, std::move(found.parameters), {}};
  }
  auto who = parts_.gate.admit(request);
  if (const auto* refusal = std::get_if<Problem>(&who)) return deny(request, "", *refusal);
  if (found.methods.empty()) return response_to(no_such_path(request));
  if (found.route == nullptr) return not_allowed(found);
  auto caller = with_projects(std::get<service::Caller>(std::move(who)));
  if (!caller.ok()) return response_to(problem_of(caller.error()));
  const auto may = found.route->any_right ? base::Result<void>()
                                          : service::require(*caller, right_of(*found.route));
  if (!may.ok()) {
    return deny(request, caller->name, problem_of(may.error()));
  }
  return Call{request, *found.route, std::move(found.parameters), *std::move(caller)};
}

http::Response Api::deny(const http::Request& request, const std::string& caller,
                         const Problem& problem) {
  const bool is_denial = problem.status == 401 || problem.status == 403 || problem.status == 429;
  if (is_denial) parts_.denials.note(request, caller, problem.detail);
  return response_to(problem);
}

base::Result<service::Caller> Api::with_projects(service::Caller caller) const {
  if (!caller.namespaces) return caller;
  CLEVER_ASSIGN(const auto projects, parts_.projects.list(caller));
  for (const service::RegisteredProject& project : projects)
    caller.projects.push_back(project.path);
  return caller;
}

Answer Api::answer(const Call& call) {
  if (call.route.method == "GET") return answer_itself(call);
  if (!has_json_body(call.request)) {
    return Problem{.status = 415,
                   .code = "invalid_argument",
                   .detail = "the body: expected JSON, with Content-Type: application/json"};
  }
  const auto key = call.request.header("idempotency-key");
  // A login has no caller whose key it could be.
  if (!key || call.route.method != "POST" || call.route.open) return answer_itself(call);
  if (auto wrong = check_key(*key)) return *std::move(wrong);
  return answer_once(call, *key);
}

Answer Api::answer_once(const Call& call, std::string_view key) {
  const std::string request =
      call.request.method + " " + base::joined(call.request.path, "/") + "\n" + call.request.body;
  // Keys are the caller's own.
  const std::string own =
      call.caller.token.empty() ? std::string(key) : call.caller.token + "\n" + std::string(key);
  auto begun = parts_.receipts.begin(own, request);
  if (!begun.ok()) return problem_of(begun.error());
  if (auto* kept = std::get_if<http::Response>(&*begun)) return std::move(*kept);
  auto& claim = std::get<Receipts::Claim>(*begun);
  const Answer answered = answer_itself(call);
  const auto* problem = std::get_if<Problem>(&answered);
  http::Response response =
      problem == nullptr ? std::get<http::Response>(answered) : response_to(*problem);
  const bool is_secret = problem == nullptr && call.route.own == Own::kNewToken;
  const auto settled = claim.settle(is_secret ? response_to(shown_once()) : response);
  if (!settled.ok()) {
    return problem_of(settled.error());
  }
  return response;
}

Answer Api::answer_itself(const Call& call) {
  if (call.route.own == Own::kSetSettings) return set_settings(call);
  if (call.route.own == Own::kCommandAnswer || call.route.own == Own::kCommandTerminal) {
    const auto body = json_body(call.request);
    if (!body.ok()) return bad_request(body.error());
    const std::string& id = call.parameters.find("command")->second;
    return call.route.own == Own::kCommandAnswer ? parts_.commands.answer(id, *body, call.caller)
                                                 : parts_.commands.type(id, *body, call.caller);
  }
  if (call.route.own == Own::kCommandStop) {
    return parts_.commands.interrupt(call.parameters.find("command")->second, call.caller);
  }
  auto bound = bind(call.route, call.parameters, call.request, parts_.operations.root());
  if (!bound.ok()) return bad_request(bound.error());
  switch (call.route.own) {
    case Own::kHealth:
      return json_response(200, Document::map().set("status", "ok"));
    case Own::kReady:
      return ready();
    case Own::kOpenApi:
      return json_response(200, openapi_document());
    case Own::kMe:
      return json_response(200, me(call.caller));
    case Own::kLogin:
    case Own::kOidcBegin:
    case Own::kOidcEnd:
      return login(call, bound->given);
    case Own::kLogout:
      return parts_.access.logout(call.request, call.caller);
    case Own::kProjects:
      return projects(call);
    case Own::kNewProject:
      return add_project(call, *bound);
    case Own::kMetrics:
      return metrics();
    case Own::kEvents:
    case Own::kSessionEvents:
      return event_page(call, bound->given);
    case Own::kNothing:
    case Own::kSetSettings:
      break;
    default:
      return parts_.access.answer(call.route.own, call.parameters, bound->given, call.caller);
  }
  return operate(call, *std::move(bound));
}

Answer Api::login(const Call& call, const Document& given) {
  switch (call.route.own) {
    case Own::kOidcBegin:
      return login_answer(call, parts_.access.begin_oidc(call.request));
    case Own::kOidcEnd:
      return login_answer(call, parts_.access.end_oidc(call.request, given));
    default:
      return login_answer(call, parts_.access.login(call.request, given));
  }
}

Answer Api::login_answer(const Call& call, base::Result<http::Response> answer) {
  if (answer.ok()) return *std::move(answer);
  if (answer.error().code() == base::ErrorCode::kPermissionDenied) {
    return parts_.gate.refused(call.request, answer.error().message());
  }
  const bool is_bad = answer.error().code() == base::ErrorCode::kInvalidArgument;
  return is_bad ? bad_request(answer.error()) : problem_of(answer.error());
}

base::Result<std::filesystem::path> Api::folder_of_plan(const Call& call) {
  const std::string& id = call.parameters.find("plan")->second;
  CLEVER_ASSIGN(auto folder, parts_.operations.project_of(id));
  if (parts_.operations.sees_project(call.caller, folder)) return folder;
  parts_.denials.note(call.request, call.caller.name, "the plan is another namespace's");
  return no_plan(id);
}

base::Result<std::filesystem::path> Api::folder_of_projects(const Call& call, Bound& bound) const {
  std::vector<std::filesystem::path> folders;
  for (const std::string& id : bound.projects) {
    CLEVER_ASSIGN(const service::RegisteredProject project, parts_.projects.find(call.caller, id));
    folders.push_back(project.path);
  }
  if (folders.size() == 1) return folders.front();
  if (!takes_option(bound.invocation, "project")) {
    return base::invalid_argument("projects: this takes one project; name one");
  }
  auto& names = bound.invocation.values_of("project");
  for (const std::filesystem::path& folder : folders) names.push_back(folder.string());
  return folders.front();
}

base::Result<std::filesystem::path> Api::folder_of(const Call& call, Bound& bound) {
  if (call.parameters.contains("plan")) return folder_of_plan(call);
  if (call.parameters.contains("session")) return folder_of_session(call);
  if (!bound.projects.empty()) return folder_of_projects(call, bound);
  if (call.route.takes_project) {
    CLEVER_ASSIGN(const service::RegisteredProject project, parts_.projects.only(call.caller));
    return project.path;
  }
  if (takes_option(bound.invocation, "all-projects"))
    bound.invocation.values_of("all-projects").assign(1, "");
  return std::filesystem::path("/");
}

Answer Api::operate(const Call& call, Bound bound) {
  const auto folder = folder_of(call, bound);
  if (!folder.ok()) return problem_of(folder.error());
  const auto report = parts_.operations.run(std::move(bound.invocation), call.caller, *folder);
  if (!report.ok()) return problem_of(report.error());
  if (report->exit_code != service::ExitCode::kOk) return problem_of(*report);
  if (call.route.creates_plan) return created(call, *report, *folder);
  if (!call.route.creates.empty()) {
    http::Response response = json_response(201, report->data);
    response.headers.push_back(
        {"Location", std::string(call.route.creates) + text_of(report->data, "id")});
    return response;
  }
  return json_response(200, report->data.is_null() ? Document::map() : report->data);
}

Answer Api::created(const Call& call, const service::Report& report,
                    const std::filesystem::path& folder) {
  const std::string plan = text_of(report.data, "plan_id");
  Invocation status(parts_.operations.root());
  const auto path = find_operation(parts_.operations.root(), "plan status");
  for (std::size_t i = 1; i < path.size(); ++i) status.enter(*path[i]);
  status.add_word(plan);
  // A caller that may create a plan may see its result.
  service::Caller caller = call.caller;
  caller.rights.add(service::Right::kRead);
  const auto shown = parts_.operations.run(std::move(status), caller, folder);
  if (!shown.ok()) return problem_of(shown.error());
  http::Response response = json_response(201, shown->data);
  response.headers.push_back({"Location", "/v1/plans/" + plan});
  return response;
}

Answer Api::projects(const Call& call) const {
  const auto all = parts_.projects.list(call.caller);
  if (!all.ok()) return problem_of(all.error());
  Document list = Document::list();
  for (const service::RegisteredProject& project : *all) list.push(document_of(project));
  return json_response(200, Document::map().set("projects", std::move(list)));
}

Answer Api::add_project(const Call& call, const Bound& bound) const {
  const std::string space = text_of(bound.given, "namespace");
  if (const auto name = space.empty() ? base::Result<void>() : service::check_access_name(space);
      !name.ok()) {
    return problem_of(base::invalid_argument("namespace: " + name.error().message()));
  }
  const auto root = parts_.operations.check_project(bound.folder);
  if (!root.ok()) return problem_of(root.error());
  const auto project = parts_.projects.add(*root, space, {});
  if (!project.ok()) return problem_of(project.error());
  if (const auto noted = parts_.access.note_project(*project, call.caller); !noted.ok()) {
    return problem_of(noted.error());
  }
  http::Response response = json_response(201, document_of(*project));
  response.headers.push_back({"Location", "/v1/projects"});
  return response;
}

Answer Api::set_settings(const Call& call) const {
  const auto body = json_body(call.request);
  if (!body.ok()) return bad_request(body.error());
  const auto changes = changes_of(*body);
  if (!changes.ok()) return problem_of(changes.error());
  if (auto stale = check_match(call)) return *std::move(stale);
  if (const auto done = parts_.operations.change_settings(*changes); !done.ok()) {
    return problem_of(done.error());
  }
  if (const auto read = parts_.reload(); !read.ok()) return problem_of(read.error());
  Document list = Document::list();
  for (const ValueChange& change : *changes) {
    list.push(Document::map()
                  .set("key", change.key)
                  .set("value", change.value ? Document(*change.value) : Document()));
  }
  return json_response(200, Document::map().set("changed", std::move(list)));
}

// If-Match: the client changes what it saw, and nothing that another changed meanwhile.
std::optional<Problem> Api::check_match(const Call& call) const {
  const auto wanted = call.request.header("if-match");
  if (!wanted) return std::nullopt;
  Invocation list(parts_.operations.root());
  const auto path = find_operation(parts_.operations.root(), "config list");
  for (std::size_t i = 1; i < path.size(); ++i) list.enter(*path[i]);
  service::Caller caller = call.caller;
  caller.rights.add(service::Right::kRead);
  const auto now = parts_.operations.run(std::move(list), caller, "/");
  if (!now.ok()) return problem_of(now.error());
  if (names_etag(*wanted, etag_of(json_response(kOk, now->data).body))) return std::nullopt;
  return Problem{.status = 412,
                 .code = "conflict",
                 .detail = "If-Match does not fit: another client changed the settings",
                 .hint = "GET /v1/settings returns the present ones and their ETag"};
}

Answer Api::ready() const {
  if (draining_.load()) {
    return Problem{.status = 503, .code = "unavailable", .detail = "the server is stopping"};
  }
  const auto facts = parts_.operations.store().facts();
  if (!facts.ok()) return problem_of(base::unavailable(facts.error().sentence()));
  return json_response(200, Document::map().set("status", "ready"));
}

int Api::command(const Call& call, http::Responder responder) {
  std::optional<Problem> problem;
  if (call.route.own == Own::kNewCommand) {
    problem = parts_.commands.begin(call.request, call.caller, responder);
  } else {
    const auto after =
        base::to_number<std::int64_t>(call.request.query_value("after").value_or("0"));
    problem = after ? parts_.commands.attach(call.parameters.find("command")->second, *after,
                                             call.caller, responder)
                    : bad_request(base::invalid_argument("after: expected the number of an event"));
  }
  if (!problem) return kOk;
  http::Response refusal = deny(call.request, call.caller.name, *problem);
  responder.answer(std::move(refusal));
  return problem->status;
}

int Api::stream(const Call& call, http::Responder responder) {
  const bool is_of_plan = call.parameters.contains("plan");
  auto source = is_of_plan ? plan_events(call) : all_events(call);
  if (auto* problem = std::get_if<Problem>(&source)) {
    responder.answer(response_to(*problem));
    return problem->status;
  }
  parts_.streams.open(std::get<std::unique_ptr<EventSource>>(std::move(source)),
                      {call.caller.token, call.caller.until}, std::move(responder));
  return kOk;
}

Answer Api::metrics() {
  base::SystemRandom random;
  worker::JobQueue queue(parts_.operations.store(), parts_.clock, random);
  const auto counts = queue.counts("default");
  if (!counts.ok()) return problem_of(counts.error());
  http::Response response{.body = parts_.traffic.metrics()};
  response.body += metric("agents_event_streams", "gauge", "Streams of events that are open.",
                          {{"", static_cast<double>(parts_.streams.count())}});
  response.body += metric("agents_queue_jobs", "gauge", "Jobs of plans, by their state.",
                          {{R"({state="waiting"})", static_cast<double>(counts->waiting)},
                           {R"({state="later"})", static_cast<double>(counts->later)},
                           {R"({state="blocked"})", static_cast<double>(counts->blocked)},
                           {R"({state="running"})", static_cast<double>(counts->running)},
                           {R"({state="dead"})", static_cast<double>(counts->dead)}});
  const auto notices = queue.counts(std::string(service::kNoticeQueue));
  if (!notices.ok()) return problem_of(notices.error());
  response.body +=
      metric("agents_notices", "gauge", "Notices that are not delivered, by their state.",
             {{R"({state="waiting"})", static_cast<double>(notices->waiting + notices->running)},
              {R"({state="later"})", static_cast<double>(notices->later)},
              {R"({state="dead"})", static_cast<double>(notices->dead)}});
  if (const auto traces = parts_.traces()) {
    response.body += metric("agents_trace_spans_total", "counter", "Spans, by what became of them.",
                            {{R"({outcome="sent"})", static_cast<double>(traces->sent)},
                             {R"({outcome="dropped"})", static_cast<double>(traces->dropped)}});
  }
  response.body += metric("agents_draining", "gauge", "1: the server is stopping.",
                          {{"", draining_.load() ? 1.0 : 0.0}});
  response.headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}};
  return response;
}

std::variant<std::unique_ptr<EventSource>, Problem> Api::plan_events(const Call& call) {
  const auto folder = folder_of_plan(call);
  if (!folder.ok()) return problem_of(folder.error());
  const auto bound = bind(call.route, call.parameters, call.request, parts_.operations.root());
  const auto from = bound.ok() ? first_event(call.request) : bound.error();
  if (!from.ok()) return bad_request(from.error());
  const auto plan = model::PlanId::parse(call.parameters.find("plan")->second).value();
  return std::make_unique<PlanEvents>(parts_.operations.store(), parts_.clock, plan, *from);
}

std::variant<std::unique_ptr<EventSource>, Problem> Api::all_events(const Call& call) {
  const auto bound = bind(call.route, call.parameters, call.request, parts_.operations.root());
  if (!bound.ok()) return bad_request(bound.error());
  if (call.route.own == Own::kSessionEvents) {
    const auto folder = folder_of_session(call);
    if (!folder.ok()) return problem_of(folder.error());
  }
  std::optional<std::filesystem::path> only;
  if (!bound->projects.empty()) {
    const auto project = parts_.projects.find(call.caller, bound->projects[0]);
    if (!project.ok()) return problem_of(project.error());
    only = project->path;
  }
  const auto last = call.request.header("last-event-id");
  std::string after = last ? std::string(*last) : text_of(bound->given, "after");
  // Pages begin with the first event there is, streams with the next one.
  if (after.empty() && !wants_stream(call.request)) after = "0";
  std::optional<EventCursor> cursor;
  if (!after.empty()) {
    auto parsed = EventCursor::parse(after, now_by(parts_.clock));
    if (!parsed.ok()) return bad_request(parsed.error());
    cursor = *std::move(parsed);
  }
  auto sees = call.route.own == Own::kSessionEvents
                  ? sees_plans_of_session(call)
                  : AllEvents::Sees([&operations = parts_.operations, caller = call.caller,
                                     only](const storage::PlanSummary& plan) {
                      return operations.sees_project(caller, plan.project) &&
                             (!only || *only == plan.project);
                    });
  return std::make_unique<AllEvents>(parts_.operations.store(), parts_.clock, std::move(sees),
                                     std::move(cursor));
}

AllEvents::Sees Api::sees_plans_of_session(const Call& call) const {
  storage::Engine& store = parts_.operations.store();
  const auto id = storage::SessionId::parse(call.parameters.find("session")->second);
  return [&store, &clock = parts_.clock, session = service::session_of_plans(id.value())](
             const storage::PlanSummary& plan) -> base::Result<bool> {
    storage::Journal journal(store, clock);
    CLEVER_ASSIGN(const std::string name, service::session_of(journal, plan.id, {}));
    return name == session;
  };
}

base::Result<std::filesystem::path> Api::folder_of_session(const Call& call) const {
  const std::string& text = call.parameters.find("session")->second;
  const auto missing = base::not_found("there is no session " + in_quotes(text));
  const auto id = storage::SessionId::parse(text);
  if (!id.ok()) return missing;
  const auto session = storage::Sessions(parts_.operations.store()).find(*id);
  if (!session.ok() && session.error().code() != base::ErrorCode::kNotFound) {
    return session.error();
  }
  if (session.ok() && call.caller.sees_project(session->project)) {
    return std::filesystem::path(session->project);
  }
  if (session.ok()) {
    parts_.denials.note(call.request, call.caller.name, "the session is another namespace's");
  }
  return missing;
}

Answer Api::event_page(const Call& call, const Document& given) {
  const Document* number = given.find("limit");
  const std::int64_t limit =
      number == nullptr ? kUsualEvents : std::get<std::int64_t>(number->value());
  if (limit < 1 || limit > kMostEvents) {
    return bad_request(base::invalid_argument("limit: expected a number from 1 to " +
                                              std::to_string(kMostEvents)));
  }
  auto source = all_events(call);
  if (auto* problem = std::get_if<Problem>(&source)) return std::move(*problem);
  auto& events = *std::get<std::unique_ptr<EventSource>>(source);
  if (const auto begun = events.begin(); !begun.ok()) return problem_of(begun.error());
  const auto page = events.next(static_cast<std::size_t>(limit));
  if (!page.ok()) return problem_of(page.error());
  Document list = Document::list();
  for (const EventSource::Item& item : page->events) list.push(item.event);
  return json_response(200, Document::map()
                                .set("reset", page->reset ? page->reset->event : Document())
                                .set("events", std::move(list))
                                .set("after", events.last())
                                .set("has_more", page->has_more));
}

}  // namespace clever::server
