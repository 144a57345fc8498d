#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "provider/internal/json_view.h"
#include "provider/internal/json_writer.h"

// Compares with another library's idea of JSON, except where we differ on purpose: halves of
// surrogate pairs, depth, numbers of any size, a byte order mark, and NUL, which ends the text for
// the other library.
namespace {

using clever::provider::internal::JsonDocument;
using clever::provider::internal::JsonView;

void go_through(JsonView value) {
  CLEVER_CHECK(clever::base::is_utf8(value.text()), "a text that is none");
  static_cast<void>(value.integer());
  for (const JsonView inside : value) go_through(inside);
}

std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  for (const char c : text) depth += c == '[' || c == '{' ? 1 : 0;
  return depth;
}

bool has_exponent(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool digit = text[i - 1] >= '0' && text[i - 1] <= '9';
    if (digit && (text[i] == 'e' || text[i] == 'E')) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  JsonDocument document;
  const bool read = document.parse(text);
  go_through(document.root());
  const bool comparable = clever::base::is_utf8(text) && !text.contains('\0') &&
                          !text.contains("\\u") && !has_exponent(text) &&
                          !text.starts_with("\xEF\xBB\xBF") &&
                          depth_of(text) < JsonDocument::kDeepest;
  if (comparable) CLEVER_CHECK(read == nlohmann::json::accept(text), "the readers disagree");
  const std::string written = clever::provider::internal::json_string(text);
  CLEVER_CHECK(nlohmann::json::accept(written), "what was written is no JSON");
  return 0;
}
