#include "io/internal/authorities.h"

#include <sys/mman.h>

#include <cerrno>

#include "io/file.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io::internal {

base::Result<Authorities> join_authorities(const std::string& system,
                                           const std::filesystem::path& extra) {
  if (extra.empty()) return Authorities{.file = system};
  CLEVER_ASSIGN(const std::string added, read_file(extra));
  // A machine without its own authorities still trusts the added ones.
  std::string all = system.empty() ? std::string() : read_file(system).value_or(std::string());
  all += "\n" + added;
  FileDescriptor memory(::memfd_create("certificate authorities", MFD_CLOEXEC));
  if (!memory.valid()) return system_error(errno, "cannot join certificate authorities");
  CLEVER_TRY(write_all(memory.number(), all));
  return Authorities{.file = "/proc/self/fd/" + std::to_string(memory.number()),
                     .memory = std::move(memory)};
}

}  // namespace clever::io::internal
