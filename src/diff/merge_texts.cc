#include <git2.h>

#include <algorithm>

#include "diff/internal/markers.h"
#include "diff/merge.h"
#include "git/initialise.h"

namespace clever::diff {
namespace {

struct FileResult {
  FileResult() = default;
  ~FileResult() { git_merge_file_result_free(&value); }
  FileResult(const FileResult&) = delete;
  FileResult& operator=(const FileResult&) = delete;

  git_merge_file_result value{};
};

struct Texts {
  std::string_view base;
  std::string_view ours;
  std::string_view theirs;
};

git_merge_file_input input_of(std::string_view text) {
  git_merge_file_input input{};
  git_merge_file_input_init(&input, GIT_MERGE_FILE_INPUT_VERSION);
  input.ptr = text.empty() ? "" : text.data();
  input.size = text.size();
  return input;
}

git_merge_file_options usual_options() {
  git_merge_file_options options{};
  git_merge_file_options_init(&options, GIT_MERGE_FILE_OPTIONS_VERSION);
  return options;
}

base::Result<MergedText> merge_with(const Texts& texts, const git_merge_file_options& options) {
  const git_merge_file_input base = input_of(texts.base);
  const git_merge_file_input ours = input_of(texts.ours);
  const git_merge_file_input theirs = input_of(texts.theirs);
  FileResult result;
  if (git_merge_file(&result.value, &base, &ours, &theirs, &options) != 0) {
    return base::resource_exhausted("the texts are too large to be merged by lines");
  }
  return MergedText{.content = std::string(result.value.ptr, result.value.len),
                    .conflicts = result.value.automergeable != 0 ? 0U : 1U};
}

// Merges again with the base in the markers; the style that decides about conflicts omits it.
base::Result<MergedText> merge_marked(const Texts& texts, const TextNames& names) {
  const std::size_t size = internal::marker_size({texts.base, texts.ours, texts.theirs});
  const internal::MarkerNames labels(names);
  git_merge_file_options options = usual_options();
  options.flags = GIT_MERGE_FILE_STYLE_ZDIFF3 | GIT_MERGE_FILE_SIMPLIFY_ALNUM;
  options.ancestor_label = labels.base.c_str();
  options.our_label = labels.ours.c_str();
  options.their_label = labels.theirs.c_str();
  options.marker_size = static_cast<unsigned short>(size);
  CLEVER_ASSIGN(MergedText merged, merge_with(texts, options));
  merged.conflicts = std::max<std::uint64_t>(1, internal::count_markers(merged.content, size));
  return merged;
}

}  // namespace

base::Result<MergedText> merge_texts(std::string_view base, std::string_view ours,
                                     std::string_view theirs, const TextNames& names) {
  if (ours == theirs || theirs == base) return MergedText{.content = std::string(ours)};
  if (ours == base) return MergedText{.content = std::string(theirs)};
  git::initialise();
  const Texts texts{base, ours, theirs};
  CLEVER_ASSIGN(MergedText merged, merge_with(texts, usual_options()));
  if (merged.conflicts == 0) return merged;
  return merge_marked(texts, names);
}

}  // namespace clever::diff
