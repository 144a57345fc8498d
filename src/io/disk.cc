#include "io/disk.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "io/file_descriptor.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

std::string user_name(uid_t uid) {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
    return found->pw_name;
  }
  return std::to_string(uid);
}

}  // namespace

base::Result<PlaceFacts> place_facts(const std::filesystem::path& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) return system_error(errno, "cannot look at", path);
  const bool directory = S_ISDIR(facts.st_mode);
  const int access = directory ? W_OK | X_OK : W_OK;
  return PlaceFacts{.is_directory = directory,
                    .mode = facts.st_mode & 07777U,
                    .owner = user_name(facts.st_uid),
                    .owned_by_caller = facts.st_uid == ::geteuid(),
                    .writable = ::faccessat(AT_FDCWD, path.c_str(), access, AT_EACCESS) == 0};
}

base::Result<std::uint64_t> free_space(const std::filesystem::path& path) {
  struct statvfs facts{};
  if (::statvfs(path.c_str(), &facts) != 0) {
    return system_error(errno, "cannot ask for the free space of", path);
  }
  return std::uint64_t{facts.f_bavail} * facts.f_frsize;
}

std::filesystem::path nearest_existing(std::filesystem::path path) {
  while (path.has_relative_path() && !place_facts(path).ok()) path = path.parent_path();
  return path;
}

base::Result<std::string> read_head(const std::filesystem::path& path, std::size_t count) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return system_error(errno, "cannot read", path);
  std::string head(count, '\0');
  const ssize_t length = ::read(file.number(), head.data(), count);
  if (length < 0) return system_error(errno, "cannot read", path);
  head.resize(static_cast<std::size_t>(length));
  return head;
}

}  // namespace clever::io
