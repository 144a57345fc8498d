#include "base/check.h"

#include <cstdio>
#include <cstdlib>

#if defined(CLEVER_COVERAGE)
extern "C" int __llvm_profile_write_file();
#endif

namespace clever::base {

void check_failed(std::string_view condition, std::string_view message, std::string_view file,
                  int line) noexcept {
  std::fprintf(stderr, "CHECK failed: %.*s (%.*s) at %.*s:%d\n", static_cast<int>(message.size()),
               message.data(), static_cast<int>(condition.size()), condition.data(),
               static_cast<int>(file.size()), file.data(), line);
#if defined(CLEVER_COVERAGE)
  __llvm_profile_write_file();  // abort() skips the handler that would write it
#endif
  std::abort();
}

}  // namespace clever::base
