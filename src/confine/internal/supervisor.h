#pragma once
#include "confine/command.h"
#include "confine/internal/user_map.h"

// The processes between this program and a command.
namespace clever::confine::internal {

/// The socket to the starter: the request comes in, reports go out, and its end means that
/// everything must end.
inline constexpr int kControlNumber = 3;
/// For Network::kHosts: the socket to the proxy, which takes connections.
inline constexpr int kProxyNumber = 4;

/// The name of a process that supervises a confined command: every process inside descends from it.
inline constexpr const char* kSupervisorName = "agents-confine";

/// Supervises a confined command from outside its namespaces; ends when no process of it is left.
int supervise_confined(const Command& command);
/// Supervises an unconfined command, and ends the processes it leaves.
int supervise_unconfined(const Command& command);
/// Process 1 of the command's namespaces; `user` is the user outside.
[[noreturn]] void run_as_first(const Command& command, const User& user);

}  // namespace clever::confine::internal
