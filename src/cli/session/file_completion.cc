#include "cli/session/file_completion.h"

#include <algorithm>
#include <functional>

#include "git/git_command.h"
#include "io/directory.h"

namespace clever::cli {
namespace {

constexpr std::size_t kMostChoices = 12;
constexpr std::size_t kMostFoundFiles = 50'000;
constexpr std::size_t kDeepestFolder = 16;

std::string_view name_in_folder(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::vector<std::string_view> matching(const std::vector<std::string>& files,
                                       const std::function<bool(std::string_view)>& matches) {
  std::vector<std::string_view> found;
  for (const std::string& file : files) {
    if (matches(file)) found.push_back(file);
  }
  return found;
}

std::vector<std::string_view> candidates(const std::vector<std::string>& files,
                                         std::string_view part) {
  auto found = matching(files, [&](std::string_view file) { return file.starts_with(part); });
  if (found.empty()) {
    found = matching(files,
                     [&](std::string_view file) { return name_in_folder(file).starts_with(part); });
  }
  if (found.empty()) {
    found = matching(files, [&](std::string_view file) { return file.contains(part); });
  }
  return found;
}

std::string_view common_beginning(const std::vector<std::string_view>& texts) {
  std::string_view common = texts.front();
  for (const std::string_view text : texts) {
    const auto [left, right] = std::ranges::mismatch(common, text);
    common = common.substr(0, static_cast<std::size_t>(left - common.begin()));
  }
  // Does not cut within a character.
  while (!common.empty() && common.size() < texts.front().size() &&
         (static_cast<unsigned char>(texts.front()[common.size()]) & 0xC0U) == 0x80U) {
    common.remove_suffix(1);
  }
  return common;
}

base::Result<void> gather(const io::Directory& top, const std::string& folder, std::size_t depth,
                          std::vector<std::string>& files) {
  std::vector<std::string> folders;
  CLEVER_TRY(top.list(folder, [&](std::string_view name, io::EntryFacts::Kind kind) {
    if (name.starts_with('.')) return true;
    const std::string path = folder.empty() ? std::string(name) : folder + "/" + std::string(name);
    if (kind == io::EntryFacts::Kind::kDirectory) folders.push_back(path);
    if (kind == io::EntryFacts::Kind::kFile) files.push_back(path);
    return files.size() < kMostFoundFiles;
  }));
  for (const std::string& below : folders) {
    // A missing or unreadable folder offers nothing.
    if (depth < kDeepestFolder) static_cast<void>(gather(top, below, depth + 1, files).ok());
  }
  return {};
}

}  // namespace

Completion complete_file(std::string_view text, std::size_t cursor,
                         const std::vector<std::string>& files) {
  Completion same{std::string(text), cursor};
  const std::string_view before = text.substr(0, cursor);
  const std::size_t blank = before.find_last_of(" \n\t");
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = before.substr(begin);
  if (!word.starts_with('@')) return same;
  const auto found = candidates(files, word.substr(1));
  if (found.empty()) return same;
  const bool certain = found.size() == 1;
  const std::string_view common = common_beginning(found);
  // Files that contain the part anywhere may have less in common than what is typed.
  const std::string_view part =
      common.starts_with(word.substr(1)) || certain ? common : word.substr(1);
  std::string written = "@" + std::string(part) + (certain ? " " : "");
  Completion completion{
      std::string(text.substr(0, begin)) + written + std::string(text.substr(cursor)),
      begin + written.size()};
  for (std::size_t i = 0; !certain && i < found.size() && i < kMostChoices; ++i) {
    completion.choices.emplace_back(found[i]);
  }
  if (found.size() > kMostChoices) {
    completion.choices.push_back("… and " + std::to_string(found.size() - kMostChoices) + " more");
  }
  return completion;
}

Completion complete_command(const std::string& text, const std::vector<std::string>& names) {
  const std::string_view part = std::string_view(text).substr(1);
  const auto found = matching(names, [&](std::string_view name) { return name.starts_with(part); });
  if (found.empty()) return {text, text.size()};
  const bool certain = found.size() == 1;
  Completion completion{"/" + std::string(common_beginning(found)) + (certain ? " " : "")};
  completion.cursor = completion.text.size();
  for (const std::string_view name : found) {
    if (!certain) completion.choices.push_back("/" + std::string(name));
  }
  return completion;
}

base::Result<std::vector<std::string>> project_files(const git::Project& project,
                                                     const base::StopToken& stop) {
  std::vector<std::string> files;
  if (project.kind == git::ProjectKind::kRepository) {
    git::GitCommandOptions options;
    options.stop = stop;
    CLEVER_ASSIGN(
        const std::string names,
        git::git_output(project.root, {"ls-files", "-z", "-co", "--exclude-standard"}, options));
    for (std::string_view rest = names; !rest.empty() && files.size() < kMostFoundFiles;) {
      const std::size_t end = std::min(rest.find('\0'), rest.size());
      files.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  } else {
    CLEVER_ASSIGN(const io::Directory top, io::Directory::open(project.root));
    CLEVER_TRY(gather(top, "", 0, files));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace clever::cli
