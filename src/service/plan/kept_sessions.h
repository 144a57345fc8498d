#pragma once
// What the commands on sessions share.
#include <string>
#include <vector>

#include "base/result.h"
#include "service/command.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/plan/workplace.h"
#include "storage/sessions.h"

namespace clever::service {

/// What PlanSettings::session of its plans says.
[[nodiscard]] std::string session_of_plans(const storage::SessionId& id);

/// A session that exists for the caller, and its database.
struct MeantSession {
  PlanDatabase database;
  storage::SessionRecord session;
};
[[nodiscard]] base::Result<MeantSession> meant_session(const Invocation& invocation,
                                                       Context& context);

/// The session with this id; `not_found` also for one that does not exist for the caller.
[[nodiscard]] base::Result<storage::SessionRecord> find_session(const PlanDatabase& database,
                                                                const std::string& id,
                                                                const Context& context);

[[nodiscard]] Document document_of(const storage::SessionRecord& session);
[[nodiscard]] Document document_of(const storage::SessionMessage& message);

/// All of them.
[[nodiscard]] base::Result<std::vector<storage::SessionMessage>> all_messages(
    const MeantSession& meant, Context& context);

/// The newest plan of the session that takes a prompt; none: the next message begins one.
[[nodiscard]] base::Result<model::PlanId> prompted_plan(const MeantSession& meant,
                                                        Context& context);

}  // namespace clever::service
