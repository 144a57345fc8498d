#include "support/internal/served_wire.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "provider/scripted/script_error.h"

namespace clever::test::internal {

int ServedWire::status(provider::FailureKind kind) const { return provider::usual_status(kind); }

std::vector<io::HttpHeader> ServedWire::limit_headers(const LimitStates& /*limits*/) const {
  return {};
}

std::vector<io::HttpHeader> ServedWire::retry_headers(std::chrono::milliseconds retry_after) const {
  return {{"retry-after",
           std::to_string(std::chrono::ceil<std::chrono::seconds>(retry_after).count())}};
}

std::string sse(const json& data, std::string_view event) {
  std::string text;
  if (!event.empty()) text = "event: " + std::string(event) + "\n";
  return text + "data: " + data.dump(-1, ' ', false, json::error_handler_t::replace) + "\n\n";
}

base::Result<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return base::invalid_argument("illegal base64 data");
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  unsigned bits = 0;
  unsigned held = 0;
  for (const char digit : text) {
    const std::size_t value = kDigits.find(digit);
    if (value == std::string_view::npos) return base::invalid_argument("illegal base64 data");
    held = (held << 6U) | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>((held >> bits) & 0xFFU));
  }
  return bytes;
}

base::Result<model::Image> decode_data_url(std::string_view url) {
  const std::size_t comma = url.find(";base64,");
  if (!url.starts_with("data:") || comma == std::string_view::npos) {
    return base::invalid_argument("Invalid image URL: expected a base64-encoded data URL");
  }
  CLEVER_ASSIGN(std::string bytes, decode_base64(url.substr(comma + 8)));
  return model::Image{std::string(url.substr(5, comma - 5)), std::move(bytes)};
}

bool is_tool_name(std::string_view name, std::size_t most) {
  const bool good = std::ranges::all_of(name, [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '-';
  });
  return good && !name.empty() && name.size() <= most;
}

std::vector<std::string> pieces(std::string_view text, std::size_t size) {
  std::vector<std::string> list;
  for (const provider::Delta& delta :
       provider::deltas_of({.text = std::string(text), .chunk = size})) {
    list.push_back(std::get<provider::TextDelta>(delta).text);
  }
  return list;
}

base::Result<void> only_keys(const json& value, const std::vector<std::string_view>& known,
                             std::string_view before, std::string_view after) {
  for (const auto& [key, member] : value.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    return base::invalid_argument(std::string(before) + key + std::string(after));
  }
  return {};
}

std::string text_or(const json& value, const char* key, std::string fallback) {
  const auto found = value.is_object() ? value.find(key) : value.end();
  if (!value.is_object() || found == value.end() || !found->is_string()) return fallback;
  return found->get<std::string>();
}

}  // namespace clever::test::internal
