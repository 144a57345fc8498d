#include "io/internal/http_failures.h"

#include <utility>

#include "io/internal/url_parts.h"

namespace clever::io::internal {
namespace {

std::string in_brackets(const TransferFacts& facts) {
  const bool shown =
      !facts.detail.empty() && (facts.secrets.empty() || !facts.detail.contains(facts.secrets));
  if (!shown) return {};
  return " (" + facts.detail.substr(0, facts.detail.find_last_not_of(" \n") + 1) + ")";
}

std::string via(const TransferFacts& facts) {
  return facts.proxy_place.empty() ? std::string() : " through the proxy " + facts.proxy_place;
}

HttpFailure failure_of(CURLcode code, const TransferFacts& facts) {
  if (facts.too_large) return HttpFailure::kTooLarge;
  if (facts.bomb) return HttpFailure::kBomb;
  if (facts.repeat_refused) return HttpFailure::kCut;
  switch (code) {
    case CURLE_URL_MALFORMAT:
      return HttpFailure::kBadUrl;
    case CURLE_UNSUPPORTED_PROTOCOL:
      // Before the request the URL is at fault, after it the answer.
      return facts.sent ? HttpFailure::kProtocol : HttpFailure::kBadUrl;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return HttpFailure::kResolve;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_USE_SSL_FAILED:
      return HttpFailure::kTls;
    case CURLE_OPERATION_TIMEDOUT:
      return HttpFailure::kTimeout;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
      return HttpFailure::kProtocol;
    default:
      return facts.sent ? HttpFailure::kCut : HttpFailure::kConnect;
  }
}

std::string connect_message(const TransferFacts& facts) {
  if (facts.proxy_status >= 300) {
    return "the proxy " + facts.proxy_place + " refused a connection to " + facts.place +
           " with status " + std::to_string(facts.proxy_status) +
           (facts.proxy_status == 407 ? ": put a user and password into the proxy's URL"
                                      : "; ask its owner, or name the host in NO_PROXY");
  }
  return "cannot connect to " + facts.place + via(facts) + in_brackets(facts) +
         "; check that the server runs there and that no firewall is between";
}

std::string tls_message(CURLcode code, const TransferFacts& facts) {
  if (code == CURLE_SSL_CONNECT_ERROR) {
    return "no TLS connection could be set up with " + facts.place + via(facts) +
           in_brackets(facts) + "; check that the server speaks https there, not http";
  }
  return "no trusted connection to " + facts.place + via(facts) + in_brackets(facts) +
         "; agents trusts the authorities in " + facts.authorities +
         " (SSL_CERT_FILE names another file)";
}

std::string cut_message(const TransferFacts& facts) {
  if (facts.repeat_refused) {
    return facts.place +
           " closed a reused connection before it answered; the request was not "
           "sent again, because it may have been processed";
  }
  return "the connection to " + facts.place + via(facts) +
         " ended before the answer was whole: " + std::to_string(facts.received) +
         " bytes of it had arrived" + in_brackets(facts);
}

std::string message_of(HttpFailure failure, CURLcode code, const TransferFacts& facts) {
  switch (failure) {
    case HttpFailure::kBadUrl:
      return "the URL for " + facts.place + " cannot be used" + in_brackets(facts) +
             "; it must be http:// or https:// with a host, without blanks";
    case HttpFailure::kResolve:
      return "no address was found for " +
             (facts.proxy_place.empty() ? facts.place : facts.place + via(facts)) +
             in_brackets(facts) + "; check the spelling and the network";
    case HttpFailure::kConnect:
      return connect_message(facts);
    case HttpFailure::kTls:
      return tls_message(code, facts);
    case HttpFailure::kTimeout:
      return "no connection to " + facts.place + via(facts) + " in time" + in_brackets(facts);
    case HttpFailure::kProtocol:
      return "the answer of " + facts.place + " is not HTTP" + in_brackets(facts) +
             "; check that the URL belongs to an API";
    case HttpFailure::kTooLarge:
      return "the answer of " + facts.place + " is longer than the limit of " +
             std::to_string(facts.answer_limit) + " bytes";
    case HttpFailure::kBomb:
      return "the answer of " + facts.place +
             " is a decompression bomb: it unpacks to more than 100 times what was sent, or was "
             "compressed more than once; reading stopped after " +
             std::to_string(facts.received) + " bytes";
    case HttpFailure::kCut:
    case HttpFailure::kCancelled:
    case HttpFailure::kNoLibrary:
      break;
  }
  return cut_message(facts);
}

std::string in_words(std::chrono::milliseconds time) {
  if (time.count() % 1000 != 0) return std::to_string(time.count()) + " ms";
  return std::to_string(time.count() / 1000) + " s";
}

}  // namespace

HttpEnd end_of(CURLcode code, const TransferFacts& facts) {
  if (code == CURLE_OK) return {.reused_connection = facts.reused_connection};
  const HttpFailure failure = failure_of(code, facts);
  return {.failure = failure,
          .message = message_of(failure, code, facts),
          .reused_connection = facts.reused_connection};
}

HttpEnd timed_out(HttpLimit limit, std::chrono::milliseconds time, const TransferFacts& facts) {
  std::string message;
  switch (limit) {
    case HttpLimit::kConnect:
      message = "no connection to " + facts.place + via(facts) + " within " + in_words(time) +
                "; check that the server runs there and that no firewall is between";
      break;
    case HttpLimit::kFirstByte:
      message = facts.place + " did not begin to answer within " + in_words(time);
      break;
    case HttpLimit::kIdle:
      message = facts.place + " sent nothing for " + in_words(time) +
                " in the middle of its answer, after " + std::to_string(facts.received) + " bytes";
      break;
    case HttpLimit::kTotal:
      message = "the answer of " + facts.place + " was not complete within " + in_words(time);
      break;
  }
  return {.failure = HttpFailure::kTimeout,
          .message = std::move(message),
          .reused_connection = facts.reused_connection};
}

HttpEnd cancelled_end(const std::string& place) {
  return {.failure = HttpFailure::kCancelled,
          .message = "the request to " + place + " was cancelled"};
}

HttpEnd bad_url_end(std::string_view url) {
  return {.failure = HttpFailure::kBadUrl,
          .message = "'" + without_secrets(url) +
                     "' is not a valid URL: it must be http:// or https:// with a host, "
                     "such as https://api.example.com/v1"};
}

HttpEnd bad_header_end(std::string_view name) {
  return {.failure = HttpFailure::kBadUrl,
          .message = "the header '" + std::string(name) +
                     "' cannot be sent: its name or value holds a line break or another control "
                     "character; remove it (often the end of a line copied with a key)"};
}

}  // namespace clever::io::internal
