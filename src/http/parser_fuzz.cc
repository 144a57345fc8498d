// Two parsers that disagree about where a request ends allow request smuggling. Boost.Beast must
// accept what our parser accepts, with the same target, body and end. Ours is stricter about
// values of Connection and about leading blank lines.
#include <algorithm>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/internal/request_parser.h"

namespace {

namespace beast = boost::beast;
using clever::http::Limits;
using clever::http::Request;
using clever::http::internal::RequestParser;

void check_same(const Request& ours, std::size_t our_end, std::string_view bytes) {
  beast::http::request_parser<beast::http::string_body> theirs;
  theirs.eager(true);
  theirs.header_limit(1U << 20U);
  beast::error_code error;
  std::size_t end = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
  // A call stops after the head, and after each chunk.
  while (!theirs.is_done() && end < bytes.size() && !error) {
    const std::string_view rest = bytes.substr(end);
    const std::size_t taken = theirs.put(boost::asio::buffer(rest.data(), rest.size()), error);
    if (error == beast::http::error::need_more) break;
    end += taken;
  }
  if (error == beast::http::error::bad_value) return;
  CLEVER_CHECK(theirs.is_done(), "Beast refuses what we take: " + error.message());
  const auto& message = theirs.get();
  CLEVER_CHECK(end == our_end, "the request ends elsewhere");
  CLEVER_CHECK(std::string_view(message.target().data(), message.target().size()) == ours.target,
               "the targets differ");
  CLEVER_CHECK(message.body() == ours.body, "the bodies differ");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Limits limits;
  RequestParser parser(limits);
  const std::size_t end = parser.feed(bytes);
  if (parser.state() == RequestParser::State::kWhole) {
    check_same(parser.take().request, end, bytes);
  }
  return 0;
}
