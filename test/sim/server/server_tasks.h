#pragma once
#include <memory>
#include <optional>
#include <string>

#include "sim/server/server_ground.h"

namespace clever::sim {

/// A message of a client, and the answer it got.
struct ClientMessage {
  storage::SessionId session{};
  std::string text{};
  enum class Answer : std::uint8_t { kNone, kDone, kUnknown, kBusy };
  Answer answer = Answer::kNone;
  std::string plan{};
};

/// What a server does for POST /v1/sessions/{id}/messages under an Idempotency-Key.
[[nodiscard]] std::unique_ptr<ServerTask> take_message(ServerGround& ground, ServerLife& life,
                                                       std::shared_ptr<ClientMessage> message,
                                                       bool job_apart);
/// What a worker does: a job of a plan, if there is one.
[[nodiscard]] std::unique_ptr<ServerTask> drive_a_plan(ServerGround& ground, ServerLife& life);
/// One notice, if one is there.
[[nodiscard]] std::unique_ptr<ServerTask> deliver_a_notice(ServerGround& ground, ServerLife& life);
/// PATCH /v1/settings: the file first, then the registry.
[[nodiscard]] std::unique_ptr<ServerTask> change_settings(ServerGround& ground, ServerLife& life);

/// The version of the settings that a call would be made by now.
[[nodiscard]] int settings_in_force(const ServerLife& life);
/// As at a server's start, and by each PATCH.
void read_settings(const ServerGround& ground, ServerLife& life);

}  // namespace clever::sim
