#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "diff/merge.h"

// For any three texts: a side that changed nothing gives way, equal sides agree, a clean merge is
// symmetric, and a change replayed on its base gives its result.
namespace {

using clever::diff::merge_texts;
using clever::diff::MergedText;
using clever::diff::replay_text;
using clever::diff::TextNames;

struct Texts {
  explicit Texts(std::string_view bytes) {
    for (std::string_view* text : {&base, &ours, &theirs}) {
      const std::size_t cut = bytes.find("===\n");
      *text = bytes.substr(0, cut);
      bytes = cut == std::string_view::npos ? "" : bytes.substr(cut + 4);
    }
  }

  std::string_view base;
  std::string_view ours;
  std::string_view theirs;
};

MergedText merged(std::string_view base, std::string_view ours, std::string_view theirs) {
  return merge_texts(base, ours, theirs, TextNames()).value();
}

bool is(const MergedText& text, std::string_view content) {
  return text.conflicts == 0 && text.content == content;
}

void check_merge(const Texts& texts) {
  const MergedText there = merged(texts.base, texts.ours, texts.theirs);
  const MergedText back = merged(texts.base, texts.theirs, texts.ours);
  CLEVER_CHECK((there.conflicts == 0) == (back.conflicts == 0), "a conflict on one side only");
  if (there.conflicts == 0) CLEVER_CHECK(there == back, "a clean merge depends on the side");
  CLEVER_CHECK(is(merged(texts.base, texts.base, texts.theirs), texts.theirs), "theirs is lost");
  CLEVER_CHECK(is(merged(texts.base, texts.ours, texts.base), texts.ours), "ours is lost");
  CLEVER_CHECK(is(merged(texts.base, texts.ours, texts.ours), texts.ours), "equals disagree");
}

void check_replay(const Texts& texts) {
  const TextNames names;
  CLEVER_CHECK(is(replay_text(texts.base, texts.base, texts.theirs, names), texts.theirs),
               "a change does not fit where it was made");
  CLEVER_CHECK(is(replay_text(texts.base, texts.ours, texts.base, names), texts.ours),
               "no change changed something");
  CLEVER_CHECK(replay_text(texts.base, texts.ours, texts.theirs, names) ==
                   replay_text(texts.base, texts.ours, texts.theirs, names),
               "the same replay, another result");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Texts texts({reinterpret_cast<const char*>(data), size});
  check_merge(texts);
  check_replay(texts);
  return 0;
}
