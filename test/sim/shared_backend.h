#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "provider/backend.h"
#include "sim/hand_backend.h"

namespace clever::sim {

/// A backend whose attempts several threads end, each attempt once. Thread-safe.
class SharedBackend final : public provider::Backend {
 public:
  std::unique_ptr<provider::Attempt> start(const std::string&, const provider::ModelRequest&,
                                           std::shared_ptr<provider::AttemptSink> sink) override {
    auto open = std::make_shared<Open>(std::in_place, std::move(sink));
    open_.with([&](std::vector<std::shared_ptr<Open>>& all) { all.push_back(open); });
    return std::make_unique<Handle>(open);
  }

  /// Ends the attempt that began first, if there is one that has not ended.
  bool finish(const provider::AttemptEnd& end) {
    while (true) {
      const auto open = open_.with([](std::vector<std::shared_ptr<Open>>& all) {
        if (all.empty()) return std::shared_ptr<Open>();
        auto first = all.front();
        all.erase(all.begin());
        return first;
      });
      if (open == nullptr) return false;
      if (finish(*open, end)) return true;
    }
  }

 private:
  using Open = base::Guarded<std::shared_ptr<provider::AttemptSink>>;

  static bool finish(Open& open, const provider::AttemptEnd& end) {
    const auto sink =
        open.with([](std::shared_ptr<provider::AttemptSink>& held) { return std::move(held); });
    if (sink == nullptr) return false;
    sink->on_end(end);
    return true;
  }
  class Handle final : public provider::Attempt {
   public:
    explicit Handle(std::shared_ptr<Open> open) : open_(std::move(open)) {}
    void cancel() override { finish(*open_, failed(provider::FailureKind::kCancelled)); }

   private:
    const std::shared_ptr<Open> open_;
  };

  base::Guarded<std::vector<std::shared_ptr<Open>>> open_;
};

}  // namespace clever::sim
