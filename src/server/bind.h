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

/// A request converted to a call of an operation. A value; refers to the command tree.
struct Bound {
  service::Invocation invocation{};
  /// Ids of registered projects.
  std::vector<std::string> projects{};
  /// The folder of a Field::Kind::kPath.
  std::string folder{};
  /// The whole query or body; each value has its field's kind.
  model::Document given{};
};

/// Reads the query or body of a request for `route`. `invalid_argument` names the parameter or key
/// that is unknown, missing, of the wrong kind or in the wrong form. Pure.
[[nodiscard]] base::Result<Bound> bind(const Route& route, const PathParameters& parameters,
                                       const http::Request& request, const service::Command& root);

/// Parses the body as a JSON object; an empty body is an empty object.
[[nodiscard]] base::Result<model::Document> json_body(const http::Request& request);

/// Returns the path of commands from the root to that operation; empty if there is none.
[[nodiscard]] service::CommandPath find_operation(const service::Command& root,
                                                  std::string_view name);

}  // namespace clever::server
