#pragma once
#include <memory>
#include <string>

#include "provider/backend.h"

namespace clever::test {

/// A backend that never answers, for what only counts or compares backends.
class SilentBackend final : public provider::Backend {
 public:
  std::unique_ptr<provider::Attempt> start(
      const std::string& /*model*/, const provider::ModelRequest& /*request*/,
      std::shared_ptr<provider::AttemptSink> /*sink*/) override {
    return nullptr;
  }
};

}  // namespace clever::test
