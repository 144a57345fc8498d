#pragma once
// Report #7031: the product's provider registry, held to the models' properties.

#include <memory>

#include "provider/registry.h"
#include "reports/registry_models.h"

namespace clever::reports::registry {

class Ours {
 public:
  /// What a caller holds: the registry itself, which nobody replaces. Its two providers bear the
  /// two fields of Settings, and the first one's runtime counts the failures.
  class Live {
   public:
    Live();
    [[nodiscard]] Settings settings() const;
    void apply(Settings settings);
    void record_failure();
    [[nodiscard]] int failures() const;

   private:
    provider::ProviderRegistry registry_;
  };

  using Handle = std::shared_ptr<Live>;
  Handle obtain() { return live_; }
  Handle reconfigure(Settings settings) {
    live_->apply(settings);
    return live_;
  }

 private:
  const Handle live_ = std::make_shared<Live>();
};

}  // namespace clever::reports::registry
