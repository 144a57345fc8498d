#include "base/redact.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/internal/characters.h"
#include "base/internal/secret_shapes.h"

namespace clever::base {
namespace {

using internal::is_alphanumeric;
using internal::is_hex;
using internal::looks_random;
using internal::run_end;

constexpr std::size_t kLongestKey = 64;

// How reliably a field's name marks its value as secret.
enum class KeyKind : std::uint8_t {
  kNone,
  kWeak,    // "token" also occurs in compilers and prose, so the value must look like a secret
  kStrong,  // "password"
  kHeader,  // "authorization": the whole line is the value
};

constexpr std::array<std::string_view, 12> kStrongEndings = {
    "apikey",    "password",   "passwd",        "passphrase",      "secret",    "secretkey",
    "accesskey", "privatekey", "encryptionkey", "subscriptionkey", "masterkey", "signingkey"};

bool is_key_character(char c) { return internal::is_word_or_dash(c) || c == '.'; }
bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string letters_of(std::string_view key) {
  std::string letters;
  for (const char c : key) {
    if (is_alphanumeric(c)) letters.push_back(internal::to_lower(c));
  }
  return letters;
}

std::string_view last_part(std::string_view key) {
  const std::size_t dot = key.find_last_of("_-.");
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

// Words too common to search for inside longer names.
bool is_short_secret_name(std::string_view key) {
  const std::string_view part = last_part(key);
  if (internal::equal_ignoring_case(part, "pass")) return part.size() < key.size();
  // PWD and OLDPWD are the shell's working directory.
  if (internal::equal_ignoring_case(part, "pwd")) return key != "PWD";
  return internal::equal_ignoring_case(key, "sig");
}

KeyKind kind_of(std::string_view key) {
  if (key.size() < 3) return KeyKind::kNone;
  const std::string letters = letters_of(key);
  if (letters.ends_with("authorization") || letters == "cookie" || letters == "setcookie") {
    return KeyKind::kHeader;
  }
  if (std::ranges::any_of(kStrongEndings, [&](auto ending) { return letters.ends_with(ending); })) {
    return KeyKind::kStrong;
  }
  return letters.ends_with("token") || is_short_secret_name(key) ? KeyKind::kWeak : KeyKind::kNone;
}

bool is_scheme(std::string_view word) {
  constexpr std::array<std::string_view, 8> kSchemes = {
      "bearer", "basic", "token", "digest", "apikey", "negotiate", "key", "aws4-hmac-sha256"};
  return std::ranges::any_of(
      kSchemes, [&](auto scheme) { return internal::equal_ignoring_case(word, scheme); });
}

bool is_placeholder(std::string_view value) {
  constexpr std::array<std::string_view, 6> kPlaceholders = {"null", "true", "false",
                                                             "none", "nil",  "undefined"};
  return std::ranges::any_of(kPlaceholders,
                             [&](auto word) { return internal::equal_ignoring_case(value, word); });
}

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
};

// One pass over the text. Everything before `fresh_` is redacted and no longer examined, so that a
// second pass over the result finds the same.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string run() && {
    while (at_ < text_.size()) {
      const Span found = secret_here();
      if (found.empty()) {
        ++at_;
      } else {
        replace(found);
      }
    }
    return std::move(out_.append(text_.substr(fresh_)));
  }

 private:
  void replace(Span secret) {
    out_.append(text_, fresh_, secret.begin - fresh_).append(kRedacted);
    at_ = fresh_ = secret.end;
  }

  // Returns the secret that begins here, or right after the separator here.
  Span secret_here() {
    if (at_ == login_.begin && !login_.empty()) return login_;
    switch (text_[at_]) {
      case '=':
        return field(at_ + 1);
      case ':':
        return colon();
      case '%':
        return escaped_equals();
      case ' ':
        return flag();
      case '-':
        return {at_, internal::private_key_end(text_, at_)};
      default:
        return begins_word() ? word() : Span{};
    }
  }

  [[nodiscard]] bool begins_word() const {
    if (at_ == fresh_ || !is_alphanumeric(text_[at_ - 1])) return is_alphanumeric(text_[at_]);
    // After "\n" and "%3D", as JSON and URLs write them.
    if (at_ - fresh_ >= 2 && text_[at_ - 2] == '\\') return true;
    return at_ - fresh_ >= 3 && text_[at_ - 3] == '%' && is_hex(text_[at_ - 2]) &&
           is_hex(text_[at_ - 1]);
  }

  Span word() {
    if (const auto end = internal::key_shape_end(text_, at_); end != at_) return {at_, end};
    // Words of one stretch share its end, which is searched once.
    if (word_end_ <= at_) word_end_ = run_end(text_, at_, internal::is_word_or_dash);
    if (const auto end = internal::web_token_end(text_, at_, word_end_); end != at_)
      return {at_, end};
    return bare_credentials();
  }

  // "Bearer …" and "Basic …" outside a header.
  [[nodiscard]] Span bare_credentials() const {
    for (const std::string_view scheme : {"bearer", "basic"}) {
      if (!internal::equal_ignoring_case(text_.substr(at_, scheme.size()), scheme)) continue;
      const std::size_t space = at_ + scheme.size();
      const std::size_t begin = run_end(text_, space, is_space);
      if (begin == space) continue;
      const std::size_t end = run_end(text_, begin, [](char c) {
        return internal::is_word_or_dash(c) || std::string_view(".~+/=:").contains(c);
      });
      if (looks_random(text_.substr(begin, end - begin))) return {begin, end};
    }
    return {};
  }

  Span colon() {
    const std::string_view next = text_.substr(at_ + 1);
    if (next.starts_with("//")) {
      find_login(at_ + 3);
      return {};
    }
    if (!login_.empty() && at_ + 1 == login_.begin) return login_;
    return next.starts_with(":") ? Span{} : field(at_ + 1);
  }

  // Notes the login of scheme://user:password@host for when the pass gets there: the user may also
  // be a key.
  void find_login(std::size_t begin) {
    const std::size_t end =
        std::min(text_.find_first_of("/?#\"'`<>\\ \t\r\n", begin), text_.size());
    const std::string_view authority = text_.substr(begin, end - begin);
    const std::size_t host = authority.rfind('@');
    if (host == std::string_view::npos) return;
    const std::string_view login = authority.substr(0, host);
    const std::size_t colon = login.find(':');
    if (colon == std::string_view::npos) {
      if (is_secret_user(login)) login_ = {begin, begin + host};
    } else if (is_password(login.substr(0, colon), login.substr(colon + 1))) {
      login_ = {begin + colon + 1, begin + host};
    }
  }

  // A redacted part may have hidden the login's end; then it does not count as one.
  static bool is_password(std::string_view user, std::string_view password) {
    if (password == kRedacted) return true;
    return !password.contains(kRedacted) && (user == kRedacted || !user.contains(kRedacted));
  }
  static bool is_secret_user(std::string_view user) {
    return user.size() >= 20 && looks_random(user) && !user.contains(kRedacted);
  }

  Span escaped_equals() {
    const bool equals = internal::equal_ignoring_case(text_.substr(at_, 3), "%3d");
    return equals ? field(at_ + 3) : Span{};
  }

  struct Key {
    bool quoted = false;
    bool spaced = false;
    std::string_view name;
  };

  // Returns the name of the field whose separator stands here; looks back a bounded distance.
  [[nodiscard]] Key key_before() const {
    Key key;
    std::size_t end = at_;
    while (end > fresh_ && is_space(text_[end - 1]) && at_ - end < 4) --end;
    key.spaced = end < at_;
    if (end > fresh_ && text_[end - 1] == ']') --end;  // headers["x-api-key"] = …
    if (end > fresh_ && is_quote(text_[end - 1])) {
      key.quoted = true;
      --end;
      if (end > fresh_ && text_[end - 1] == '\\') --end;
    }
    std::size_t begin = end;
    while (begin > fresh_ && end - begin < kLongestKey && is_key_character(text_[begin - 1]))
      --begin;
    // The n of "\n" is not part of the name.
    if (begin > fresh_ && begin < end && text_[begin - 1] == '\\') ++begin;
    key.name = text_.substr(begin, end - begin);
    return key;
  }

  // Returns the value of the field whose separator stands here and ends before `after`.
  [[nodiscard]] Span field(std::size_t after) const {
    const Key key = key_before();
    const KeyKind kind = kind_of(key.name);
    if (kind == KeyKind::kNone) return {};
    const std::size_t operator_end =
        run_end(text_, after, [](char c) { return c == '=' || c == '>'; });
    const std::size_t begin = run_end(text_, operator_end, is_space);
    if (kind == KeyKind::kHeader && (!key.quoted || quote_at(begin) > 0))
      return header_value(begin);
    const bool loose = !key.quoted && (text_[at_] == ':' || key.spaced || begin > operator_end);
    const Span value = value_at(begin, loose);
    return kind == KeyKind::kWeak && loose && !convinces(value) ? Span{} : value;
  }

  // --api-key VALUE
  [[nodiscard]] Span flag() const {
    if (at_ == fresh_ || !is_key_character(text_[at_ - 1])) return {};
    const Key key = key_before();
    if (!key.name.starts_with("--") || kind_of(key.name) == KeyKind::kNone) return {};
    const Span value = value_at(run_end(text_, at_, is_space), true);
    return convinces(value) ? value : Span{};
  }

  // If the name alone does not decide: whether the value looks like a secret and is not redacted
  // yet.
  [[nodiscard]] bool convinces(Span value) const {
    const std::string_view text = text_.substr(value.begin, value.end - value.begin);
    return looks_random(text) && !text.contains(kRedacted);
  }

  // Returns the length of the opening quote here: 0, 1, or 2 for \" in nested JSON.
  [[nodiscard]] std::size_t quote_at(std::size_t at) const {
    if (at < text_.size() && is_quote(text_[at])) return 1;
    return at + 1 < text_.size() && text_[at] == '\\' && is_quote(text_[at + 1]) ? 2 : 0;
  }

  // Ends at the closing quote, or without one at the end of the line.
  [[nodiscard]] std::size_t quoted_end(std::size_t begin, char quote, bool nested) const {
    std::size_t at = begin;
    for (; at < text_.size() && text_[at] != quote && text_[at] != '\n'; ++at) {
      if (text_[at] != '\\') continue;
      if (nested && at + 1 < text_.size() && text_[at + 1] == quote) break;
      if (at + 1 < text_.size() && text_[at + 1] != '\n') ++at;
    }
    return std::min(at, text_.size());
  }

  // Ends at a character that an unquoted value cannot contain; balanced brackets are part of it.
  [[nodiscard]] std::size_t bare_end(std::size_t at) const {
    std::size_t open = 0;
    for (; at < text_.size(); ++at) {
      const char c = text_[at];
      if (std::string_view(" \t\r\n&;,\"'`<>(){}|\\").contains(c)) break;
      if (c == '[') ++open;
      if (c == ']' && open-- == 0) break;
    }
    return at;
  }

  [[nodiscard]] Span value_at(std::size_t begin, bool loose) const {
    if (const std::size_t quote = quote_at(begin); quote > 0) {
      begin += quote;
      return {begin, quoted_end(begin, text_[begin - 1], quote == 2)};
    }
    // A list, not a value.
    if (loose && text_.substr(begin).starts_with('[') &&
        !text_.substr(begin).starts_with(kRedacted)) {
      return {};
    }
    const std::size_t end = bare_end(begin);
    return is_placeholder(text_.substr(begin, end - begin)) ? Span{} : Span{begin, end};
  }

  // For "Bearer abc" the scheme may stay.
  [[nodiscard]] Span header_value(std::size_t begin) const {
    begin += quote_at(begin);
    const std::size_t end = std::min(text_.find_first_of("\r\n\"'`\\", begin), text_.size());
    const std::size_t scheme = run_end(text_, begin, internal::is_word_or_dash);
    if (is_scheme(text_.substr(begin, scheme - begin)) && scheme < end) {
      begin = std::min(run_end(text_, scheme, is_space), end);
    }
    return {begin, end};
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
  std::size_t fresh_ = 0;
  std::size_t word_end_ = 0;
  Span login_;
};

}  // namespace

std::string redact(std::string_view text) { return Scanner(text).run(); }

bool names_secret(std::string_view key) { return kind_of(key) != KeyKind::kNone; }

std::string Redactor::redact(std::string_view text) const {
  return base::redact(secrets_.withhold(text, kRedacted));
}

}  // namespace clever::base
