#include "http/internal/gzip.h"

// Before the header: makes its input const.
#define ZLIB_CONST
#include <zlib.h>

#include <array>
#include <limits>

#include "base/check.h"
#include "base/text.h"

namespace clever::http::internal {
namespace {

// Each answer is sent once: more effort would cost more time than it saves.
constexpr int kEffort = 4;
// zlib's own encoding: a window of 32 KiB, plus 16 for the gzip header.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemory = 8;

}  // namespace

std::optional<std::string> gzip(std::string_view bytes) {
  if (bytes.size() > std::numeric_limits<unsigned>::max()) return std::nullopt;
  z_stream stream{};
  const int begun =
      ::deflateInit2(&stream, kEffort, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY);
  CLEVER_CHECK(begun == Z_OK, "zlib has no memory to begin");
  std::string packed(bytes.size(), '\0');
  stream.next_in = reinterpret_cast<z_const Bytef*>(bytes.data());
  stream.avail_in = static_cast<unsigned>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<unsigned>(packed.size());
  const bool fits = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (!fits) return std::nullopt;
  return packed;
}

bool is_compressible(std::string_view content_type) {
  static constexpr std::array<std::string_view, 4> kWhole = {
      "application/json", "application/javascript", "application/xml", "image/svg+xml"};
  const std::string type =
      base::lower_case(base::trimmed(content_type.substr(0, content_type.find(';'))));
  for (const std::string_view whole : kWhole) {
    if (type == whole) return true;
  }
  return type.starts_with("text/") || type.ends_with("+json");
}

}  // namespace clever::http::internal
