#include "git/internal/private_index.h"

#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/lock_rank.h"
#include "io/directory.h"
#include "io/file.h"

namespace clever::git::internal {
namespace {

namespace fs = std::filesystem;

// Keeps git from leaving a shared part of the index in the user's folder and from refusing line
// ends, and makes it sync objects to disk.
std::vector<std::string> settings_for_writing() {
  return {"-c", "core.splitIndex=false",
          "-c", "core.safecrlf=false",
          "-c", "core.fsync=loose-object,pack,pack-metadata",
          "-c", "core.fsyncMethod=batch"};
}

base::Error cannot_copy(const fs::path& path, const std::error_code& error) {
  return base::unavailable("cannot copy " + path.string() + ": " + error.message());
}

}  // namespace

base::Result<PrivateIndex> PrivateIndex::make(const Project& project, const fs::path& place) {
  base::lock_rank::require_none("copying an index");
  std::string name = (place / "snapshot-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return base::unavailable("cannot make a folder in " + place.string() + ": " +
                             std::generic_category().message(errno));
  }
  PrivateIndex index(project, name);
  CLEVER_TRY(index.fill());
  return index;
}

base::Result<void> PrivateIndex::fill() const {
  CLEVER_TRY(io::make_directories(objects()));
  return project_.kind == ProjectKind::kRepository ? copy_index() : make_repository();
}

PrivateIndex::PrivateIndex(PrivateIndex&& other) noexcept
    : project_(std::move(other.project_)), folder_(std::exchange(other.folder_, {})) {}

PrivateIndex::~PrivateIndex() {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

base::Result<void> PrivateIndex::copy_index() const {
  const fs::path original = project_.git_folder / "index";
  const fs::path copy = folder_ / "index";
  while (true) {
    // git replaces the file as a whole, so only the time could be another file's.
    std::error_code error;
    const auto before = fs::last_write_time(original, error);
    if (error == std::errc::no_such_file_or_directory) return {};
    if (!error) fs::copy_file(original, copy, fs::copy_options::overwrite_existing, error);
    if (error) return cannot_copy(original, error);
    const auto after = fs::last_write_time(original, error);
    if (error || after != before) continue;
    fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, error);
    fs::last_write_time(copy, before, error);
    if (error) return cannot_copy(original, error);
    return {};
  }
}

base::Result<void> PrivateIndex::make_repository() const {
  const fs::path repository = folder_ / "git";
  CLEVER_TRY(io::make_directories(repository / "refs"));
  CLEVER_TRY(io::make_directories(repository / "objects"));
  CLEVER_ASSIGN(const auto directory, io::Directory::open(repository));
  CLEVER_TRY(directory.create_file("HEAD", "ref: refs/heads/none\n", 0600));
  return directory.create_file(
      "config", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n", 0600);
}

void PrivateIndex::prepare(Which which, std::vector<std::string>& arguments,
                           GitCommandOptions& options) const {
  const char* name = which == Which::kCopy ? "index" : "changes";
  options.environment.push_back("GIT_INDEX_FILE=" + (folder_ / name).string());
  if (project_.kind == ProjectKind::kFolder) {
    options.environment.push_back("GIT_DIR=" + (folder_ / "git").string());
    options.environment.push_back("GIT_WORK_TREE=" + project_.root.string());
  }
  if (which == Which::kCopy) return;
  options.environment.push_back("GIT_OBJECT_DIRECTORY=" + objects().string());
  const auto settings = settings_for_writing();
  arguments.insert(arguments.begin(), settings.begin(), settings.end());
}

base::Result<io::ProcessResult> PrivateIndex::run(Which which, std::vector<std::string> arguments,
                                                  GitCommandOptions options) const {
  prepare(which, arguments, options);
  return run_git(project_.root, std::move(arguments), options);
}

base::Result<std::string> PrivateIndex::output(Which which, std::vector<std::string> arguments,
                                               GitCommandOptions options) const {
  prepare(which, arguments, options);
  return git_output(project_.root, std::move(arguments), options);
}

}  // namespace clever::git::internal
