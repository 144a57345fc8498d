#include "git/internal/candidates.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "git/internal/in_quotes.h"

namespace clever::git::internal {
namespace {

using Kind = io::EntryFacts::Kind;

bool is_readable(const io::Directory& root, const std::string& path) {
  return ::faccessat(root.descriptor(), path.c_str(), R_OK, AT_EACCESS) == 0;
}

// Returns whether a folder on the way may not be entered, so that the path's existence is unknown.
bool is_locked(const io::Directory& root, const std::string& path) {
  struct stat status{};
  return ::fstatat(root.descriptor(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 &&
         errno == EACCES;
}

class Sorting {
 public:
  Sorting(const io::Directory& root, Remarks& remarks) : root_(root), remarks_(remarks) {}

  void add(StatusEntry entry) {
    if (entry.untracked && entry.path.ends_with('/')) {
      entry.path.pop_back();
      found.repositories.push_back(std::move(entry.path));
    } else if (!TreePath::parse(entry.path).ok()) {
      remarks_.add(in_quotes(entry.path) +
                   " is left out: its name could be taken for git's own folder");
    } else if (!entry.untracked && !entry.differs_from_index) {
      found.known.push_back(std::move(entry));
    } else {
      add_file(std::move(entry));
    }
  }

  Candidates found{};
  std::uint64_t total = 0;

 private:
  void add_file(StatusEntry entry) {
    const auto facts = root_.facts(entry.path);
    if (is_locked(root_, entry.path)) {
      remark(entry, "its folder cannot be read");
      if (!entry.untracked) found.known.push_back(std::move(entry));
    } else if (!facts.ok() || facts->kind == Kind::kOther) {
      if (facts.ok()) remark(entry, "it is not a file, link or folder");
      entry.staged.reset();
      if (!entry.untracked) found.known.push_back(std::move(entry));
    } else if (facts->kind == Kind::kDirectory && !is_submodule(entry)) {
      entry.staged.reset();
      found.known.push_back(std::move(entry));
    } else if (facts->kind == Kind::kFile && !may_be_read(entry, *facts)) {
      if (!entry.untracked) found.known.push_back(std::move(entry));
    } else {
      found.to_read.push_back(std::move(entry));
    }
  }

  static bool is_submodule(const StatusEntry& entry) {
    return entry.staged && entry.staged->mode == FileMode::kSubmodule;
  }

  void remark(const StatusEntry& entry, const std::string& why) {
    remarks_.add(in_quotes(entry.path) + " is left out: " + why);
  }

  bool may_be_read(const StatusEntry& entry, const io::EntryFacts& facts) {
    if (facts.size > kLargestFile) {
      remark(entry, "it has " + std::to_string(facts.size) +
                        " bytes, and files of more than 1 GiB are left out");
      return false;
    }
    if (!is_readable(root_, entry.path)) {
      remark(entry, "it cannot be read");
      return false;
    }
    total += facts.size;
    return true;
  }

  const io::Directory& root_;
  Remarks& remarks_;
};

}  // namespace

base::Result<Candidates> sort_out(std::vector<StatusEntry> entries, const io::Directory& root,
                                  Remarks& remarks) {
  Sorting sorting(root, remarks);
  for (StatusEntry& entry : entries) sorting.add(std::move(entry));
  if (sorting.total > kLargestTotal) {
    return base::resource_exhausted("uncommitted files have " + std::to_string(sorting.total) +
                                    " bytes together; at most 8 GiB are possible: list files that "
                                    "are not source in .gitignore");
  }
  return std::move(sorting.found);
}

}  // namespace clever::git::internal
