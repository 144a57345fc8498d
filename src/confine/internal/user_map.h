#pragma once
#include <sys/types.h>

#include "base/result.h"

namespace clever::confine::internal {

/// The user who runs a command, outside.
struct User {
  uid_t number = 0;
  gid_t group = 0;
};

/// Makes this process, in a new user namespace, the same user inside as outside, so that files keep
/// their owners.
[[nodiscard]] base::Result<void> map_user(const User& user);

/// fork(2) into new namespaces (CLONE_NEWUSER …). Calls the system call: unlike unshare(2) it
/// tolerates threads that a sanitizer has started, and the child has a single thread. `watch`
/// becomes a descriptor that is readable when the child has ended. Negative, with errno, on
/// failure.
[[nodiscard]] pid_t fork_into(unsigned long namespaces, int& watch);

}  // namespace clever::confine::internal
