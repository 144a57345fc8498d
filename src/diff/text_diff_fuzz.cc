#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "diff/text_diff.h"

// For any two texts: all hunks lead from the first to the second, none leaves it unchanged, any
// subset can be applied, and words join to both.
namespace {

using clever::diff::apply_hunks;
using clever::diff::Hunk;
using clever::diff::LineKind;

void check_hunks(std::string_view before, std::string_view after, std::size_t context,
                 std::uint8_t choice) {
  std::vector<std::string> all;
  std::vector<std::string> some;
  for (const Hunk& hunk : clever::diff::hunks_of("f", before, after, {.context = context})) {
    all.push_back(hunk.id);
    if (((choice >> (all.size() % 8)) & 1U) != 0) some.push_back(hunk.id);
  }
  CLEVER_CHECK(apply_hunks("f", before, after, all).value() == after, "all is not the new text");
  CLEVER_CHECK(apply_hunks("f", before, after, {}).value() == before, "none is not the old text");
  CLEVER_CHECK(apply_hunks("f", before, after, some).ok(), "a part cannot be applied");
}

void check_words(std::string_view before, std::string_view after) {
  std::string old_side;
  std::string new_side;
  for (const auto& piece : clever::diff::words_of(before, after)) {
    if (piece.kind != LineKind::kAdded) old_side += piece.text;
    if (piece.kind != LineKind::kRemoved) new_side += piece.text;
  }
  CLEVER_CHECK(old_side == before && new_side == after, "words do not join to the texts");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view texts = bytes.substr(2);
  const std::size_t cut = texts.find("===\n");
  const std::string_view before = texts.substr(0, cut);
  const std::string_view after = cut == std::string_view::npos ? "" : texts.substr(cut + 4);
  check_hunks(before, after, data[0] % 5, data[1]);
  check_words(before, after);
  return 0;
}
