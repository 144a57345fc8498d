#include "base/internal/known_secrets.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/internal/characters.h"
#include "base/secret_marks.h"

namespace clever::base::internal {
namespace {

constexpr std::string_view kUpperHex = "0123456789ABCDEF";
constexpr std::string_view kLowerHex = "0123456789abcdef";
constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::uint64_t prefix_at(std::string_view text, std::size_t at) {
  std::uint64_t prefix = 0;
  std::memcpy(&prefix, text.data() + at, sizeof prefix);
  return prefix;
}

std::size_t filter_slot(std::uint64_t prefix) { return (prefix * 0x9e3779b97f4a7c15U) >> 52U; }

std::string percent_encoded(std::string_view text, std::string_view hex, bool plus_for_space) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_alphanumeric(c) || std::string_view("-._~").contains(c)) {
      encoded.push_back(c);
    } else if (c == ' ' && plus_for_space) {
      encoded.push_back('+');
    } else {
      encoded.append({'%', hex[byte >> 4U], hex[byte & 15U]});
    }
  }
  return encoded;
}

std::string json_escaped(std::string_view text, bool escape_slash) {
  constexpr std::string_view kShort = "\b\f\n\r\t";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || (c == '/' && escape_slash)) {
      escaped.append({'\\', c});
    } else if (const auto at = kShort.find(c); at != std::string_view::npos) {
      escaped.append({'\\', std::string_view("bfnrt")[at]});
    } else if (byte < 0x20) {
      escaped.append("\\u00").append({kLowerHex[byte >> 4U], kLowerHex[byte & 15U]});
    } else {
      escaped.push_back(c);
    }
  }
  return escaped;
}

// Returns the base64 characters that depend on the secret alone if `before` bytes precede it.
std::string base64_core(std::string_view secret, std::size_t before) {
  std::string bits;
  const std::size_t first = (before * 8 + 5) / 6;
  const std::size_t last = (before + secret.size()) * 8 / 6;
  for (std::size_t i = first; i < last; ++i) {
    unsigned sextet = 0;
    for (std::size_t bit = i * 6; bit < i * 6 + 6; ++bit) {
      const auto byte = static_cast<unsigned char>(secret[bit / 8 - before]);
      sextet = sextet << 1U | (byte >> (7U - bit % 8) & 1U);
    }
    bits.push_back(kBase64[sextet]);
  }
  return bits;
}

bool is_base64(char c) {
  return is_alphanumeric(c) || c == '+' || c == '/' || c == '-' || c == '_' || c == '=';
}

// Collects the stretches that secrets cover, left to right.
class Cover {
 public:
  explicit Cover(std::string_view text) : text_(text) {}

  [[nodiscard]] bool covers(std::size_t at) const { return at < end(); }
  void add(std::size_t begin, std::size_t end) {
    if (covers(begin)) {
      stretches_.back().end = std::max(stretches_.back().end, end);
    } else {
      stretches_.push_back({begin, end});
    }
  }
  // Base64 hides where a secret ends, so the whole stretch goes.
  void add_base64(std::size_t begin, std::size_t end) {
    if (covers(begin) && end <= this->end()) return;
    while (begin > this->end() && is_base64(text_[begin - 1])) --begin;
    add(begin, run_end(text_, end, is_base64));
  }
  [[nodiscard]] std::vector<KnownSecrets::Stretch> finish() && { return std::move(stretches_); }

 private:
  [[nodiscard]] std::size_t end() const { return stretches_.empty() ? 0 : stretches_.back().end; }

  std::string_view text_;
  std::vector<KnownSecrets::Stretch> stretches_;
};

std::size_t mark_at(std::string_view text, std::size_t at) {
  if (text[at] != '[') return 0;
  for (const std::string_view mark : kSecretMarks) {
    if (text.substr(at).starts_with(mark)) return mark.size();
  }
  return 0;
}

}  // namespace

KnownSecrets::KnownSecrets(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {
  for (const std::string& secret : secrets_) {
    add_pattern(secret);
    add_pattern(percent_encoded(secret, kUpperHex, false));
    add_pattern(percent_encoded(secret, kLowerHex, false));
    add_pattern(percent_encoded(secret, kUpperHex, true));
    add_pattern(json_escaped(secret, false));
    add_pattern(json_escaped(secret, true));
    add_base64(secret);
  }
  std::ranges::sort(patterns_, [](const Pattern& a, const Pattern& b) {
    return std::tuple(a.prefix, b.text.size(), a.text) <
           std::tuple(b.prefix, a.text.size(), b.text);
  });
  const auto repeated = std::ranges::unique(patterns_, {}, &Pattern::text);
  patterns_.erase(repeated.begin(), repeated.end());
}

void KnownSecrets::add_pattern(std::string text, bool base64) {
  const std::uint64_t prefix = prefix_at(text, 0);
  filter_.set(filter_slot(prefix));
  longest_ = std::max(longest_, text.size());
  patterns_.push_back({prefix, std::move(text), base64});
}

void KnownSecrets::add_base64(std::string_view secret) {
  for (std::size_t before = 0; before < 3; ++before) {
    std::string core = base64_core(secret, before);
    add_pattern(core, true);
    std::ranges::replace(core, '+', '-');
    std::ranges::replace(core, '/', '_');
    add_pattern(std::move(core), true);
  }
}

const KnownSecrets::Pattern* KnownSecrets::match(std::string_view text, std::size_t at) const {
  if (text.size() - at < sizeof(std::uint64_t)) return nullptr;
  const std::uint64_t prefix = prefix_at(text, at);
  if (!filter_.test(filter_slot(prefix))) return nullptr;
  for (const Pattern& pattern : std::ranges::equal_range(patterns_, prefix, {}, &Pattern::prefix)) {
    if (text.substr(at).starts_with(pattern.text)) return &pattern;
  }
  return nullptr;
}

std::vector<KnownSecrets::Stretch> KnownSecrets::find(std::string_view text) const {
  if (patterns_.empty()) return {};
  Cover cover(text);
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t mark = cover.covers(at) ? 0 : mark_at(text, at); mark > 0) {
      at += mark;
      continue;
    }
    if (const Pattern* pattern = match(text, at)) {
      const std::size_t end = at + pattern->text.size();
      if (pattern->base64) {
        cover.add_base64(at, end);
      } else {
        cover.add(at, end);
      }
    }
    ++at;
  }
  return std::move(cover).finish();
}

std::size_t KnownSecrets::open_end(std::string_view text) const {
  const std::size_t first = text.size() - std::min(text.size(), longest_);
  for (std::size_t at = first; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const bool may_begin = std::ranges::any_of(patterns_, [rest](const Pattern& pattern) {
      return pattern.text.size() > rest.size() && pattern.text.starts_with(rest);
    });
    if (may_begin) return at;
  }
  return text.size();
}

}  // namespace clever::base::internal
