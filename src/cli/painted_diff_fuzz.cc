// Whatever is in files: a difference that is shown steers no terminal, and goes beyond no width.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cli/diff/painted_diff.h"
#include "cli/diff/side_by_side.h"
#include "service/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto has_escape = [](std::string_view shown) { return shown.contains('\x1b'); };
  CLEVER_CHECK(!has_escape(cli::painted_unified(text, {})), "the unified form has an escape");
  CLEVER_CHECK(!has_escape(cli::painted_words(text, {})), "the word form has an escape");
  CLEVER_CHECK(!has_escape(cli::painted_stat(text, {})), "the statistics have an escape");
  const std::string_view before = text.substr(0, size / 2);
  const std::string_view after = text.substr(size / 2);
  const diff::FileDiff file{.path = "f", .hunks = diff::hunks_of("f", before, after)};
  constexpr std::size_t kWidth = 80;
  std::string shown = cli::side_by_side({file}, kWidth, {});
  CLEVER_CHECK(!has_escape(shown), "side by side has an escape");
  for (std::size_t end = 0; !shown.empty(); shown.erase(0, end + 1)) {
    end = std::min(shown.find('\n'), shown.size() - 1);
    const std::string_view line = std::string_view(shown).substr(0, end);
    CLEVER_CHECK(line.starts_with("@@") || cli::columns(line) <= kWidth, "a line is too wide");
  }
  return 0;
}
