#pragma once
#include <optional>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "io/http.h"
#include "service/context.h"
#include "service/invocation.h"
#include "service/report.h"
#include "storage/database_url.h"

namespace clever::service {

/// A server as the command line reaches it. A value.
struct Remote {
  /// server_address()
  std::string address{};
  std::string token{};
};

/// Whether this command line names a server: by --server, else by CLEVERAGENTS_SERVER.
[[nodiscard]] bool names_server(const Invocation& invocation, const Context& context);
/// That server; only if there is one. The redactor knows the token from then on.
[[nodiscard]] base::Result<Remote> remote_of(const Invocation& invocation, const Context& context);

/// Has the server do what call() would do here: shows what it shows, asks what it asks, and passes
/// Ctrl-C on. What a server began goes on when the connection breaks; the connection is made again
/// from the last event that arrived. Blocks; by the command's thread.
///
/// `unavailable` for a server that cannot be reached, or that was lost while it worked.
[[nodiscard]] base::Result<Report> call_remote(const Remote& remote, const CommandPath& operation,
                                               const Invocation& invocation, Context& context);

/// What came of offering a command to the server of this home.
struct HandOver {
  /// None: this process does it.
  std::optional<base::Result<Report>> report{};
  /// Why, if a server is there; else empty.
  std::string why{};
};
/// Has the server of this home do `agents run`, if one is running that works with the same
/// settings, keys and database.
[[nodiscard]] HandOver hand_over(const CommandPath& operation, const Invocation& invocation,
                                 Context& context);

/// Equal exactly for processes that do the same with a plan: a digest of work_digest() and the
/// database.
[[nodiscard]] base::Result<std::string> work_key(const config::Settings& settings,
                                                 const storage::DatabaseUrl& database,
                                                 const Context& context);

}  // namespace clever::service
