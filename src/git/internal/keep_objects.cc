#include "git/internal/keep_objects.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "base/lock_rank.h"

namespace clever::git::internal {
namespace {

namespace fs = std::filesystem;

// Twice the number at which `git gc --auto` packs them.
constexpr std::size_t kMostLooseObjects = 14'000;

std::vector<fs::path> names_in(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename());
  }
  return names;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Returns whether the file exists afterwards.
bool link_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  return !error || error == std::errc::file_exists;
}

// A pack counts once its index exists, so the index comes last.
bool link_pack(const fs::path& index, const fs::path& own) {
  const fs::path target = own / index.filename();
  if (is_there(target)) return true;
  fs::path pack = index;
  pack.replace_extension(".pack");
  return link_file(pack, own / pack.filename()) && link_file(index, target);
}

bool is_hex(std::string_view name, std::size_t size) {
  return name.size() == size && name.find_first_not_of("0123456789abcdef") == name.npos;
}

// Returns how many were linked; stops where linking fails.
std::size_t link_loose_folder(const fs::path& from, const fs::path& to, std::size_t most) {
  std::error_code ignored;
  std::size_t linked = 0;
  for (const fs::path& name : names_in(from)) {
    if (linked == most) break;
    constexpr std::size_t kRestOfId = 38;
    if (!is_hex(name.native(), kRestOfId)) continue;
    if (linked == 0) fs::create_directory(to, ignored);
    if (!link_file(from / name, to / name)) break;
    ++linked;
  }
  return linked;
}

}  // namespace

void keep_packs(const std::vector<fs::path>& borrowed, const fs::path& own) {
  base::lock_rank::require_none("linking packs");
  for (const fs::path& folder : borrowed) {
    for (const fs::path& name : names_in(folder / "pack")) {
      if (name.extension() != ".idx") continue;
      if (!link_pack(folder / "pack" / name, own / "pack")) break;
    }
  }
}

void keep_loose_folder(const fs::path& from, const fs::path& to) {
  base::lock_rank::require_none("linking objects");
  link_loose_folder(from, to, kMostLooseObjects / 256);
}

void keep_loose_objects(const std::vector<fs::path>& borrowed, const fs::path& own) {
  base::lock_rank::require_none("linking objects");
  std::size_t left = kMostLooseObjects;
  for (const fs::path& folder : borrowed) {
    for (const fs::path& name : names_in(folder)) {
      if (!is_hex(name.native(), 2)) continue;
      left -= link_loose_folder(folder / name, own / name, left);
    }
  }
}

}  // namespace clever::git::internal
