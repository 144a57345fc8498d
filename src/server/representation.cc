#include "server/representation.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/sha256.h"
#include "base/text.h"

namespace clever::server {
namespace {

constexpr std::size_t kTagDigits = 32;
// Smaller bodies are not worth compressing.
constexpr std::size_t kLeastCompressed = 1024;
// A window of the usual size, plus 16 for the gzip header.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;
constexpr std::string_view kGzipMark = "-gzip\"";

std::optional<std::string> gzipped(const std::string& body) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return std::nullopt;  // unreachable: only without memory
  }
  std::string packed(deflateBound(&stream, static_cast<uLong>(body.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return packed;
}

// Ignores "W/" and the mark of the compressed form: both are the same document.
std::string_view plain(std::string_view tag) {
  tag = base::trimmed(tag);
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag.ends_with(kGzipMark) ? tag.substr(0, tag.size() - kGzipMark.size())
                                  : tag.substr(0, tag.empty() ? 0 : tag.size() - 1);
}

}  // namespace

std::string etag_of(std::string_view body) {
  return "\"" + base::sha256(body).to_hex().substr(0, kTagDigits) + "\"";
}

bool names_etag(std::string_view list, std::string_view etag) {
  for (const std::string_view tag : base::split(list, ',')) {
    if (base::trimmed(tag) == "*" || plain(tag) == plain(etag)) return true;
  }
  return false;
}

bool takes_gzip(const http::Request& request) {
  const std::string accepted = base::lower_case(request.header("accept-encoding").value_or(""));
  for (const std::string_view entry : base::split(std::string_view(accepted), ',')) {
    const std::size_t semicolon = std::min(entry.find(';'), entry.size());
    if (base::trimmed(entry.substr(0, semicolon)) != "gzip") continue;
    const std::string_view quality = base::trimmed(entry.substr(semicolon));
    return quality.find_first_of("123456789") != std::string_view::npos || quality.empty();
  }
  return false;
}

void represent(const http::Request& request, http::Response& response) {
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  if (!is_read || response.status != 200) return;
  std::string etag = etag_of(response.body);
  if (const auto known = request.header("if-none-match"); known && names_etag(*known, etag)) {
    response.status = 304;
    response.body.clear();
  } else if (response.body.size() >= kLeastCompressed && takes_gzip(request)) {
    if (auto packed = gzipped(response.body)) {
      response.body = *std::move(packed);
      response.headers.push_back({"Content-Encoding", "gzip"});
      etag.replace(etag.size() - 1, 1, kGzipMark);
    }
  }
  response.headers.push_back({"ETag", std::move(etag)});
  response.headers.push_back({"Vary", "Accept-Encoding"});
}

}  // namespace clever::server
