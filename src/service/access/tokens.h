#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/document.h"
#include "service/caller.h"
#include "storage/access.h"
#include "storage/audit_log.h"

// Tokens of people, by which programs come into a server.
namespace clever::service {

inline constexpr std::int64_t kUsualTokenDays = 90;
inline constexpr std::int64_t kMostTokenDays = 3650;
/// The namespace of projects for which a person names no other.
inline constexpr std::string_view kUsualNamespace = "default";

/// What a token is to be. A value.
struct TokenRequest {
  std::string person{};
  std::string label{};
  std::vector<std::string> scopes{};
  /// Empty: all.
  std::vector<std::string> namespaces{};
  std::int64_t days = kUsualTokenDays;
};

struct NewToken {
  storage::AccessToken token{};
  /// What its owner sends. It is nowhere else.
  std::string text{};
};

/// What changes to rights are made with. What it refers to must outlive it.
struct AccessDesk {
  storage::Engine& engine;
  base::Clock& clock;
  /// For the audit log.
  const Caller& caller;
  base::StopToken stop;
};

/// `invalid_argument` unless it can be the name of a person or a namespace: up to 64 letters,
/// digits and `._@-`.
[[nodiscard]] base::Result<void> check_access_name(std::string_view name);

// For logins as well.
[[nodiscard]] model::Timestamp access_time(const base::Clock& clock);
/// The digits of 256 random bits.
[[nodiscard]] std::string secret_digits(base::Random& random);
/// Checks a request, adds its person if new, and says what it grants: a token without an id.
[[nodiscard]] base::Result<storage::AccessToken> requested_token(const AccessDesk& desk,
                                                                 const TokenRequest& request);
/// The same token with an id and a text. Not stored yet.
[[nodiscard]] NewToken new_token(storage::AccessToken token, base::Clock& clock,
                                 base::Random& random);

/// `already_exists` for a name that is or was taken.
base::Result<storage::Person> add_person(const AccessDesk& desk, const std::string& name);
/// Ends all their tokens.
base::Result<storage::Person> remove_person(const AccessDesk& desk, const std::string& name);
/// Adds the person if there is none of that name.
base::Result<NewToken> create_token(const AccessDesk& desk, const TokenRequest& request,
                                    base::Random& random);
/// A token that was revoked before stays as it is.
base::Result<storage::AccessToken> revoke_token(const AccessDesk& desk, const std::string& id);

/// Whose token this text is: `permission_denied` for one that is unknown, revoked or over. Compares
/// in a time that does not depend on the text.
[[nodiscard]] base::Result<Caller> authenticate(storage::Engine& engine, const base::Clock& clock,
                                                std::string_view text, const base::StopToken& stop);
/// The same for one that came in before.
[[nodiscard]] bool is_still_valid(storage::Engine& engine, const base::Clock& clock,
                                  const std::string& id, const base::StopToken& stop);

[[nodiscard]] model::Document document_of(const storage::AccessToken& token,
                                          const base::Clock& clock);
[[nodiscard]] model::Document document_of(const storage::Person& person);
[[nodiscard]] model::Document document_of(const storage::AuditEntry& entry);

/// "valid", "revoked", "expired"
[[nodiscard]] std::string_view state_of(const storage::AccessToken& token,
                                        const base::Clock& clock);

}  // namespace clever::service
