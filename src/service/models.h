#pragma once
#include <memory>
#include <string>

#include "base/result.h"
#include "io/http.h"
#include "provider/backend.h"
#include "provider/endpoint.h"
#include "provider/model_service.h"
#include "provider/registry.h"
#include "storage/engine.h"

namespace clever::service {

/// Where a command's answers come from, if not straight from the provider. Paths; empty: not asked
/// for.
struct AnswerSource {
  /// A cassette that everything is written to.
  std::string record{};
  /// A cassette that answers in place of the provider.
  std::string replay{};
};

/// What commands talk to models with: made by main(), replaced by tests. Thread-safe.
class Models {
 public:
  virtual ~Models() = default;

  /// Made, and its library loaded, when it is first used.
  [[nodiscard]] virtual io::Http& http() = 0;

  /// What talks to an endpoint; of a scripted one `base_url` is the script's path. Errors name the
  /// file and the line of a script or cassette with a mistake. Does not outlive this object.
  [[nodiscard]] virtual base::Result<std::shared_ptr<provider::Backend>> backend(
      const provider::Endpoint& endpoint, const AnswerSource& source) = 0;

  /// All that a plan's calls go through, on such backends. Shares limits and circuits with other
  /// processes through `store`, if there is one. Outlived by this object and the store.
  [[nodiscard]] virtual std::unique_ptr<provider::ModelService> service(
      provider::BackendFactory backends, storage::Engine* store) = 0;
};

}  // namespace clever::service
