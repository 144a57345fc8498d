#pragma once
#include <variant>

#include "base/clock.h"
#include "base/stop_token.h"
#include "http/message.h"
#include "model/document.h"
#include "server/oidc/oidc_login.h"
#include "server/problem.h"
#include "server/routes.h"
#include "service/access/projects.h"
#include "service/access/tokens.h"

namespace clever::server {

/// The routes about people, their tokens and the audit log.
///
/// Thread-safe. What it was given must outlive it.
class AccessApi {
 public:
  struct Parts {
    storage::Engine& store;
    base::Clock& clock;
    base::StopToken stop;
    /// Null: no login at a provider.
    OidcLogin* oidc = nullptr;
  };
  explicit AccessApi(const Parts& parts) : parts_(parts) {}

  /// `given` is the query or the body, as bind() checked it.
  [[nodiscard]] Answer answer(Own own, const PathParameters& parameters,
                              const model::Document& given, const service::Caller& caller) const;

  /// Exchanges a login for a token; `permission_denied` says that there is no such login.
  [[nodiscard]] base::Result<http::Response> login(const http::Request& request,
                                                   const model::Document& given) const;
  /// A redirect to the provider; `not_found` without one.
  [[nodiscard]] base::Result<http::Response> begin_oidc(const http::Request& request) const;
  /// The answer to the browser that came back; `permission_denied` says why the login does not
  /// count.
  [[nodiscard]] base::Result<http::Response> end_oidc(const http::Request& request,
                                                      const model::Document& given) const;
  [[nodiscard]] Answer logout(const http::Request& request, const service::Caller& caller) const;

  /// Who may do what in the folder is a matter of its namespace: written into the audit log.
  [[nodiscard]] base::Result<void> note_project(const service::RegisteredProject& project,
                                                const service::Caller& caller) const;

 private:
  [[nodiscard]] Answer tokens(const model::Document& given) const;
  [[nodiscard]] Answer people() const;
  [[nodiscard]] Answer audit(const model::Document& given) const;
  [[nodiscard]] Answer new_token(const model::Document& given, const service::Caller& caller) const;
  [[nodiscard]] Answer new_person(const model::Document& given,
                                  const service::Caller& caller) const;
  [[nodiscard]] service::AccessDesk desk(const service::Caller& caller) const {
    return {parts_.store, parts_.clock, caller, parts_.stop};
  }

  const Parts parts_;
};

}  // namespace clever::server
