#pragma once

namespace clever::storage {

/// While it lives its callback is called; after the destructor returns the callback is not running
/// and never runs again. Do not destroy it from its own callback.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

}  // namespace clever::storage
