#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/caller.h"

// The one table of what can be asked for over HTTP: it makes the router, the check of rights, the
// OpenAPI document and a test.
namespace clever::server {

/// What the server answers itself, without an operation.
enum class Own : std::uint8_t {
  kNothing,  // an operation answers
  kHealth,
  kReady,
  kMetrics,
  kOpenApi,
  kMe,
  kLogin,
  kLogout,
  kOidcBegin,
  kOidcEnd,
  kEvents,
  kSessionEvents,
  kProjects,
  kNewProject,
  kSetSettings,
  kTokens,
  kNewToken,
  kRevokeToken,
  kPeople,
  kNewPerson,
  kRemovePerson,
  kAudit,
  kNewCommand,
  kCommand,
  kCommandAnswer,
  kCommandStop,
  kCommandTerminal,
};

/// A parameter of the query, or a key of the body.
struct Field {
  enum class Kind : std::uint8_t {
    kText,
    kInteger,
    kDollars,
    kFlag,   // given if true
    kTexts,  // a list
    kWord,   // text that is a word of the operation, behind the plan
    kWords,
    kProjects,  // ids of registered projects: where the operation works
    kPath,      // a folder of the server's machine
  };
  std::string_view name;
  Kind kind = Kind::kText;
  /// Of the operation; empty: the same name.
  std::string_view option = {};
  std::string_view summary;
  bool required = false;
};

struct Route {
  std::string_view method;
  /// "/v1/plans/{plan}/events"
  std::string_view path;
  /// "plan events"
  std::string_view operation = {};
  Own own = Own::kNothing;
  std::string_view summary;
  /// Taken from the query of a GET, from the body of anything else. No other is.
  std::vector<Field> fields = {};
  /// Options that are always given.
  std::vector<std::string_view> flags = {};
  /// Created a plan: 201 with its Location, and the answer of `plan status`.
  bool creates_plan = false;
  /// Created something else: 201 with this and its id as its Location.
  std::string_view creates = {};
  /// Works in the only project that there is if none is named.
  bool takes_project = false;
  /// Also as Server-Sent Events.
  bool streams = false;
  /// For everybody, without a token.
  bool open = false;
  /// For every caller with a token, whatever its rights.
  bool any_right = false;
  /// What the server answers itself takes this one; an operation takes its own.
  service::Right own_right = service::Right::kRead;
};

[[nodiscard]] const std::vector<Route>& routes();

/// The right that every call of a route takes.
[[nodiscard]] service::Right right_of(const Route& route) noexcept;

/// What the names in a route's path stand for.
using PathParameters = std::map<std::string, std::string, std::less<>>;

/// What a path leads to.
struct Found {
  /// Null: there is no such path, or not with this method.
  const Route* route = nullptr;
  PathParameters parameters{};
  /// Methods that the path takes; none: there is no such path.
  std::vector<std::string_view> methods{};
};
/// HEAD is GET without a body.
[[nodiscard]] Found find_route(std::string_view method, const std::vector<std::string>& path);

/// "v1", "plans", "{plan}"
[[nodiscard]] std::vector<std::string_view> segments_of(const Route& route);

}  // namespace clever::server
