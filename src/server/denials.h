#pragma once
#include <string>

#include "base/clock.h"
#include "base/stop_token.h"
#include "http/message.h"
#include "server/failures.h"
#include "server/problem.h"
#include "storage/audit_log.h"

namespace clever::server {

/// Writes denied requests into the audit log: all of known callers, and of strangers the first ten
/// a minute from each address, so that callers without a token cannot fill the disk.
///
/// Thread-safe. Everything it is given must outlive it.
class Denials {
 public:
  Denials(storage::Engine& store, const base::Clock& clock, base::StopToken stop)
      : log_(store, clock), strangers_(clock), stop_(std::move(stop)) {}

  /// `caller` is empty for a stranger. A request stays denied even if the entry cannot be written.
  void note(const http::Request& request, const std::string& caller, const std::string& why);

 private:
  storage::AuditLog log_;
  LoginFailures strangers_;
  const base::StopToken stop_;
};

}  // namespace clever::server
