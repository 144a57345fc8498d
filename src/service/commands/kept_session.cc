// The commands for sessions as objects. The conversation at a terminal belongs to cli.
#include <string>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "base/ulid.h"
#include "io/file.h"
#include "model/document_json.h"
#include "service/caller.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan_background.h"
#include "service/commands/plan_follow.h"
#include "service/commands/run_plans.h"
#include "service/plan/kept_sessions.h"
#include "service/plan/session_plans.h"
#include "service/text.h"
#include "service/work_folder.h"
#include "storage/budgets.h"

namespace clever::service {
namespace {

using storage::SessionId;
using storage::SessionMessage;
using storage::SessionRecord;

constexpr std::int64_t kMostSessions = 1000;
constexpr std::size_t kSessionsPerLook = 500;
constexpr std::size_t kLongestSessionName = 200;
constexpr std::size_t kLongestText = std::size_t{1} << 20U;
constexpr std::size_t kSaidWidth = 60;

SessionId new_session_id(const Context& context) {
  base::SystemRandom random;
  return SessionId(base::UlidGenerator(context.clock(), random).next());
}

base::Result<void> check_name(std::string_view name) {
  if (!base::is_blank(name) && name.size() <= kLongestSessionName) return {};
  return base::invalid_argument("name: expected 1 to " + std::to_string(kLongestSessionName) +
                                " characters");
}

View shown(const SessionRecord& session) {
  return {Fields{"",
                 {{"session", {session.id.to_string(), Tone::kStrong}},
                  {"name", {session.name}},
                  {"begun by", {session.person}},
                  {"project", {session.project}},
                  {"messages", {std::to_string(session.messages)}}}}};
}

Report report_on(const SessionRecord& session) {
  Report report;
  report.data = document_of(session);
  report.view = shown(session);
  return report;
}

// ---- create, list, show ----

base::Result<Report> create(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const git::Project project, work_project(invocation, context));
  SessionRecord session{.id = new_session_id(context),
                        .name = std::string(invocation.value("name").value_or("session")),
                        .person = person_name(context),
                        .project = project.root.string()};
  CLEVER_TRY(check_name(session.name));
  storage::Caps caps;
  if (const auto budget = invocation.value("budget")) {
    CLEVER_ASSIGN(caps.money, parse_dollars(*budget));
  }
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  // Sets the cap before the session exists and can spend.
  if (invocation.value("budget")) {
    CLEVER_TRY(storage::Budgets(database.engine())
                   .ensure_cap("session/" + session_of_plans(session.id), caps, context.stop()));
  }
  storage::Sessions sessions(database.engine());
  CLEVER_TRY(sessions.add(session, {}, context.stop()));
  CLEVER_ASSIGN(session, sessions.find(session.id, context.stop()));
  return report_on(session);
}

base::Result<Report> list(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const std::int64_t limit,
                number_option(invocation, "limit", 100, 1, kMostSessions));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  storage::Sessions sessions(database.engine());
  Report report;
  Document all = Document::list();
  Table table{"", {"session", "name", "messages", "begun by", "project"}, {}};
  SessionId after;
  if (const auto typed = invocation.value("after")) {
    CLEVER_ASSIGN(after, SessionId::parse(*typed));
  }
  std::string last;
  std::string next;
  for (bool more = true; more;) {
    CLEVER_ASSIGN(const auto page, sessions.list(kSessionsPerLook, after, context.stop()));
    more = page.size() == kSessionsPerLook;
    for (const SessionRecord& session : page) {
      after = session.id;
      if (!context.sees_project(session.project)) continue;
      if (std::ssize(table.rows) == limit) {
        next = last;
        more = false;
        break;
      }
      last = session.id.to_string();
      all.push(document_of(session));
      table.rows.push_back({{session.id.to_string(), Tone::kStrong},
                            {session.name},
                            {std::to_string(session.messages)},
                            {session.person},
                            {session.project, Tone::kDim}});
    }
  }
  report.data.set("sessions", std::move(all))
      .set("next", next.empty() ? Document() : Document(next));
  if (table.rows.empty()) {
    report.view = {Prose{
        {{{"No sessions yet. "}, {"agents session create", Tone::kStrong}, {" begins one."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

base::Result<Report> show(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantSession meant, meant_session(invocation, context));
  CLEVER_ASSIGN(const auto messages, all_messages(meant, context));
  Report report = report_on(meant.session);
  Document said = Document::list();
  Table table{"", {"", "who", "said", "plan"}, {}};
  for (const SessionMessage& message : messages) {
    said.push(document_of(message));
    table.rows.push_back({{std::to_string(message.number), Tone::kDim},
                          {message.person},
                          {one_line(message.text, kSaidWidth)},
                          {message.plan ? message.plan.to_string() : "none", Tone::kStrong}});
  }
  report.data.set("said", std::move(said));
  if (!table.rows.empty()) report.view.emplace_back(std::move(table));
  return report;
}

// ---- rename, delete, fork ----

base::Result<Report> rename(const Invocation& invocation, Context& context) {
  const std::string& name = invocation.words()[1];
  CLEVER_TRY(check_name(name));
  CLEVER_ASSIGN(MeantSession meant, meant_session(invocation, context));
  CLEVER_TRY(
      storage::Sessions(meant.database.engine()).rename(meant.session.id, name, context.stop()));
  meant.session.name = name;
  return report_on(meant.session);
}

base::Result<Report> remove(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantSession meant, meant_session(invocation, context));
  CLEVER_TRY(storage::Sessions(meant.database.engine()).remove(meant.session.id, context.stop()));
  Report report;
  report.data.set("id", meant.session.id.to_string()).set("deleted", true);
  report.view = {Prose{{{{"deleted; its plans stay"}}}}};
  return report;
}

base::Result<Report> fork(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantSession meant, meant_session(invocation, context));
  CLEVER_ASSIGN(const auto messages, all_messages(meant, context));
  SessionRecord session = meant.session;
  session.id = new_session_id(context);
  session.parent = meant.session.id;
  session.person = person_name(context);
  session.name = std::string(invocation.value("name").value_or(meant.session.name + " (fork)"));
  CLEVER_TRY(check_name(session.name));
  storage::Sessions sessions(meant.database.engine());
  CLEVER_TRY(sessions.add(session, messages, context.stop()));
  CLEVER_ASSIGN(session, sessions.find(session.id, context.stop()));
  return report_on(session);
}

// ---- tell ----

/// Sends one message and starts a plan for it in the background. Used by one thread.
class Telling {
 public:
  Telling(const Invocation& invocation, Context& context, MeantSession meant)
      : invocation_(invocation), context_(context), meant_(std::move(meant)) {}

  base::Result<Report> tell(const std::string& text) {
    storage::Sessions sessions(meant_.database.engine());
    CLEVER_ASSIGN(SessionMessage said,
                  sessions.say(meant_.session.id, person_name(context_), text, context_.stop()));
    CLEVER_ASSIGN(const model::PlanId last, prompted_plan(meant_, context_));
    Report report;
    if (last) {
      CLEVER_ASSIGN(report, prompt(last, text));
      if (report.exit_code != ExitCode::kOk) return report;
      said.plan = last;
    } else {
      CLEVER_ASSIGN(said.plan, begin(text));
    }
    CLEVER_TRY(sessions.set_plan(meant_.session.id, said.number, said.plan, context_.stop()));
    report.data = document_of(said).set("session_id", meant_.session.id.to_string());
    report.view = {Prose{
        {{{"message " + std::to_string(said.number) + " goes to plan "},
          {said.plan.to_string(), Tone::kStrong}},
         {{"next: ", Tone::kDim}, {"agents watch " + said.plan.to_string(), Tone::kAccent}}}}};
    return report;
  }

 private:
  std::string model() const { return std::string(invocation_.value("model").value_or("")); }

  base::Result<Report> prompt(const model::PlanId& plan, const std::string& text) {
    CLEVER_ASSIGN(storage::PlanSummary summary, meant_.database.find(plan.to_string()));
    CLEVER_ASSIGN(plan::State state, meant_.database.state(plan));
    plan::Prompt prompt{.message = {model::Role::kUser, {model::Text{text}}}, .model = model()};
    return drive_in_background({meant_.database, std::move(summary), std::move(state)},
                               plan::Command(std::move(prompt)), invocation_, context_);
  }

  base::Result<model::PlanId> begin(const std::string& text) {
    CLEVER_ASSIGN(const git::Project project, context_.project());
    if (project.root != meant_.session.project) {
      return base::invalid_argument("the session works on " + meant_.session.project +
                                    ": run the command there, with -C " + meant_.session.project);
    }
    CLEVER_ASSIGN(SessionPlans earlier, earlier_plans());
    CLEVER_ASSIGN(auto plans, RunPlans::open(meant_.database,
                                             {.shows_progress = false, .drives = false}, context_));
    bool is_queued = can_be_queued(invocation_, context_);
    if (is_queued) {
      CLEVER_ASSIGN(is_queued, goes_to_worker(meant_.database.engine(), context_));
    }
    const auto with = [this](const model::PlanId& plan) {
      return first_job({.plans = {plan}}, worker::Priority::kNormal, context_);
    };
    CLEVER_TRY(begin_plan(*plans, meant_.database,
                          {.words = text,
                           .project = project.root,
                           .model = model(),
                           .session = session_of_plans(meant_.session.id),
                           .earlier = std::move(earlier)},
                          context_, is_queued ? with : engine::PlanEngine::With()));
    const model::PlanId plan = plans->plans().back();
    plans.reset();
    if (!is_queued) CLEVER_TRY(start_driver({.plans = {plan}}, invocation_, context_));
    return plan;
  }

  // Finds earlier plans by messages: a fork knows the work of the session it comes from.
  base::Result<SessionPlans> earlier_plans() {
    SessionPlans earlier{.session = session_of_plans(meant_.session.id)};
    CLEVER_ASSIGN(const auto messages, all_messages(meant_, context_));
    for (const SessionMessage& message : messages) {
      const bool is_known = !earlier.plans.empty() && earlier.plans.back().id == message.plan;
      if (!message.plan || is_known) continue;
      auto plan = meant_.database.find(message.plan.to_string());
      if (plan.ok()) earlier.plans.push_back(*std::move(plan));
    }
    return earlier;
  }

  const Invocation& invocation_;
  Context& context_;
  const MeantSession meant_;
};

base::Result<Report> tell(const Invocation& invocation, Context& context) {
  const std::string& text = invocation.words()[1];
  if (base::is_blank(text) || text.size() > kLongestText) {
    return base::invalid_argument("the message is empty or too long: give text of at most " +
                                  std::to_string(kLongestText) + " bytes");
  }
  CLEVER_ASSIGN(MeantSession meant, meant_session(invocation, context));
  return Telling(invocation, context, std::move(meant)).tell(text);
}

// ---- attach ----

// Shows messages and the plans' progress until the last plan is at rest, or the person leaves.
base::Result<Report> attach(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantSession meant, meant_session(invocation, context));
  const base::StopToken stop = context.stop();
  const Screen screen = context.screen();
  storage::Sessions sessions(meant.database.engine());
  base::Monitor<std::uint64_t> changes;
  const auto watched = meant.database.engine().subscribe(
      storage::session_name(meant.session.id),
      [&changes] { changes.update([](std::uint64_t& count) { ++count; }); });
  std::int64_t last = 0;
  while (!stop.stop_requested()) {
    const std::uint64_t seen = changes.read([](const std::uint64_t& count) { return count; });
    CLEVER_ASSIGN(const auto said, sessions.messages(meant.session.id, last, 500, stop));
    for (const SessionMessage& message : said) {
      last = message.number;
      CLEVER_TRY(screen.say({Prose{
          {{{message.person + ": ", Tone::kStrong}, {one_line(message.text, context.width())}}}}}));
    }
    if (invocation.flag("once")) break;
    static_cast<void>(changes.wait(stop, base::Deadline::never(),
                                   [seen](const std::uint64_t& now) { return now > seen; }));
  }
  Report report = report_on(meant.session);
  report.data.set("last", last);
  report.view = {};
  return report;
}

// ---- export, import ----

base::Result<Report> export_session(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantSession meant, meant_session(invocation, context));
  CLEVER_ASSIGN(const auto messages, all_messages(meant, context));
  Document said = Document::list();
  for (const SessionMessage& message : messages) said.push(document_of(message));
  Report report;
  report.data = document_of(meant.session).set("format", 1).set("said", std::move(said));
  const auto output = invocation.value("output");
  if (!output) {
    report.view = {Prose{{{{model::to_json(report.data)}}}}};
    return report;
  }
  CLEVER_TRY(
      io::write_file_atomically(context.directory() / *output, model::to_json(report.data) + "\n"));
  report.view = {Prose{{{{"written to " + std::string(*output)}}}}};
  return report;
}

std::string text_at(const Document& document, std::string_view key) {
  const Document* found = document.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

base::Result<std::vector<SessionMessage>> imported_messages(const Document& document,
                                                            base::WallTime now) {
  const Document* said = document.find("said");
  const auto* list = said == nullptr ? nullptr : std::get_if<Document::List>(&said->value());
  if (list == nullptr)
    return base::invalid_argument(
        "the file is not an exported session (`said` is missing): `agents session export` writes "
        "one");
  std::vector<SessionMessage> all;
  for (const Document& entry : *list) {
    SessionMessage message{.number = std::ssize(all) + 1,
                           .person = text_at(entry, "person"),
                           .time = std::chrono::floor<std::chrono::microseconds>(now),
                           .text = text_at(entry, "text")};
    if (const auto plan = model::PlanId::parse(text_at(entry, "plan_id")); plan.ok()) {
      message.plan = *plan;
    }
    all.push_back(std::move(message));
  }
  return all;
}

base::Result<Report> import_session(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const git::Project project, work_project(invocation, context));
  CLEVER_ASSIGN(const std::string text,
                io::read_file(context.directory() / invocation.words().front()));
  auto document = model::parse_document(text);
  if (!document.ok()) return std::move(document).error().add_context(invocation.words().front());
  CLEVER_ASSIGN(const auto messages, imported_messages(*document, context.clock().wall_now()));
  SessionRecord session{.id = new_session_id(context),
                        .name = text_at(*document, "name"),
                        .person = person_name(context),
                        .project = project.root.string()};
  CLEVER_TRY(check_name(session.name));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  storage::Sessions sessions(database.engine());
  CLEVER_TRY(sessions.add(session, messages, context.stop()));
  CLEVER_ASSIGN(session, sessions.find(session.id, context.stop()));
  return report_on(session);
}

Positional session_positional() {
  return {.name = "SESSION", .summary = "Its id, as the list shows it"};
}
Option name_option() { return {.name = "name", .value = "NAME", .summary = "Its name"}; }

}  // namespace

std::vector<Command> session_commands() {
  return {
      {.name = "list",
       .aliases = {"ls"},
       .summary = "List sessions, the newest first",
       .options = {{.name = "limit", .value = "N", .summary = "At most this many (default 100)"},
                   {.name = "after", .value = "SESSION", .summary = "Only those older than this"},
                   plan_database_option()},
       .examples = {{"agents session list", "All that you may see"}},
       .handler = list},
      {.name = "create",
       .summary = "Start a session on this project",
       .options = {name_option(),
                   {.name = "budget", .value = "USD", .summary = "The most its plans may cost"},
                   here_option(),
                   plan_database_option()},
       .examples = {{"agents session create --name parser --budget 5", "With five dollars"}},
       .handler = create},
      {.name = "show",
       .summary = "Show a session and its messages",
       .positionals = {session_positional()},
       .options = {plan_database_option()},
       .examples = {{"agents session show 01KD…", "Who wrote what, and which plans work on it"}},
       .handler = show},
      {.name = "tell",
       .summary = "Send a message to a session; a plan works on it in the background",
       .description =
           "The session's newest plan gets the message as a prompt; if that has ended, a new plan "
           "begins that knows what was said before. All clients see the same order of messages, "
           "and who said what.",
       .positionals = {session_positional(), {.name = "TEXT", .summary = "The message"}},
       .options = {{.name = "model", .value = "MODEL", .summary = "provider/model, or an alias"},
                   plan_database_option()},
       .examples = {{"agents session tell 01KD… \"now the tests\"", "From any client"}},
       .handler = tell},
      {.name = "attach",
       .summary = "Follow a session's messages until Ctrl-C",
       .positionals = {session_positional()},
       .options = {{.name = "once", .summary = "Only the messages so far"}, plan_database_option()},
       .examples = {{"agents session attach 01KD…", "Beside other clients"}},
       .handler = attach},
      {.name = "rename",
       .summary = "Rename a session",
       .positionals = {session_positional(), {.name = "NAME", .summary = "Its name"}},
       .options = {plan_database_option()},
       .examples = {{"agents session rename 01KD… parser", "Another name"}},
       .handler = rename},
      {.name = "fork",
       .summary = "Start a session with a copy of another one's messages",
       .positionals = {session_positional()},
       .options = {name_option(), plan_database_option()},
       .examples = {{"agents session fork 01KD…", "Try it another way"}},
       .handler = fork},
      {.name = "delete",
       .summary = "Delete a session; its plans stay",
       .positionals = {session_positional()},
       .options = {plan_database_option()},
       .examples = {{"agents session delete 01KD…", "Delete a session for all its members"}},
       .handler = remove},
      {.name = "export",
       .summary = "Write a session as JSON",
       .positionals = {session_positional()},
       .options = {{.name = "output", .value = "FILE", .summary = "Write it to this file"},
                   plan_database_option()},
       .examples = {{"agents session export 01KD… --output parser.json", "To a file"}},
       .handler = export_session},
      {.name = "import",
       .summary = "Start a session on this project from an exported one",
       .positionals = {{.name = "FILE", .summary = "What `agents session export` wrote"}},
       .options = {here_option(), plan_database_option()},
       .examples = {{"agents session import parser.json", "From another home"}},
       .handler = import_session},
  };
}

}  // namespace clever::service
