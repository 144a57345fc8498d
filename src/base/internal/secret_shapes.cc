#include "base/internal/secret_shapes.h"

#include <algorithm>
#include <array>

#include "base/internal/characters.h"

namespace clever::base::internal {
namespace {

constexpr std::size_t kLongerThanWords = 24;

bool is_capital_or_digit(char c) { return is_upper(c) || is_digit(c); }

struct Shape {
  std::string_view prefix;
  bool (*body)(char);
  std::size_t shortest;
  std::size_t longest;  // 0: no limit. A longer stretch is not a key.
};

constexpr std::array kShapes = {
    Shape{"sk-", is_word_or_dash, 16, 0},       // OpenAI, Anthropic, OpenRouter, DeepSeek
    Shape{"sk_live_", is_word_or_dash, 10, 0},  // Stripe
    Shape{"sk_test_", is_word_or_dash, 10, 0},  //
    Shape{"rk_live_", is_word_or_dash, 10, 0},  //
    Shape{"AIza", is_word_or_dash, 30, 0},      // Google
    Shape{"ya29.", is_word_or_dash, 20, 0},     // Google OAuth
    Shape{"gsk_", is_alphanumeric, 20, 0},      // Groq
    Shape{"xai-", is_alphanumeric, 20, 0},      // xAI
    Shape{"pplx-", is_alphanumeric, 20, 0},     // Perplexity
    Shape{"tgp_v1_", is_word_or_dash, 20, 0},   // Together
    Shape{"hf_", is_alphanumeric, 20, 0},       // Hugging Face
    Shape{"r8_", is_alphanumeric, 20, 0},       // Replicate
    Shape{"ghp_", is_alphanumeric, 20, 0},      // GitHub
    Shape{"gho_", is_alphanumeric, 20, 0},      //
    Shape{"ghu_", is_alphanumeric, 20, 0},      //
    Shape{"ghs_", is_alphanumeric, 20, 0},      //
    Shape{"ghr_", is_alphanumeric, 20, 0},      //
    Shape{"github_pat_", is_word_or_dash, 20, 0},
    Shape{"glpat-", is_word_or_dash, 16, 0},     // GitLab
    Shape{"npm_", is_alphanumeric, 30, 0},       //
    Shape{"pypi-", is_word_or_dash, 40, 0},      //
    Shape{"xoxa-", is_word_or_dash, 10, 0},      // Slack
    Shape{"xoxb-", is_word_or_dash, 10, 0},      //
    Shape{"xoxe-", is_word_or_dash, 10, 0},      //
    Shape{"xoxp-", is_word_or_dash, 10, 0},      //
    Shape{"xoxr-", is_word_or_dash, 10, 0},      //
    Shape{"xoxs-", is_word_or_dash, 10, 0},      //
    Shape{"xapp-", is_word_or_dash, 10, 0},      //
    Shape{"AKIA", is_capital_or_digit, 16, 16},  // Amazon
    Shape{"ASIA", is_capital_or_digit, 16, 16},  //
    Shape{"AGE-SECRET-KEY-1", is_capital_or_digit, 20, 0},
};

// Bounds the time for a text full of prefixes: a stretch this long counts as a key without a
// further look, and is consumed.
constexpr std::size_t kSurelyAKey = 40;

bool is_body(std::string_view body, const Shape& shape) {
  return body.size() >= shape.shortest &&
         (body.size() >= kSurelyAKey || std::ranges::any_of(body, is_digit) || looks_random(body));
}

std::size_t body_end(std::string_view text, std::size_t body, const Shape& shape) {
  const std::size_t limit = shape.longest == 0 ? kSurelyAKey : shape.longest + 1;
  const std::string_view window = text.substr(body, limit);
  const std::size_t size = run_end(window, 0, shape.body);
  if (shape.longest != 0 && size > shape.longest) return body;
  if (!is_body(window.substr(0, size), shape)) return body;
  return run_end(text, body + size, shape.body);
}

}  // namespace

bool is_word_or_dash(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }

bool looks_random(std::string_view word) {
  if (word.size() < 8) return false;
  if (word.size() >= kLongerThanWords) return true;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (is_digit(word[i])) return true;
    if (i > 0 && is_lower(word[i - 1]) && is_upper(word[i])) return true;
  }
  return false;
}

std::size_t key_shape_end(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  for (const Shape& shape : kShapes) {
    if (!rest.starts_with(shape.prefix)) continue;
    const std::size_t body = at + shape.prefix.size();
    if (const std::size_t end = body_end(text, body, shape); end != body) return end;
  }
  return at;
}

std::size_t web_token_end(std::string_view text, std::size_t at, std::size_t word_end) {
  constexpr std::size_t kShortestPart = 8;
  if (!text.substr(at).starts_with("eyJ") || word_end - at < kShortestPart) return at;
  if (word_end >= text.size() || text[word_end] != '.') return at;
  const std::string_view payload = text.substr(word_end + 1, kShortestPart);
  if (payload.size() < kShortestPart || !std::ranges::all_of(payload, is_word_or_dash)) return at;
  std::size_t end = run_end(text, word_end, [](char c) { return is_word_or_dash(c) || c == '.'; });
  while (text[end - 1] == '.') --end;  // drops the full stop of a sentence
  return end;
}

std::size_t private_key_end(std::string_view text, std::size_t at) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kEnd = "-----END ";
  constexpr std::string_view kDashes = "-----";
  constexpr std::size_t kLongestLabel = 64;
  if (!text.substr(at).starts_with(kBegin)) return at;
  const std::string_view after = text.substr(at + kBegin.size(), kLongestLabel);
  const std::size_t label_size =
      run_end(after, 0, [](char c) { return is_capital_or_digit(c) || c == ' '; });
  if (!after.substr(label_size).starts_with(kDashes)) return at;
  if (!after.substr(0, label_size).contains("PRIVATE KEY")) return at;
  const std::size_t end = text.find(kEnd, at + kBegin.size());
  if (end == std::string_view::npos) return text.size();
  const std::size_t dashes = text.substr(end + kEnd.size(), kLongestLabel).find(kDashes);
  if (dashes == std::string_view::npos) return text.size();
  return end + kEnd.size() + dashes + kDashes.size();
}

}  // namespace clever::base::internal
