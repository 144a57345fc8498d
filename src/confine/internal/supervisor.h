#pragma once
#include "confine/command.h"
#include "confine/internal/user_map.h"

// What runs in the processes between this program and a command.
namespace clever::confine::internal {

/// The socket to the one who started it: the request comes in, reports go out, and its end means
/// that everything has to end.
inline constexpr int kControlNumber = 3;
/// For Network::kHosts: the socket to the proxy, to which connections are handed.
inline constexpr int kProxyNumber = 4;

/// Supervises a confined command from outside its namespaces; ends when nothing of it is left.
int supervise_confined(const Command& command);
/// Supervises one that runs without confinement, and ends those it leaves behind.
int supervise_unconfined(const Command& command);
/// Process 1 of the command's namespaces; `user` is who it is outside.
[[noreturn]] void run_as_first(const Command& command, const User& user);

}  // namespace clever::confine::internal
