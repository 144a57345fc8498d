#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "service/access/tokens.h"

// Logins: short-lived codes that are exchanged once for a token. A code is kept as a token whose
// rights begin with `login`; it allows nothing else.
namespace clever::service {

inline constexpr std::chrono::minutes kLoginCodeLasts{5};
inline constexpr std::int64_t kUsualLoginDays = 30;

/// A code for a link; its text is shown once.
base::Result<NewToken> create_login_code(const AccessDesk& desk, const TokenRequest& request,
                                         base::Random& random);

/// The link that carries a code in its fragment, which browsers keep to themselves.
[[nodiscard]] std::string login_link(std::string_view url, std::string_view code);

/// The code that a person compares and approves, "ABCD-EFGH-JKMN", of the secret that the program
/// at the other device keeps: 60 bits of its hash.
[[nodiscard]] std::string device_code(std::string_view secret);
/// Lets the device of that code have a token. Takes the code in either case and without its
/// hyphens. `permission_denied` unless `caller` has the rights and namespaces asked for; the token
/// ends no later than the caller's own.
base::Result<storage::AccessToken> approve_device(const AccessDesk& desk, std::string_view code,
                                                  TokenRequest request, base::Random& random);

/// Exchanges a login code, or the secret of an approved device. `permission_denied` if there is no
/// such login: it was used, expired, or was never made. Of many exchanges at once, one gets the
/// token.
base::Result<NewToken> exchange_login_code(const AccessDesk& desk, std::string_view code,
                                           base::Random& random);
base::Result<NewToken> exchange_device_secret(const AccessDesk& desk, std::string_view secret,
                                              base::Random& random);

}  // namespace clever::service
