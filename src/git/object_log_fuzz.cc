#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "git/internal/object_log.h"

namespace {

using clever::base::Result;
namespace internal = clever::git::internal;

std::string text_of(std::string_view bytes) {
  // Checksums are hard to guess, so the input serves as a valid frame's content and as damage.
  const auto object =
      internal::store_form(clever::git::ObjectId({1}), clever::git::ObjectKind::kBlob, bytes);
  const std::vector<std::shared_ptr<const internal::StoredObject>> batch = {object, object};
  std::string log = internal::frame_of(batch);
  for (std::size_t i = 0; i + 2 < bytes.size() && i < 12; i += 3) {
    const std::size_t at =
        static_cast<unsigned char>(bytes[i]) * 256U + static_cast<unsigned char>(bytes[i + 1]);
    if (at < log.size()) log[at] = bytes[i + 2];
  }
  return log + std::string(bytes);
}

void check_scan(const std::string& log) {
  const internal::LogSource source{
      .size = log.size(),
      .read = [&](std::uint64_t offset, std::size_t count) -> Result<std::string> {
        CLEVER_CHECK(offset <= log.size() && count <= log.size() - offset, "read past the end");
        return log.substr(offset, count);
      }};
  const auto scan = internal::scan_log(source, 0);
  if (!scan.ok()) return;
  CLEVER_CHECK(scan->end <= log.size(), "the end lies behind the end");
  for (const auto& object : scan->objects) {
    CLEVER_CHECK(object.offset + object.facts.stored_size <= scan->end, "an object outside");
    (void)internal::content_of(
        object.facts, std::string_view(log).substr(object.offset, object.facts.stored_size));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_scan(std::string(bytes));
  check_scan(text_of(bytes));
  return 0;
}
