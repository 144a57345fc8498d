#include "server/access_api.h"

#include <utility>

#include "base/random.h"
#include "server/cookies.h"
#include "service/access/logins.h"
#include "service/timestamp.h"

namespace clever::server {
namespace {

using model::Document;

constexpr std::int64_t kUsualEntries = 100;
constexpr std::int64_t kMostEntries = 1000;

std::string text_in(const Document& given, std::string_view key) {
  const Document* found = given.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

std::int64_t number_in(const Document& given, std::string_view key, std::int64_t usual) {
  const Document* found = given.find(key);
  const auto* number = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->value());
  return number == nullptr ? usual : *number;
}

std::vector<std::string> texts_in(const Document& given, std::string_view key) {
  std::vector<std::string> texts;
  const Document* found = given.find(key);
  const auto* list = found == nullptr ? nullptr : std::get_if<Document::List>(&found->value());
  if (list == nullptr) return texts;
  for (const Document& item : *list) {
    if (const auto* text = std::get_if<std::string>(&item.value())) texts.push_back(*text);
  }
  return texts;
}

template <class Thing>
Answer answer_with(const base::Result<Thing>& thing, const Document& document) {
  return thing.ok() ? Answer(json_response(200, document)) : Answer(problem_of(thing.error()));
}

base::Error no_provider() {
  return base::not_found("no login provider is set: server.oidc.issuer names one");
}

Document login_document(const storage::AccessToken& token) {
  return Document::map()
      .set("caller", token.person)
      .set("rights", Document::texts(token.rights))
      .set("namespaces", token.namespaces.empty() ? Document() : Document::texts(token.namespaces))
      .set("expires_at", service::timestamp(base::WallTime(token.expires)));
}

std::chrono::seconds lasting(const storage::AccessToken& token) {
  return std::chrono::floor<std::chrono::seconds>(token.expires - token.created);
}

base::Result<std::size_t> limit_in(const Document& given) {
  const std::int64_t limit = number_in(given, "limit", kUsualEntries);
  if (limit >= 1 && limit <= kMostEntries) return static_cast<std::size_t>(limit);
  return base::invalid_argument("limit: expected a number from 1 to " +
                                std::to_string(kMostEntries));
}

Answer created(const Document& document, const std::string& location) {
  http::Response response = json_response(201, document);
  response.headers.push_back({"Location", location});
  return response;
}

}  // namespace

Answer AccessApi::answer(Own own, const PathParameters& parameters, const Document& given,
                         const service::Caller& caller) const {
  switch (own) {
    case Own::kTokens:
      return tokens(given);
    case Own::kNewToken:
      return new_token(given, caller);
    case Own::kRevokeToken: {
      const auto token = service::revoke_token(desk(caller), parameters.find("token")->second);
      return answer_with(token,
                         token.ok() ? service::document_of(*token, parts_.clock) : Document());
    }
    case Own::kNewPerson:
      return new_person(given, caller);
    case Own::kRemovePerson: {
      const auto person = service::remove_person(desk(caller), parameters.find("person")->second);
      return answer_with(person, person.ok() ? service::document_of(*person) : Document());
    }
    case Own::kAudit:
      return audit(given);
    default:
      return people();
  }
}

base::Result<http::Response> AccessApi::login(const http::Request& request,
                                              const Document& given) const {
  const std::string code = text_in(given, "code");
  const std::string secret = text_in(given, "device");
  if (code.empty() == secret.empty()) {
    return base::invalid_argument("expected one of `code` and `device`");
  }
  const service::Caller nobody;
  base::SystemRandom random;
  const auto made = code.empty() ? service::exchange_device_secret(desk(nobody), secret, random)
                                 : service::exchange_login_code(desk(nobody), code, random);
  const bool waits = !secret.empty() && base::Sha256Digest::from_hex(secret).ok();
  if (!made.ok() && made.error().code() == base::ErrorCode::kPermissionDenied && waits) {
    return json_response(
        202, Document::map().set("status", "pending").set("code", service::device_code(secret)));
  }
  if (!made.ok()) return made.error();
  Document answer = login_document(made->token);
  const Document* flag = given.find("cookie");
  if (flag == nullptr || *flag != Document(true)) {
    return json_response(200, answer.set("token", made->text));
  }
  http::Response response = json_response(200, answer);
  response.headers.push_back(keep_token(request, made->text, lasting(made->token)));
  return response;
}

base::Result<http::Response> AccessApi::begin_oidc(const http::Request& request) const {
  if (parts_.oidc == nullptr) return no_provider();
  base::SystemRandom random;
  CLEVER_ASSIGN(const OidcLogin::Begun begun, parts_.oidc->begin(random));
  return http::Response{.status = 302,
                        .headers = {{"Location", begun.location},
                                    {"Cache-Control", "no-store"},
                                    {"Referrer-Policy", "no-referrer"},
                                    keep_login(request, begun.cookie)}};
}

base::Result<http::Response> AccessApi::end_oidc(const http::Request& request,
                                                 const Document& given) const {
  if (parts_.oidc == nullptr) return no_provider();
  if (const std::string error = text_in(given, "error"); !error.empty()) {
    return base::permission_denied("the login provider refused: " + error);
  }
  CLEVER_ASSIGN(service::TokenRequest wanted,
                parts_.oidc->finish({.code = text_in(given, "code"),
                                     .state = text_in(given, "state"),
                                     .issuer = text_in(given, "iss"),
                                     .cookie = std::string(cookie_login(request))}));
  const service::Caller caller{.name = wanted.person};
  base::SystemRandom random;
  auto made = service::create_token(desk(caller), wanted, random);
  // The provider's word about this person is not one that counts here.
  if (!made.ok() && made.error().code() == base::ErrorCode::kConflict) {
    return base::permission_denied(made.error().message());
  }
  if (!made.ok()) return made.error();
  http::Response response = json_response(200, login_document(made->token));
  response.headers.push_back(keep_login(request, ""));
  response.headers.push_back(keep_token(request, made->text, lasting(made->token)));
  return response;
}

Answer AccessApi::logout(const http::Request& request, const service::Caller& caller) const {
  if (caller.token.empty()) {
    return Problem{.status = 409,
                   .code = "conflict",
                   .detail = "the server's own token cannot be revoked",
                   .hint = "remove the file server.token of its home and restart the server"};
  }
  const auto token = service::revoke_token(desk(caller), caller.token);
  if (!token.ok()) return problem_of(token.error());
  http::Response response = json_response(200, service::document_of(*token, parts_.clock));
  response.headers.push_back(drop_token(request));
  return response;
}

base::Result<void> AccessApi::note_project(const service::RegisteredProject& project,
                                           const service::Caller& caller) const {
  return service::note_project(desk(caller), "project.register", project);
}

// The newest first: a page goes on with those older than `after`.
Answer AccessApi::tokens(const Document& given) const {
  const auto limit = limit_in(given);
  if (!limit.ok()) return bad_request(limit.error());
  const std::string after = text_in(given, "after");
  auto all = storage::Access(parts_.store).tokens(text_in(given, "person"), parts_.stop);
  if (!all.ok()) return problem_of(all.error());
  std::erase_if(*all, [&](const storage::AccessToken& token) {
    return !after.empty() && token.id.to_string() >= after;
  });
  const bool has_more = all->size() > *limit;
  if (has_more) all->resize(*limit);
  Document list = Document::list();
  for (const storage::AccessToken& token : *all) {
    list.push(service::document_of(token, parts_.clock));
  }
  return json_response(
      200, Document::map()
               .set("tokens", std::move(list))
               .set("next", has_more ? Document(all->back().id.to_string()) : Document()));
}

Answer AccessApi::people() const {
  const auto all = storage::Access(parts_.store).people(parts_.stop);
  if (!all.ok()) return problem_of(all.error());
  Document list = Document::list();
  for (const storage::Person& person : *all) list.push(service::document_of(person));
  return json_response(200, Document::map().set("people", std::move(list)));
}

Answer AccessApi::audit(const Document& given) const {
  const auto limit = limit_in(given);
  if (!limit.ok()) return bad_request(limit.error());
  const std::int64_t after = number_in(given, "after", 0);
  const auto all = storage::AuditLog(parts_.store, parts_.clock).list(after, *limit, parts_.stop);
  if (!all.ok()) return problem_of(all.error());
  Document list = Document::list();
  for (const storage::AuditEntry& entry : *all) list.push(service::document_of(entry));
  const std::int64_t last = all->empty() ? after : all->back().sequence;
  return json_response(200, Document::map().set("entries", std::move(list)).set("last", last));
}

Answer AccessApi::new_token(const Document& given, const service::Caller& caller) const {
  base::SystemRandom random;
  const auto made =
      service::create_token(desk(caller),
                            {.person = text_in(given, "person"),
                             .label = text_in(given, "label"),
                             .scopes = texts_in(given, "scopes"),
                             .namespaces = texts_in(given, "namespaces"),
                             .days = number_in(given, "days", service::kUsualTokenDays)},
                            random);
  if (!made.ok()) return problem_of(made.error());
  return created(service::document_of(made->token, parts_.clock).set("token", made->text),
                 "/v1/tokens/" + made->token.id.to_string());
}

Answer AccessApi::new_person(const Document& given, const service::Caller& caller) const {
  const auto person = service::add_person(desk(caller), text_in(given, "name"));
  if (!person.ok()) return problem_of(person.error());
  return created(service::document_of(*person), "/v1/people/" + person->name);
}

}  // namespace clever::server
