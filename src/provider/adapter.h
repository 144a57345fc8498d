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

/// Reads one successful answer, streamed or not. Used by one thread. Total: whatever the bytes, the
/// answer is a whole one or a Failure (kCut if it ended too early, kMalformed if it makes no sense,
/// or the kind of an error that the stream carried inside).
class AnswerReader {
 public:
  virtual ~AnswerReader() = default;
  using OnDelta = std::function<void(const Delta&)>;
  /// Takes the next bytes of the body, cut anywhere. After a failure further bytes are ignored.
  virtual void feed(std::string_view bytes, const OnDelta& on_delta) = 0;
  /// Whether the answer is complete by the API's own mark, before the connection ends.
  [[nodiscard]] virtual bool complete() const = 0;
  /// After the last byte. Once.
  [[nodiscard]] virtual std::variant<ModelAnswer, Failure> finish() = 0;
};

/// One wire format: pure functions between our words and theirs, no I/O. Stateless; safe from any
/// thread.
class Adapter {
 public:
  virtual ~Adapter() = default;

  /// The request as this API wants it. Total: whatever transcript we hold, this API accepts the
  /// form of it (provider/transcript.h). Never fails for a valid endpoint.
  [[nodiscard]] virtual io::HttpRequest encode(const Endpoint& endpoint, const std::string& model,
                                               const ModelRequest& request) const = 0;
  /// For an answer with a 2xx status. `stream` as it was asked for; what came may differ, the
  /// content type tells.
  [[nodiscard]] virtual std::unique_ptr<AnswerReader> reader(const Endpoint& endpoint,
                                                             const io::HttpHead& head,
                                                             bool stream) const = 0;
  /// For an answer with any other status; `body` may be anything, cut after some KiB.
  [[nodiscard]] virtual Failure failure(const Endpoint& endpoint, const std::string& model,
                                        const io::HttpHead& head, std::string_view body) const = 0;
  [[nodiscard]] virtual RateObservation rates(const io::HttpHead& head) const = 0;

  /// Asks which models there are: the cheapest way to see that address and key are right.
  [[nodiscard]] virtual io::HttpRequest list_models(const Endpoint& endpoint) const = 0;
  [[nodiscard]] virtual base::Result<std::vector<std::string>> read_models(
      std::string_view body) const = 0;
};

/// The adapter of a wire; nullptr for those without HTTP. Lives as long as the program.
[[nodiscard]] const Adapter* adapter(Wire wire);

}  // namespace clever::provider
