#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"

// Facts from the file system. Plain functions, safe from any thread.
namespace clever::io {

struct PlaceFacts {
  bool is_directory = false;
  /// Permission bits, the file type left out.
  mode_t mode = 0;
  std::string owner;
  bool owned_by_caller = false;
  /// Whether this process may create files in it (a directory) or write it (a file).
  bool writable = false;
};

/// `not_found` if nothing is there, `permission_denied` if it cannot be reached. Follows links.
[[nodiscard]] base::Result<PlaceFacts> place_facts(const std::filesystem::path& path);

/// The path, or the nearest existing folder above it.
[[nodiscard]] std::filesystem::path nearest_existing(std::filesystem::path path);

/// The bytes that this user may still write on the file system of an existing path.
[[nodiscard]] base::Result<std::uint64_t> free_space(const std::filesystem::path& path);

/// The first bytes of a file, at most `count`. Never waits, for any kind of file.
[[nodiscard]] base::Result<std::string> read_head(const std::filesystem::path& path,
                                                  std::size_t count);

}  // namespace clever::io
