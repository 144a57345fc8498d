#include "git/initialise.h"

#include <git2.h>
#include <sys/types.h>

#include <cstddef>

#include "base/check.h"

namespace clever::git {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
// The mapped windows of pack files, for all stores of the process together.
constexpr std::size_t kMappedLimit = 512 * kMebibyte;
constexpr std::size_t kWindowSize = 16 * kMebibyte;
// Open pack files: a project may have many, and a process many plans.
constexpr std::size_t kOpenPacks = 256;

// Parsed objects are not cached: libgit2 keeps one cache per object database, and a process has
// thousands of databases.
bool start_libgit2() {
  if (git_libgit2_init() < 0) return false;
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, kWindowSize);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, kMappedLimit);
  git_libgit2_opts(GIT_OPT_SET_MWINDOW_FILE_LIMIT, kOpenPacks);
  git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
  git_libgit2_opts(GIT_OPT_DISABLE_PACK_KEEP_FILE_CHECKS, 1);
  return true;
}

}  // namespace

void initialise() {
  static const bool kStarted = start_libgit2();
  CLEVER_CHECK(kStarted, "libgit2 does not start");
}

}  // namespace clever::git
