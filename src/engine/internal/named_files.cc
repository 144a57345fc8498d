#include "engine/internal/named_files.h"

#include <algorithm>

#include "base/utf8.h"
#include "io/file.h"
#include "io/file_names.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kLongestPath = 4096;
// Characters that end a path in a shell command, and in --option=path.
constexpr std::string_view kEnds = " \t\r\n;|&()<>\"'`$=,{}";

bool is_below(const std::filesystem::path& path, const std::filesystem::path& root) {
  const auto [at, end] = std::ranges::mismatch(root, path);
  return at == root.end();
}

std::string shown_path(std::string_view path) {
  constexpr std::size_t kShown = 200;
  return std::string(base::utf8_prefix(base::to_valid_utf8(path), kShown));
}

}  // namespace

base::Result<void> NamedFiles::add_path(std::string_view path) {
  if (path.empty() || path.size() > kLongestPath || path.contains('\0')) return {};
  const std::filesystem::path wanted = root_ / path;
  const bool claims_inside = !path.starts_with('/') || is_below(wanted.lexically_normal(), root_);
  if (!claims_inside) return {};
  const auto real = io::real_path(wanted);
  if (!real.ok() || io::file_kind(*real) != io::FileKind::kFile) return {};
  if (!is_below(*real, root_)) {
    return base::invalid_argument("\"" + shown_path(path) + "\" leads out of the project, to " +
                                  shown_path(real->string()) +
                                  ": what is there can change unseen; put the file into the "
                                  "project, or name it by its absolute path");
  }
  names_.insert(real->lexically_relative(root_).string());
  return {};
}

base::Result<void> NamedFiles::add_words(std::string_view text) {
  CLEVER_TRY(add_path(text));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kEnds), text.size());
    CLEVER_TRY(add_path(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::vector<std::string> NamedFiles::names() && { return {names_.begin(), names_.end()}; }

}  // namespace clever::engine::internal
