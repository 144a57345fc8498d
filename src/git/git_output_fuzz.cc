#include <cstddef>
#include <cstdint>
#include <string_view>

#include "git/internal/blame_output.h"
#include "git/internal/status_list.h"
#include "git/internal/tree_bytes.h"

// git's output, and trees written by other programs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace internal = clever::git::internal;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)internal::parse_status(bytes);
  (void)internal::parse_stage_list(bytes);
  (void)internal::parse_blame(bytes);
  internal::TreeBytes tree(bytes);
  for (auto entry = tree.next(); entry.ok() && *entry; entry = tree.next()) {
  }
  return 0;
}
