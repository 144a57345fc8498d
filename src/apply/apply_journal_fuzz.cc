#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "apply/internal/journal.h"

// Reading any bytes neither crashes nor invents records: records survive being written and read
// again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::apply::internal;
  const auto journal = read_journal({reinterpret_cast<const char*>(data), size});
  if (!journal.ok() || !journal->has_value()) return 0;
  const Journal& read = **journal;
  std::string bytes = record_of(read.beginning);
  if (read.lock) bytes += record_of(*read.lock);
  if (read.staged) bytes += record_of(*read.staged);
  if (read.verified) bytes += verified_record();
  if (read.back) bytes += back_record();
  const auto again = read_journal(bytes);
  if (!again.ok() || *again != *journal) std::abort();
  return 0;
}
