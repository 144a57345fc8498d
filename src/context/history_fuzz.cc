#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "context/internal/commit_index.h"
#include "context/internal/history_cache.h"
#include "context/internal/log_output.h"

// git's output of commits, and the file in which they are cached.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace internal = clever::context::internal;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr internal::CacheKey kKey{100, 60};
  internal::CommitTable table;
  internal::read_log(bytes, 3, table);
  (void)internal::cache_from(bytes, kKey);
  // With a valid head and checksum around it, so that the content is read too.
  std::string body = internal::cache_bytes({}, kKey);
  body.resize(body.find('\n', body.find('\n') + 1) + 1);
  body += bytes;
  const auto digest = clever::base::sha256(body);
  body.append(reinterpret_cast<const char*>(digest.bytes().data()), digest.bytes().size());
  if (auto kept = internal::cache_from(body, kKey); kept.ok()) table = std::move(kept).value();
  if (table.commits.empty()) return 0;
  const auto head = table.commits.front().id;
  const internal::CommitIndex index(std::move(table), head, {10, 3});
  (void)index.related(bytes, 5);
  return 0;
}
