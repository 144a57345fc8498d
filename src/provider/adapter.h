#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "io/http.h"
#include "provider/answer.h"
#include "provider/endpoint.h"
#include "provider/failure.h"
#include "provider/rate_observation.h"
#include "provider/request.h"

namespace clever::provider {

/// Parses one successful answer, streamed or not. Used by one thread. Total: any bytes yield a
/// whole answer or a Failure (kCut if they end too early, kMalformed if they are invalid, or the
/// kind of an error inside the stream).
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;
  using OnDelta = std::function<void(const Delta&)>;
  /// Takes the next bytes of the body, cut anywhere. Ignores bytes after a failure.
  virtual void feed(std::string_view bytes, const OnDelta& on_delta) = 0;
  /// Whether the API has marked the answer as complete, before the connection ends.
  [[nodiscard]] virtual bool complete() const = 0;
  /// Call once, after the last byte.
  [[nodiscard]] virtual std::variant<ModelAnswer, Failure> finish() = 0;
};

/// One wire format: pure functions between our types and an API's, no I/O. Stateless; safe from any
/// thread.
class Adapter {
 public:
  virtual ~Adapter() = default;

  /// Encodes a request for this API. Total: the API accepts the form of any transcript
  /// (provider/transcript.h). Never fails for a valid endpoint.
  [[nodiscard]] virtual io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                               const ModelRequest& request) const = 0;
  /// For an answer with a 2xx status. `stream` as requested; the content type says what actually
  /// came.
  [[nodiscard]] virtual std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                             const io::HttpHead& head,
                                                             bool stream) const = 0;
  /// For an answer with any other status; `body` may be anything, cut after some KiB.
  [[nodiscard]] virtual Failure failure(const Endpoint& endpoint, const std::string& model,
                                        const io::HttpHead& head, std::string_view body) const = 0;
  [[nodiscard]] virtual RateObservation rates(const io::HttpHead& head) const = 0;

  /// Requests the list of models: the cheapest check of address and key.
  [[nodiscard]] virtual io::HttpRequest list_models(const Endpoint& endpoint) const = 0;
  [[nodiscard]] virtual base::Result<std::vector<std::string>> read_models(
      std::string_view body) const = 0;
};

/// The adapter of a wire; nullptr for wires without HTTP. Lives as long as the program.
[[nodiscard]] const Adapter* adapter(Wire wire);

}  // namespace clever::provider
