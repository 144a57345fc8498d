// Any bytes are keys, and a line that is edited with them can be drawn.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cli/tui/key_decoder.h"
#include "cli/tui/line_editor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  clever::cli::KeyDecoder decoder;
  clever::cli::LineEditor editor({"an older line"});
  for (const auto& key : decoder.feed(bytes)) {
    static_cast<void>(editor.handle(key));
    CLEVER_CHECK(editor.cursor() <= editor.text().size(), "the cursor left the text");
  }
  static_cast<void>(decoder.flush());
  CLEVER_CHECK(!decoder.is_pending(), "something stays behind");
  CLEVER_CHECK(!editor.picture("> ", 20).rows.empty(), "nothing can be drawn");
  return 0;
}
