#include "diff/text_diff.h"

#include <algorithm>
#include <set>

#include "diff/internal/choice.h"
#include "diff/internal/hunks.h"

namespace clever::diff {
namespace {

std::string with_changes(const internal::Comparison& texts, const std::vector<Hunk>& hunks,
                         const std::set<std::string>& chosen) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    const internal::LineChange& change = texts.changes[i];
    internal::append_lines(result, texts.old_lines, done, change.old_begin);
    if (chosen.contains(hunks[i].id)) {
      internal::append_lines(result, texts.new_lines, change.new_begin, change.new_end());
    } else {
      internal::append_lines(result, texts.old_lines, change.old_begin, change.old_end());
    }
    done = change.old_end();
  }
  internal::append_lines(result, texts.old_lines, done, texts.old_lines.size());
  return result;
}

}  // namespace

std::vector<Hunk> hunks_of(std::string_view path, std::string_view before, std::string_view after,
                           const DiffOptions& options) {
  return internal::make_hunks(path, internal::Comparison(before, after), options.context);
}

base::Result<std::string> apply_hunks(std::string_view path, std::string_view before,
                                      std::string_view after, const std::vector<std::string>& ids,
                                      const DiffOptions& options) {
  const internal::Comparison texts(before, after);
  const std::vector<Hunk> hunks = internal::make_hunks(path, texts, options.context);
  std::vector<std::string> known;
  std::ranges::transform(hunks, std::back_inserter(known), &Hunk::id);
  CLEVER_TRY(internal::check_known(ids, known));
  return with_changes(texts, hunks, {ids.begin(), ids.end()});
}

bool is_binary(std::string_view content) noexcept { return content.substr(0, 8000).contains('\0'); }

}  // namespace clever::diff
