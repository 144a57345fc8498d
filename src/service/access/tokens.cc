#include "service/access/tokens.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "base/ulid.h"
#include "service/text.h"
#include "service/timestamp.h"

namespace clever::service {
namespace {

using model::Document;
using storage::Access;
using storage::AccessToken;
using storage::AuditLog;
using storage::KnownToken;
using storage::Person;
using storage::TokenId;

// Secret scanners recognise tokens by this prefix.
constexpr std::string_view kTokenPrefix = "agents_";
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestLabel = 200;
constexpr std::size_t kMostNamespaces = 100;
constexpr std::chrono::minutes kUseIsNoted{1};

std::string shown(model::Timestamp time) { return timestamp(base::WallTime(time)); }

AuditLog log_of(const AccessDesk& desk) { return {desk.engine, desk.clock}; }

storage::AuditEntry change_entry(const AccessDesk& desk, std::string action, std::string target,
                                 std::string detail = {}) {
  return {.caller = desk.caller.name,
          .action = std::move(action),
          .target = std::move(target),
          .outcome = "done",
          .detail = std::move(detail)};
}

std::vector<std::string> unique(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
  return names;
}

base::Result<Rights> rights_of(const std::vector<std::string>& scopes) {
  Rights rights;
  for (const std::string& scope : scopes) {
    const auto right = parse_right(scope);
    if (!right) {
      return base::invalid_argument("scopes: expected read, run, approve or admin, not " +
                                    in_quotes(scope));
    }
    rights.add(*right);
  }
  if (rights == Rights()) {
    return base::invalid_argument("scopes: name at least one of read, run, approve and admin");
  }
  return rights;
}

base::Result<void> check_request(const TokenRequest& request, Rights rights) {
  CLEVER_TRY(check_access_name(request.person).context("person"));
  for (const std::string& name : request.namespaces) {
    CLEVER_TRY(check_access_name(name).context("namespaces"));
  }
  if (request.namespaces.size() > kMostNamespaces) {
    return base::invalid_argument("namespaces: at most " + std::to_string(kMostNamespaces));
  }
  if (rights.has(Right::kAdmin) && !request.namespaces.empty()) {
    return base::invalid_argument(
        "the scope admin covers the whole server: leave out the namespaces, or that scope");
  }
  if (request.label.size() > kLongestLabel || printable(request.label) != request.label) {
    return base::invalid_argument("label: expected at most " + std::to_string(kLongestLabel) +
                                  " characters on one line");
  }
  if (request.days < 1 || request.days > kMostTokenDays) {
    return base::invalid_argument("days: expected a number from 1 to " +
                                  std::to_string(kMostTokenDays));
  }
  return {};
}

base::Result<void> ensure_person(const AccessDesk& desk, const std::string& name) {
  const auto known = Access(desk.engine).find_person(name, desk.stop);
  if (known.ok() && known->removed) {
    return base::conflict(in_quotes(name) +
                          " was removed, and a name is never used again: choose another one");
  }
  if (known.ok() || known.error().code() != base::ErrorCode::kNotFound) {
    return known.ok() ? base::Result<void>() : known.error();
  }
  auto added = add_person(desk, name);
  const bool raced =
      !added.ok() && added.error().code() == base::ErrorCode::kAlreadyExists;  // as wanted
  if (added.ok() || raced) return {};
  return added.error();
}

base::Error unknown_token() {
  return base::permission_denied(
      "this token is not known: check it, or ask an administrator for a new one (`agents token "
      "create`)");
}

// Returns the id in "agents_ID_SECRET".
TokenId id_in(std::string_view text) {
  if (!text.starts_with(kTokenPrefix)) return {};
  const auto id = TokenId::parse(text.substr(kTokenPrefix.size(), base::Ulid::kTextSize));
  return id.ok() ? *id : TokenId();
}

Caller caller_of(const AccessToken& token) {
  Caller caller{
      .name = token.person, .token = token.id.to_string(), .until = base::WallTime(token.expires)};
  for (const std::string& name : token.rights) {
    if (const auto right = parse_right(name)) caller.rights.add(*right);
  }
  if (!token.namespaces.empty()) caller.namespaces = token.namespaces;
  return caller;
}

base::Result<void> check_valid(const KnownToken& known, const base::Clock& clock) {
  if (!known.token.rights.empty() && known.token.rights[0] == Access::kLogin) {
    return unknown_token();
  }
  if (known.orphaned)
    return base::permission_denied(
        "this token's person was removed: ask an administrator for a new one");
  if (known.token.revoked)
    return base::permission_denied("this token was revoked: ask an administrator for a new one");
  if (known.token.expires <= access_time(clock)) {
    return base::permission_denied("this token has expired: ask an administrator for a new one");
  }
  return {};
}

void note_use(storage::Engine& engine, const base::Clock& clock, const AccessToken& token) {
  const model::Timestamp now = access_time(clock);
  if (token.used && now - *token.used < kUseIsNoted) return;
  engine.submit_along(Access::note_use(token.id, now));
}

Document optional_time(const std::optional<model::Timestamp>& time) {
  return time ? Document(shown(*time)) : Document();
}

}  // namespace

base::Result<void> check_access_name(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._@-").contains(c);
  });
  if (plain && !name.empty() && name.size() <= kLongestName) return {};
  return base::invalid_argument("expected a name of up to " + std::to_string(kLongestName) +
                                " letters, digits and ._@-");
}

base::Result<Person> add_person(const AccessDesk& desk, const std::string& name) {
  CLEVER_TRY(check_access_name(name).context("name"));
  const model::Timestamp now = access_time(desk.clock);
  const auto added = log_of(desk).append(change_entry(desk, "person.add", name),
                                         Access::add_person(name, now), desk.stop);
  if (added.ok()) return Person{name, now, {}};
  if (added.error().code() != base::ErrorCode::kAlreadyExists) return added.error();
  return base::already_exists(in_quotes(name) +
                              " exists already or was removed: choose another name");
}

base::Result<Person> remove_person(const AccessDesk& desk, const std::string& name) {
  auto person = Access(desk.engine).find_person(name, desk.stop);
  if (!person.ok()) return std::move(person).error().add_context(in_quotes(name));
  if (person->removed) return person;
  const model::Timestamp now = access_time(desk.clock);
  CLEVER_TRY(log_of(desk).append(change_entry(desk, "person.remove", name),
                                 Access::remove_person(*person, now), desk.stop));
  person->removed = now;
  return person;
}

model::Timestamp access_time(const base::Clock& clock) {
  return std::chrono::time_point_cast<std::chrono::microseconds>(clock.wall_now());
}

std::string secret_digits(base::Random& random) {
  base::Sha256Digest::Bytes bytes{};
  random.fill(std::as_writable_bytes(std::span(bytes)));
  return base::Sha256Digest(bytes).to_hex();
}

base::Result<AccessToken> requested_token(const AccessDesk& desk, const TokenRequest& request) {
  CLEVER_ASSIGN(const Rights rights, rights_of(request.scopes));
  CLEVER_TRY(check_request(request, rights));
  CLEVER_TRY(ensure_person(desk, request.person));
  const model::Timestamp now = access_time(desk.clock);
  AccessToken token{.person = request.person,
                    .label = request.label,
                    .namespaces = unique(request.namespaces),
                    .created = now,
                    .expires = now + std::chrono::days(request.days)};
  for (const std::string_view name : rights.names()) token.rights.emplace_back(name);
  return token;
}

NewToken new_token(AccessToken token, base::Clock& clock, base::Random& random) {
  base::UlidGenerator ids(clock, random);
  token.id = TokenId(ids.next());
  std::string text = std::string(kTokenPrefix) + token.id.to_string() + "_" + secret_digits(random);
  return {std::move(token), std::move(text)};
}

base::Result<NewToken> create_token(const AccessDesk& desk, const TokenRequest& request,
                                    base::Random& random) {
  CLEVER_ASSIGN(AccessToken token, requested_token(desk, request));
  NewToken made = new_token(std::move(token), desk.clock, random);
  const std::string what =
      made.token.person + ": " + base::joined(made.token.rights) +
      (made.token.namespaces.empty() ? std::string()
                                     : " in " + base::joined(made.token.namespaces));
  CLEVER_TRY(
      log_of(desk).append(change_entry(desk, "token.create", made.token.id.to_string(), what),
                          Access::add_token(made.token, base::sha256(made.text)), desk.stop));
  return made;
}

base::Result<AccessToken> revoke_token(const AccessDesk& desk, const std::string& id) {
  const auto token = TokenId::parse(id);
  if (!token.ok())
    return base::not_found("no token has the id " + in_quotes(id) +
                           "; `agents token list` lists them");
  CLEVER_ASSIGN(KnownToken known, Access(desk.engine).find(*token, desk.stop));
  if (known.token.revoked) return known.token;
  const model::Timestamp now = access_time(desk.clock);
  CLEVER_TRY(log_of(desk).append(change_entry(desk, "token.revoke", id, known.token.person),
                                 Access::revoke_token(known, now), desk.stop));
  known.token.revoked = now;
  return known.token;
}

base::Result<Caller> authenticate(storage::Engine& engine, const base::Clock& clock,
                                  std::string_view text, const base::StopToken& stop) {
  const TokenId id = id_in(text);
  if (!id) return unknown_token();
  const auto found = Access(engine).find(id, stop);
  const bool is_known = found.ok();
  if (!is_known && found.error().code() != base::ErrorCode::kNotFound) return found.error();
  // Does the same work whether the id exists or not.
  const std::string expected = (is_known ? found->hash : base::Sha256Digest()).to_hex();
  const bool is_equal = base::constant_time_equal(base::sha256(text).to_hex(), expected);
  if (!is_known || !is_equal) return unknown_token();
  CLEVER_TRY(check_valid(*found, clock));
  note_use(engine, clock, found->token);
  return caller_of(found->token);
}

bool is_still_valid(storage::Engine& engine, const base::Clock& clock, const std::string& id,
                    const base::StopToken& stop) {
  const auto token = TokenId::parse(id);
  if (!token.ok()) return false;
  const auto known = Access(engine).find(*token, stop);
  return known.ok() && check_valid(*known, clock).ok();
}

std::string_view state_of(const AccessToken& token, const base::Clock& clock) {
  if (token.revoked) return "revoked";
  return token.expires <= access_time(clock) ? "expired" : "valid";
}

Document document_of(const AccessToken& token, const base::Clock& clock) {
  return Document::map()
      .set("id", token.id.to_string())
      .set("person", token.person)
      .set("label", token.label)
      .set("scopes", Document::texts(token.rights))
      .set("namespaces", token.namespaces.empty() ? Document() : Document::texts(token.namespaces))
      .set("state", state_of(token, clock))
      .set("created_at", shown(token.created))
      .set("expires_at", shown(token.expires))
      .set("revoked_at", optional_time(token.revoked))
      .set("used_at", optional_time(token.used));
}

Document document_of(const Person& person) {
  return Document::map()
      .set("name", person.name)
      .set("created_at", shown(person.created))
      .set("removed_at", optional_time(person.removed));
}

Document document_of(const storage::AuditEntry& entry) {
  return Document::map()
      .set("sequence", entry.sequence)
      .set("at", shown(entry.time))
      .set("caller", entry.caller)
      .set("action", entry.action)
      .set("target", entry.target)
      .set("outcome", entry.outcome)
      .set("detail", entry.detail);
}

}  // namespace clever::service
