#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "context/query.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto query = clever::context::parse_query(text);
  CLEVER_CHECK(clever::base::is_utf8(query.text), "a query is UTF-8");
  CLEVER_CHECK(query.identifiers.size() <= clever::context::kMostNames, "names are bounded");
  CLEVER_CHECK(query.paths.size() <= clever::context::kMostNames, "paths are bounded");
  CLEVER_CHECK(query == clever::context::parse_query(query.text), "reading is idempotent");
  return 0;
}
