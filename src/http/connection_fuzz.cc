// Any client input: the same requests and refusals come out for every cut of the bytes, and nothing
// comes after a refusal.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "http/internal/connection.h"

namespace {

using clever::http::Limits;
using clever::http::internal::Connection;
using clever::http::internal::DateLine;
using clever::http::internal::encode_answer;
using clever::http::internal::ParsedRequest;

const Limits& limits() {
  static const Limits kLimits = {.target_bytes = 64,
                                 .header_bytes = 512,
                                 .header_count = 8,
                                 .body_bytes = 256,
                                 .requests_per_connection = 20};
  return kLimits;
}

// The results of a connection.
struct Seen {
  std::vector<std::string> requests{};
  // The status depends on what came first, and so on the cut.
  bool refused = false;
  friend bool operator==(const Seen&, const Seen&) = default;
};

class Fed {
 public:
  void receive(std::string_view bytes) {
    connection_.receive(bytes, {});
    settle();
  }
  Seen end() {
    connection_.receive_end({});
    settle();
    CLEVER_CHECK(connection_.is_over(), "a connection goes on after its peer's end");
    return seen_;
  }

 private:
  void settle() {
    drain();
    while (std::optional<ParsedRequest> parsed = connection_.take_request()) {
      CLEVER_CHECK(!seen_.refused, "a request after a refusal");
      const auto& request = parsed->request;
      CLEVER_CHECK(request.body.size() <= limits().body_bytes, "a body beyond the limit");
      CLEVER_CHECK(request.headers.size() <= limits().header_count, "headers beyond the limit");
      seen_.requests.push_back(request.method + " " + request.target + " " + request.body);
      connection_.answer(encode_answer({}, parsed->facts), {});
      drain();
    }
  }
  void drain() {
    while (!connection_.is_over() && !connection_.output().empty()) {
      note(connection_.output());
      connection_.sent(connection_.output().size(), {});
    }
  }
  void note(std::string_view output) {
    const std::size_t at = output.rfind("HTTP/1.1 ");
    if (at == std::string_view::npos) return;
    const char kind = output.substr(at)[9];
    seen_.refused = kind == '4' || kind == '5';
  }

  const DateLine date_;
  Connection connection_{limits(), date_, {}};
  Seen seen_;
};

Seen feed(std::string_view bytes, std::size_t step) {
  Fed fed;
  for (std::size_t at = 0; at < bytes.size(); at += step) fed.receive(bytes.substr(at, step));
  return fed.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Seen whole = feed(bytes, std::max<std::size_t>(size, 1));
  CLEVER_CHECK(feed(bytes, 1) == whole, "cut into bytes, the input means something else");
  CLEVER_CHECK(feed(bytes, 7) == whole, "cut into pieces, the input means something else");
  return 0;
}
