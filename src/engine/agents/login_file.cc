#include "engine/agents/login_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/base64.h"
#include "engine/agents/internal/json_fields.h"
#include "model/document_json.h"

namespace clever::engine {
namespace {

using internal::member_of;
using internal::member_text;
using internal::Members;
using model::Document;

// Longer than any token, shorter than a smuggled message.
constexpr std::size_t kLongestToken = std::size_t{16} << 10U;
constexpr std::size_t kLongestPrefix = 16;

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char one) { return one > ' ' && one < '\x7F'; });
}

// Returns the kind of token: "sk-ant-oat01-" of "sk-ant-oat01-Ab3…".
std::string_view family(std::string_view token) {
  const std::string_view begin = token.substr(0, kLongestPrefix);
  const std::size_t dash = begin.find_last_of("-_");
  return dash == std::string_view::npos ? std::string_view() : begin.substr(0, dash + 1);
}

// Returns the claims of a JSON web token; nothing for other tokens.
std::optional<Document> claims(const std::string& token) {
  const std::size_t first = token.find('.');
  const std::size_t second = token.find('.', first == std::string::npos ? first : first + 1);
  if (!token.starts_with("eyJ") || second == std::string::npos) return std::nullopt;
  std::string middle = token.substr(first + 1, second - first - 1);
  std::ranges::replace(middle, '-', '+');
  std::ranges::replace(middle, '_', '/');
  const auto bytes = base::from_base64(middle);
  if (!bytes.ok()) return std::nullopt;
  auto document = model::parse_document(*bytes);
  if (!document.ok()) return std::nullopt;
  return std::move(document).value();
}

bool same_person(const Document& one, const Document& other) {
  constexpr std::array<std::string_view, 4> kWho{"sub", "iss", "aud", "email"};
  return std::ranges::all_of(
      kWho, [&](std::string_view key) { return member_of(one, key) == member_of(other, key); });
}

base::Error refuse(const std::string& name, std::string_view why) {
  return base::invalid_argument(name + " " + std::string(why));
}

base::Result<void> check_token(const std::string& name, const Document& before,
                               const Document& after) {
  const auto* old_token = std::get_if<std::string>(&before.value());
  const auto* token = std::get_if<std::string>(&after.value());
  if (old_token == nullptr || token == nullptr) return refuse(name, "is no text");
  if (token->empty() || token->size() > kLongestToken || !is_printable(*token)) {
    return refuse(name, "is no token");
  }
  const auto old_claims = claims(*old_token);
  const auto new_claims = claims(*token);
  if (old_claims.has_value() != new_claims.has_value()) return refuse(name, "has another form");
  if (old_claims) {
    if (same_person(*old_claims, *new_claims)) return {};
    return refuse(name, "belongs to another account");
  }
  const bool alike = family(*old_token) == family(*token) &&
                     token->size() * 3 >= old_token->size() &&
                     token->size() <= old_token->size() * 3 + 64;
  return alike ? base::Result<void>() : refuse(name, "has another form");
}

base::Result<void> check_account(const Document& theirs, const Document& copy,
                                 const AgentLogin& login) {
  const Members before = internal::members_of(theirs, login.account);
  const Members after = internal::members_of(copy, login.account);
  if (before == after) return {};
  return base::invalid_argument("it names another account");
}

base::Result<void> check_time(const std::string& name, const Document& before,
                              const Document& after) {
  const bool alike = before.value().index() == after.value().index();
  const bool plain = !after.is_map() && !std::holds_alternative<Document::List>(after.value());
  const auto* text = std::get_if<std::string>(&after.value());
  const bool fits = text == nullptr || (text->size() <= 64 && is_printable(*text));
  return alike && plain && fits ? base::Result<void>() : refuse(name, "is no time");
}

}  // namespace

Document login_part(const Document& file, const AgentLogin& login) {
  return internal::with_members(Document::map(), internal::members_of(file, login.fields));
}

std::vector<std::string> login_secrets(const Document& file, const AgentLogin& login) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : internal::members_of(file, login.tokens)) {
    const auto* text = std::get_if<std::string>(&value.value());
    if (text != nullptr && !text->empty()) secrets.push_back(*text);
  }
  return secrets;
}

base::Result<Document> with_renewed(const Document& theirs, const Document& copy,
                                    const AgentLogin& login) {
  const Members before = internal::members_of(theirs, login.tokens);
  const Members after = internal::members_of(copy, login.tokens);
  if (before == after) return theirs;
  CLEVER_TRY(check_account(theirs, copy, login));
  Members renewed;
  for (const auto& [name, value] : before) {
    const auto found = std::ranges::find(after, name, &Members::value_type::first);
    if (found == after.end()) return refuse(name, "is missing");
    if (found->second == value) continue;
    CLEVER_TRY(check_token(name, value, found->second));
    renewed.push_back(*found);
  }
  if (after.size() != before.size()) return base::invalid_argument("it has a token of its own");
  for (const auto& [name, value] : internal::members_of(theirs, login.renewed)) {
    const Document& now = member_of(copy, name);
    if (now == value) continue;
    CLEVER_TRY(check_time(name, value, now));
    renewed.emplace_back(name, now);
  }
  return internal::with_members(theirs, renewed);
}

}  // namespace clever::engine
