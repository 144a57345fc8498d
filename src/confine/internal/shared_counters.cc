#include "confine/internal/shared_counters.h"

#if defined(CLEVER_COVERAGE)
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

extern "C" char* __llvm_profile_begin_counters();
extern "C" char* __llvm_profile_end_counters();
#endif

namespace clever::confine::internal {

void share_coverage_counters() {
#if defined(CLEVER_COVERAGE)
  // The first and last page include neighbours: constants, and data that only one of the processes
  // uses.
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin =
      reinterpret_cast<std::uintptr_t>(__llvm_profile_begin_counters()) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(__llvm_profile_end_counters());
  const auto end = (last + page - 1) / page * page;
  auto* counters = reinterpret_cast<char*>(begin);
  const std::string counted(counters, end - begin);
  if (::mmap(counters, end - begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) != MAP_FAILED) {
    std::memcpy(counters, counted.data(), counted.size());
  }
#endif
}

}  // namespace clever::confine::internal
