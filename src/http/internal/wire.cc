#include "http/internal/wire.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "http/internal/gzip.h"

namespace clever::http::internal {
namespace {

struct StatusPhrase {
  int status;
  std::string_view phrase;
};

constexpr auto kPhrases = std::to_array<StatusPhrase>({
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
});

std::string_view status_phrase(int status) {
  const auto found = std::ranges::lower_bound(kPhrases, status, {}, &StatusPhrase::status);
  return found != kPhrases.end() && found->status == status ? found->phrase : "Status";
}

bool is_token_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool is_value_letter(char c) { return c == '\t' || (c != '\x7F' && (c < '\0' || c >= ' ')); }

bool can_be_sent(const Header& header) {
  return !header.name.empty() && std::ranges::all_of(header.name, is_token_letter) &&
         std::ranges::all_of(header.value, is_value_letter);
}

bool can_be_sent(const Response& response) {
  return response.status >= 200 && response.status <= 999 &&
         std::ranges::all_of(response.headers,
                             [](const Header& header) { return can_be_sent(header); });
}

// Headers that only the server sets.
bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kNames = {"connection", "content-length", "date",
                                                             "keep-alive", "transfer-encoding"};
  return std::ranges::find(kNames, base::lower_case(name)) != kNames.end();
}

// Returns the first header of that name, ignoring case, or none.
std::optional<std::string_view> find_header(const Response& response, std::string_view name) {
  for (const Header& header : response.headers) {
    if (base::lower_case(header.name) == name) return header.value;
  }
  return std::nullopt;
}

// Below this size, compression does not pay.
constexpr std::size_t kWorthPacking = 1024;

void pack_body(Response& response, const RequestFacts& facts) {
  const bool suitable = response.body.size() > kWorthPacking &&
                        is_compressible(find_header(response, "content-type").value_or("")) &&
                        !find_header(response, "content-encoding");
  if (!suitable) return;
  response.headers.push_back({"Vary", "Accept-Encoding"});
  if (!facts.accepts_gzip) return;
  if (std::optional<std::string> packed = gzip(response.body)) {
    response.body = *std::move(packed);
    response.headers.push_back({"Content-Encoding", "gzip"});
  }
}

bool has_body(int status) { return status != 204 && status != 304; }

std::string encode_head(const Response& response) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " ";
  head += status_phrase(response.status);
  head += "\r\n";
  for (const Header& header : response.headers) {
    if (is_reserved(header.name)) continue;
    head += header.name;
    head += ": ";
    head += header.value;
    head += "\r\n";
  }
  return head;
}

void append_json_text(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    // The server's own texts are ASCII; other bytes come from the peer.
    json += c >= ' ' && c < '\x7F' ? c : '?';
  }
  json += '"';
}

}  // namespace

WireAnswer encode_answer(Response response, const RequestFacts& facts) {
  if (!can_be_sent(response)) {
    response = problem(500, "the answer contains characters that HTTP cannot carry");
  }
  if (has_body(response.status)) pack_body(response, facts);
  WireAnswer answer{.head = encode_head(response), .close = response.close};
  if (!has_body(response.status)) return answer;
  answer.head += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  if (!facts.is_head) answer.body = std::move(response.body);
  return answer;
}

WireAnswer encode_stream_head(const Response& response) {
  return {.head = encode_head(response), .close = response.close};
}

Response problem(int status, std::string_view detail) {
  std::string body = R"({"type":"about:blank","title":)";
  append_json_text(body, status_phrase(status));
  body += R"(,"status":)" + std::to_string(status) + R"(,"detail":)";
  append_json_text(body, detail);
  body += "}\n";
  return {.status = status,
          .headers = {{"Content-Type", "application/problem+json"}},
          .body = std::move(body)};
}

}  // namespace clever::http::internal
