#include "service/access/logins.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/number.h"
#include "base/text.h"
#include "service/text.h"

namespace clever::service {
namespace {

using std::chrono::hours;
using storage::Access;
using storage::AccessToken;

constexpr std::string_view kCodePrefix = "login_";
// Without I, L, O and U, which are read as others.
constexpr std::string_view kCodeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kCodeSize = 12;
constexpr std::size_t kCodeGroup = 4;

// What the rights of a login say: "login", the hours that its token lasts, and its scopes.
std::vector<std::string> login_rights(hours lasts, const std::vector<std::string>& scopes) {
  std::vector<std::string> rights{std::string(Access::kLogin), std::to_string(lasts.count())};
  rights.insert(rights.end(), scopes.begin(), scopes.end());
  return rights;
}

base::Sha256Digest device_hash(std::string_view code) {
  return base::sha256("device login " + std::string(code));
}

// Twelve letters without hyphens; none if it cannot be a code.
std::optional<std::string> plain_code(std::string_view typed) {
  std::string code;
  for (const char c : base::upper_case(base::trimmed(typed))) {
    if (c == '-') continue;
    const char read = c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
    if (!kCodeLetters.contains(read)) return std::nullopt;
    code.push_back(read);
  }
  return code.size() == kCodeSize ? std::optional(code) : std::nullopt;
}

base::Error unknown_login() {
  return base::permission_denied(
      "there is no such login: it was used, or its five minutes are over");
}

struct Login {
  AccessToken code{};
  base::Sha256Digest hash{};
  hours lasts{};
};

base::Result<void> record(const AccessDesk& desk, const Login& login, std::string action) {
  AccessToken row = login.code;
  const std::string scopes = base::joined(row.rights);
  row.rights = login_rights(login.lasts, row.rights);
  row.expires = row.created + kLoginCodeLasts;
  storage::UnitOfWork unit = Access::add_token(row, login.hash);
  for (const storage::Statement& each : Access::forget_logins(row.created).statements()) {
    unit.add(each);
  }
  CLEVER_TRY(storage::AuditLog(desk.engine, desk.clock)
                 .append({.caller = desk.caller.name,
                          .action = std::move(action),
                          .target = row.person,
                          .outcome = "done",
                          .detail = scopes + (row.label.empty() ? "" : ": " + row.label)},
                         unit, desk.stop));
  return {};
}

base::Result<NewToken> exchange(const AccessDesk& desk, const base::Sha256Digest& hash,
                                base::Random& random) {
  const auto found = Access(desk.engine).find_by_hash(hash, desk.stop);
  if (!found.ok() && found.error().code() != base::ErrorCode::kNotFound) return found.error();
  if (!found.ok() || found->orphaned) return unknown_login();
  const AccessToken& login = found->token;
  const std::vector<std::string>& rights = login.rights;
  const auto lasts = rights.size() < 3 ? std::nullopt : base::to_number<int>(rights[1]);
  const model::Timestamp now = access_time(desk.clock);
  if (!lasts || rights[0] != Access::kLogin || login.expires <= now) return unknown_login();
  NewToken made = new_token({.person = login.person,
                             .label = login.label,
                             .rights = {rights.begin() + 2, rights.end()},
                             .namespaces = login.namespaces,
                             .created = now,
                             .expires = now + hours(*lasts)},
                            desk.clock, random);
  const auto done =
      storage::AuditLog(desk.engine, desk.clock)
          .append({.caller = login.person,
                   .action = "login",
                   .target = made.token.id.to_string(),
                   .outcome = "done",
                   .detail = login.label},
                  Access::exchange_token(login.id, made.token, base::sha256(made.text)), desk.stop);
  if (done.ok()) return made;
  if (done.error().code() == base::ErrorCode::kConflict) return unknown_login();
  return done.error();
}

// A caller gives no more than it has.
base::Result<void> check_grant(const Caller& caller, const TokenRequest& request) {
  for (const std::string& scope : request.scopes) {
    if (const auto right = parse_right(scope)) CLEVER_TRY(require(caller, *right));
  }
  if (!caller.namespaces) return {};
  if (request.namespaces.empty()) {
    return base::permission_denied("your token is bound to namespaces: " +
                                   base::joined(*caller.namespaces));
  }
  for (const std::string& name : request.namespaces) {
    if (!caller.sees_namespace(name)) {
      return base::permission_denied("your token is not bound to the namespace " + in_quotes(name));
    }
  }
  return {};
}

}  // namespace

base::Result<NewToken> create_login_code(const AccessDesk& desk, const TokenRequest& request,
                                         base::Random& random) {
  CLEVER_ASSIGN(AccessToken token, requested_token(desk, request));
  NewToken made = new_token(std::move(token), desk.clock, random);
  made.text = std::string(kCodePrefix) + secret_digits(random);
  const Login login{made.token, base::sha256(made.text), std::chrono::days(request.days)};
  CLEVER_TRY(record(desk, login, "login.link"));
  return made;
}

std::string login_link(std::string_view url, std::string_view code) {
  std::string link(base::trimmed(url, "/"));
  return link.append("/#login=").append(code);
}

std::string device_code(std::string_view secret) {
  const base::Sha256Digest digest = base::sha256(secret);
  const auto& bytes = digest.bytes();
  std::string code;
  for (std::size_t i = 0; i < kCodeSize; ++i) {
    if (i > 0 && i % kCodeGroup == 0) code.push_back('-');
    code.push_back(kCodeLetters[bytes[i] % kCodeLetters.size()]);
  }
  return code;
}

base::Result<AccessToken> approve_device(const AccessDesk& desk, std::string_view code,
                                         TokenRequest request, base::Random& random) {
  const auto plain = plain_code(code);
  if (!plain) {
    return base::invalid_argument("expected a code such as ABCD-EFGH-JKMN, not " + in_quotes(code));
  }
  if (request.person != desk.caller.name) CLEVER_TRY(require(desk.caller, Right::kAdmin));
  CLEVER_TRY(check_grant(desk.caller, request));
  if (request.label.empty()) request.label = "agents login";
  CLEVER_ASSIGN(AccessToken token, requested_token(desk, request));
  hours lasts = std::chrono::days(request.days);
  if (desk.caller.until) {
    const auto left = std::chrono::floor<hours>(*desk.caller.until - desk.clock.wall_now());
    lasts = std::max(std::min(lasts, left), hours(1));
  }
  const Login login{new_token(std::move(token), desk.clock, random).token, device_hash(*plain),
                    lasts};
  CLEVER_TRY(record(desk, login, "login.approve"));
  AccessToken granted = login.code;
  granted.expires = granted.created + lasts;
  return granted;
}

base::Result<NewToken> exchange_login_code(const AccessDesk& desk, std::string_view code,
                                           base::Random& random) {
  if (!code.starts_with(kCodePrefix)) return unknown_login();
  return exchange(desk, base::sha256(code), random);
}

base::Result<NewToken> exchange_device_secret(const AccessDesk& desk, std::string_view secret,
                                              base::Random& random) {
  if (!base::Sha256Digest::from_hex(secret).ok()) return unknown_login();
  return exchange(desk, device_hash(*plain_code(device_code(secret))), random);
}

}  // namespace clever::service
