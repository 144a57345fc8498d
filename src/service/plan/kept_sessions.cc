#include "service/plan/kept_sessions.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "service/commands/plan.h"
#include "service/plan/session_plans.h"
#include "service/text.h"

namespace clever::service {
namespace {

constexpr std::size_t kMessagesPerPage = 500;

Document id_or_null(const std::string& id) { return id.empty() ? Document() : Document(id); }

}  // namespace

std::string session_of_plans(const storage::SessionId& id) {
  return std::string(kConversation) + id.to_string();
}

base::Result<storage::SessionRecord> find_session(const PlanDatabase& database,
                                                  const std::string& id, const Context& context) {
  const auto missing = base::not_found("there is no session " + in_quotes(id) +
                                       "; `agents session list` lists them");
  const auto parsed = storage::SessionId::parse(id);
  if (!parsed.ok()) return missing;
  auto session = storage::Sessions(database.engine()).find(*parsed, context.stop());
  const bool is_missing = !session.ok() && session.error().code() == base::ErrorCode::kNotFound;
  if (is_missing || (session.ok() && !context.sees_project(session->project))) return missing;
  return session;
}

base::Result<MeantSession> meant_session(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(auto session, find_session(database, invocation.words().front(), context));
  return MeantSession{std::move(database), std::move(session)};
}

Document document_of(const storage::SessionRecord& session) {
  return Document::map()
      .set("id", session.id.to_string())
      .set("name", session.name)
      .set("person", session.person)
      .set("project", session.project)
      .set("parent_id", id_or_null(session.parent ? session.parent.to_string() : ""))
      .set("created_at", shown_time(session.created))
      .set("messages", session.messages)
      .set("budget", "session/" + session_of_plans(session.id));
}

Document document_of(const storage::SessionMessage& message) {
  return Document::map()
      .set("number", message.number)
      .set("person", message.person)
      .set("time", shown_time(message.time))
      .set("text", message.text)
      .set("plan_id", id_or_null(message.plan ? message.plan.to_string() : ""));
}

base::Result<std::vector<storage::SessionMessage>> all_messages(const MeantSession& meant,
                                                                Context& context) {
  storage::Sessions sessions(meant.database.engine());
  std::vector<storage::SessionMessage> all;
  while (true) {
    const std::int64_t after = all.empty() ? 0 : all.back().number;
    CLEVER_ASSIGN(auto page,
                  sessions.messages(meant.session.id, after, kMessagesPerPage, context.stop()));
    const bool is_last = page.size() < kMessagesPerPage;
    std::ranges::move(page, std::back_inserter(all));
    if (is_last) return all;
  }
}

base::Result<model::PlanId> prompted_plan(const MeantSession& meant, Context& context) {
  CLEVER_ASSIGN(const auto messages, all_messages(meant, context));
  for (const storage::SessionMessage& message : messages | std::views::reverse) {
    if (!message.plan) continue;
    const auto state = meant.database.state(message.plan);
    if (state.ok() && state->exists() && !state->is_final()) return message.plan;
    return model::PlanId();
  }
  return model::PlanId();
}

}  // namespace clever::service
