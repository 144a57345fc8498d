// Input from servers and settings: lines of a head, and URLs.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "io/internal/head_reader.h"
#include "io/internal/url_parts.h"

namespace {

using clever::io::internal::HeadReader;

void read_head(std::string_view text) {
  HeadReader reader;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    if (reader.add(text.substr(0, size)) == HeadReader::Line::kComplete) {
      CLEVER_CHECK(reader.complete() && reader.head().status >= 200, "a head without a status");
    }
    text.remove_prefix(size);
  }
}

void split(std::string_view url) {
  const auto parts = clever::io::internal::split_url(url);
  if (!parts) return;
  CLEVER_CHECK(!parts->host.empty() && !parts->port.empty(), "a place without host or port");
  const std::size_t at = url.find('@');
  const std::size_t slash = url.find_first_of("/?#", url.find("://") + 3);
  CLEVER_CHECK(at > slash || !parts->host.contains('@'), "a user in the host");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_head(text);
  split(text);
  CLEVER_CHECK(clever::io::internal::without_secrets(text).size() <= size,
               "longer without secrets");
  return 0;
}
