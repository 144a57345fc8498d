#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "http/message.h"
#include "model/document.h"
#include "server/routes.h"
#include "service/command.h"
#include "service/invocation.h"

namespace clever::server {

/// A request as the call of an operation. A value; refers to the command tree.
struct Bound {
  service::Invocation invocation{};
  /// Ids of registered projects.
  std::vector<std::string> projects{};
  /// Of a Field::Kind::kPath.
  std::string folder{};
  /// All of the query or the body, each of the kind that its field has.
  model::Document given{};
};

/// Reads the query or the body of a request that `route` takes. `invalid_argument` names the
/// parameter or key that is unknown, missing, of another kind or without the required form. Pure.
[[nodiscard]] base::Result<Bound> bind(const Route& route, const PathParameters& parameters,
                                       const http::Request& request, const service::Command& root);

/// The body, a JSON object; an empty body is one without keys.
[[nodiscard]] base::Result<model::Document> json_body(const http::Request& request);

/// From the root to the operation of that name; empty if there is none.
[[nodiscard]] service::CommandPath find_operation(const service::Command& root,
                                                  std::string_view name);

}  // namespace clever::server
