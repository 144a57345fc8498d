#pragma once

namespace clever::storage {

/// As long as it lives its callback is called; when the destructor has returned the callback is not
/// running and will not run again. Do not destroy it from its own callback.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

}  // namespace clever::storage
