#include "confine/internal/proxy_request.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace clever::confine::internal {
namespace {

constexpr std::uint16_t kHttp = 80;
constexpr std::uint16_t kHttps = 443;
constexpr std::string_view kScheme = "http://";

struct RequestLine {
  std::string_view method;
  std::string_view target;
  std::string_view version;
};

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

std::optional<RequestLine> request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return std::nullopt;
  const RequestLine result{.method = line.substr(0, first),
                           .target = line.substr(first + 1, last - first - 1),
                           .version = line.substr(last + 1)};
  if (result.method.empty() || !result.version.starts_with("HTTP/1.")) return std::nullopt;
  if (result.target.empty() || result.target.find(' ') != std::string_view::npos) {
    return std::nullopt;
  }
  return result;
}

// A header between the proxy and its client only. A connection serves one request, so that every
// request is checked.
bool is_for_the_proxy(std::string_view header) {
  constexpr std::array<std::string_view, 4> kNames = {"proxy-connection", "proxy-authorization",
                                                      "connection", "keep-alive"};
  const std::string_view name = header.substr(0, header.find(':'));
  return std::ranges::any_of(
      kNames, [name](std::string_view known) { return equal_ignoring_case(name, known); });
}

std::string headers_for_server(std::string_view rest) {
  std::string headers;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    if (!line.empty() && !is_for_the_proxy(line)) headers.append(line).append("\r\n");
  }
  return headers + "Connection: close\r\n\r\n";
}

base::Result<ProxyRequest> parse_plain(const RequestLine& line, std::string_view headers) {
  std::string_view rest = line.target.substr(kScheme.size());
  const std::size_t end = rest.find_first_of("/?#");
  const std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(authority.size());
  if (authority.find('@') != std::string_view::npos) {
    return base::invalid_argument("a user name in a URL is not supported");
  }
  CLEVER_ASSIGN(Destination destination, parse_destination(authority, kHttp));
  std::string head(line.method);
  head.append(rest.starts_with('/') ? " " : " /").append(rest);
  head.append(" HTTP/1.1\r\n").append(headers_for_server(headers));
  return ProxyRequest{.destination = std::move(destination), .head = std::move(head)};
}

}  // namespace

base::Result<ProxyRequest> parse_proxy_request(std::string_view head) {
  const std::size_t end = head.find("\r\n");
  const auto line = request_line(head.substr(0, end));
  if (end == std::string_view::npos || !line) {
    return base::invalid_argument("this is not an HTTP/1 request");
  }
  if (line->method == "CONNECT") {
    CLEVER_ASSIGN(Destination destination, parse_destination(line->target, kHttps));
    return ProxyRequest{.destination = std::move(destination), .tunnel = true};
  }
  if (!equal_ignoring_case(line->target.substr(0, kScheme.size()), kScheme)) {
    return base::invalid_argument(
        "this is a proxy: ask for http://HOST/PATH, or CONNECT HOST:PORT");
  }
  return parse_plain(*line, head.substr(end + 2));
}

std::string proxy_refusal(std::string_view status, std::string_view sentence) {
  std::string answer = "HTTP/1.1 ";
  answer.append(status).append("\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ");
  answer.append(std::to_string(sentence.size() + 1));
  answer.append("\r\nConnection: close\r\n\r\n").append(sentence).append("\n");
  return answer;
}

}  // namespace clever::confine::internal
