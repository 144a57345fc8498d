#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "provider/adapter.h"

// Any status, header and body of an error yields a failure that can be shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::provider;
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string value(bytes.substr(0, bytes.find('\n')));
  Endpoint endpoint;
  endpoint.provider = "fuzz";
  endpoint.key = "a-key-that-is-secret";
  clever::io::HttpHead head;
  head.status = 300 + data[0];
  head.headers = {{"retry-after", value},
                  {"date", value},
                  {"x-ratelimit-reset-requests", value},
                  {"anthropic-ratelimit-tokens-reset", value}};
  const Adapter& any = *adapter(Wire::kOpenAiChat);
  const Failure failure = any.failure(endpoint, "m", head, bytes);
  CLEVER_CHECK(failure.message.starts_with("fuzz: "), "a nameless failure");
  CLEVER_CHECK(clever::base::is_utf8(failure.message) && failure.message.size() < 1000,
               "a message that cannot be shown");
  CLEVER_CHECK(!failure.message.contains(endpoint.key), "the key is shown");
  static_cast<void>(any.rates(head));
  static_cast<void>(any.read_models(bytes));
  return 0;
}
