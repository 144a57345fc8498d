#pragma once
#include <sys/types.h>

#include "base/result.h"

namespace clever::confine::internal {

/// Who runs a command, outside.
struct User {
  uid_t number = 0;
  gid_t group = 0;
};

/// Makes this process, in a user namespace that is new, the same user inside as outside: files keep
/// their owners.
[[nodiscard]] base::Result<void> map_user(const User& user);

/// fork(2) into new namespaces (CLONE_NEWUSER …). The system call itself: unlike unshare(2) it does
/// not mind threads that a sanitizer has started, and the child is alone. `watch` becomes a
/// descriptor that is readable when the child has ended. Negative, with errno, if it is refused.
[[nodiscard]] pid_t fork_into(unsigned long namespaces, int& watch);

}  // namespace clever::confine::internal
