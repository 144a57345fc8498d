#include "diff/internal/whole_file.h"

#include "diff/internal/contents.h"
#include "diff/internal/identity.h"

namespace clever::diff {
namespace internal {

bool same_content(const FileDiff& file) {
  return file.before && file.after && file.before->id == file.after->id;
}

bool changes_kind(const FileDiff& file) {
  return file.before && file.after && !same_kind(file.before->mode, file.after->mode);
}

bool is_one_choice(const FileDiff& file) {
  return (file.before && !is_file(file.before)) || (file.after && !is_file(file.after));
}

bool changes_mode(const FileDiff& file) {
  return file.before && file.after && !changes_kind(file) && file.before->mode != file.after->mode;
}

bool has_whole_choice(const FileDiff& file) {
  return file.hunks.empty() || is_one_choice(file) || file.from || changes_mode(file);
}

}  // namespace internal

namespace {

void add_node(internal::Identity& identity, const std::optional<git::Node>& node,
              bool with_content) {
  identity.add(node ? static_cast<std::uint64_t>(node->mode) : 0);
  if (node && with_content) identity.add(node->id.to_hex());
}

}  // namespace

std::string whole_file_id(const FileDiff& file) {
  // A file with hunks of its own is not identified by its content.
  const bool with_content = file.hunks.empty() || internal::is_one_choice(file);
  internal::Identity identity;
  identity.add("file").add(file.path).add(file.from.value_or(""));
  add_node(identity, file.before, with_content);
  add_node(identity, file.after, with_content);
  return identity.finish();
}

std::vector<std::string> choices_of(const FileDiff& file) {
  std::vector<std::string> choices;
  if (internal::has_whole_choice(file)) choices.push_back(whole_file_id(file));
  if (internal::is_one_choice(file)) return choices;
  for (const Hunk& hunk : file.hunks) choices.push_back(hunk.id);
  return choices;
}

}  // namespace clever::diff
