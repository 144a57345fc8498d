#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

using SessionId = model::Id<struct SessionTag>;

/// A conversation that is kept: whose it is and where it works. Its plans name it in their journals
/// (session_budget()). A value.
struct SessionRecord {
  SessionId id{};
  std::string name{};
  /// Who began it: a person's name, at the command line the account.
  std::string person{};
  /// The root of the project that its plans work on.
  std::string project{};
  /// The one that it was forked from; none: it is no fork.
  SessionId parent{};
  model::Timestamp created{};
  /// How many messages were said.
  std::int64_t messages = 0;

  friend bool operator==(const SessionRecord&, const SessionRecord&) = default;
};

/// What a person said in a session. A value.
struct SessionMessage {
  /// 1, 2, 3, …: the same order for all who read.
  std::int64_t number = 0;
  std::string person{};
  model::Timestamp time{};
  std::string text{};
  /// The plan that works on it; none: it did not get that far.
  model::PlanId plan{};

  friend bool operator==(const SessionMessage&, const SessionMessage&) = default;
};

/// Sessions and what was said in them. Deleting one leaves its plans.
///
/// Thread-safe. The engine must outlive it. Times are the database's.
class Sessions {
 public:
  explicit Sessions(Engine& engine) : engine_(engine) {}

  /// With the messages that it has from the beginning: of what was forked or imported.
  base::Result<void> add(const SessionRecord& session,
                         const std::vector<SessionMessage>& messages = {},
                         const base::StopToken& stop = {});
  /// `not_found`.
  [[nodiscard]] base::Result<SessionRecord> find(const SessionId& id,
                                                 const base::StopToken& stop = {});
  /// The newest first; the next page begins `after` the last of this one.
  [[nodiscard]] base::Result<std::vector<SessionRecord>> list(std::size_t limit,
                                                              const SessionId& after = {},
                                                              const base::StopToken& stop = {});
  base::Result<void> rename(const SessionId& id, const std::string& name,
                            const base::StopToken& stop = {});
  base::Result<void> remove(const SessionId& id, const base::StopToken& stop = {});

  /// Gives the message the next number, durably. `not_found`.
  base::Result<SessionMessage> say(const SessionId& id, const std::string& person,
                                   const std::string& text, const base::StopToken& stop = {});
  /// The plan that works on a message.
  base::Result<void> set_plan(const SessionId& id, std::int64_t number, const model::PlanId& plan,
                              const base::StopToken& stop = {});
  /// Those behind `after`, in their order.
  [[nodiscard]] base::Result<std::vector<SessionMessage>> messages(
      const SessionId& id, std::int64_t after, std::size_t limit, const base::StopToken& stop = {});

 private:
  Engine& engine_;
};

/// "session/ID": the topic that is notified when something is said in it.
[[nodiscard]] std::string session_name(const SessionId& id);

}  // namespace clever::storage
