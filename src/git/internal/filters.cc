#include "git/internal/filters.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "git/internal/lines.h"
#include "io/environment.h"
#include "io/file.h"

namespace clever::git::internal {
namespace {

constexpr std::string_view kFileName = ".gitattributes";

bool speaks_of_filters(const base::Result<std::string>& text) {
  return text.ok() && text->contains("filter");
}

bool is_attributes_file(std::string_view path) {
  return path == kFileName || path.ends_with("/.gitattributes");
}

std::filesystem::path usual_attributes_file() {
  const auto environment = io::Environment::of_process();
  const auto settings = environment.value("XDG_CONFIG_HOME");
  if (settings && !settings->empty()) return std::filesystem::path(*settings) / "git/attributes";
  return io::user_home(environment) / ".config/git/attributes";
}

bool user_speaks_of_filters(const Project& project) {
  const auto& named = project.attributes_file;
  return speaks_of_filters(io::read_file(named.empty() ? usual_attributes_file() : named));
}

bool names_a_filter(std::string_view value) {
  return value != "unspecified" && value != "unset" && value != "set" && !value.empty();
}

}  // namespace

bool any_filter(const Project& project, const std::vector<std::string_view>& paths,
                const ContentOf& content_of) {
  if (project.kind == ProjectKind::kRepository &&
      speaks_of_filters(io::read_file(project.common_folder / "info" / "attributes"))) {
    return true;
  }
  for (const std::string_view path : paths) {
    if (is_attributes_file(path) && speaks_of_filters(content_of(path))) return true;
  }
  return user_speaks_of_filters(project);
}

base::Result<std::vector<TreePath>> filtered_paths(const PrivateIndex& index,
                                                   const std::vector<std::string_view>& paths,
                                                   Attributes attributes,
                                                   const GitCommandOptions& options) {
  std::vector<TreePath> filtered;
  GitCommandOptions asking = options;
  asking.output_limit = std::size_t{1} << 30U;
  for (const std::string_view path : paths) asking.standard_input += std::string(path) + '\0';
  std::vector<std::string> arguments = {"check-attr", "--stdin", "-z", "filter"};
  if (attributes == Attributes::kOfIndex) arguments.insert(arguments.begin() + 1, "--cached");
  CLEVER_ASSIGN(const std::string output,
                index.output(PrivateIndex::Which::kCopy, std::move(arguments), std::move(asking)));
  // path, attribute, value; path, …
  const auto pieces = pieces_of(output, '\0');
  for (std::size_t i = 0; i + 2 < pieces.size(); i += 3) {
    if (!names_a_filter(pieces[i + 2])) continue;
    if (auto path = TreePath::parse(pieces[i]); path.ok()) filtered.push_back(*std::move(path));
  }
  std::ranges::sort(filtered);
  return filtered;
}

}  // namespace clever::git::internal
