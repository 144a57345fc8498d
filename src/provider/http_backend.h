#pragma once
#include <memory>
#include <string>

#include "io/http.h"
#include "provider/adapter.h"
#include "provider/backend.h"
#include "provider/endpoint.h"

namespace clever::provider {

/// A model behind HTTP: one exchange per attempt, in the endpoint's wire format.
///
/// Thread-safe; immutable. `adapter` and `http` outlive it and every attempt. Hands over a complete
/// answer at once, and then reads the exchange to its end, so that the connection can be reused.
class HttpBackend final : public Backend {
 public:
  HttpBackend(const Adapter& adapter, Endpoint endpoint, io::Http& http);

  std::unique_ptr<Attempt> start(const std::string& model, const ModelRequest& request,
                                 std::shared_ptr<AttemptSink> sink) override;

 private:
  // Constant after construction.
  const Adapter& adapter_;
  const std::shared_ptr<const Endpoint> endpoint_;
  io::Http& http_;
};

/// Why an exchange without a complete answer failed. `began`: its head had arrived.
[[nodiscard]] Failure failure_of(const Endpoint& endpoint, const io::HttpEnd& end, bool began);

}  // namespace clever::provider
