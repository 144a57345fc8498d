#pragma once
#include <memory>
#include <string>

#include "storage/engine.h"

namespace clever::test {

/// An engine without a database, for tests of whoever passes engines on: refuses everything.
class IdleEngine : public storage::Engine {
 public:
  void submit(storage::UnitOfWork /*unit*/, Done done) override { done(refusal()); }
  base::Result<storage::Receipt> commit(storage::UnitOfWork /*unit*/,
                                        const base::StopToken& /*stop*/,
                                        base::Deadline /*deadline*/) override {
    return refusal();
  }
  base::Result<void> read(const Read& /*read*/, const base::StopToken& /*stop*/,
                          base::Deadline /*deadline*/) override {
    return refusal();
  }
  std::unique_ptr<storage::Subscription> subscribe(std::string /*topic*/,
                                                   std::function<void()> /*wake*/) override {
    return nullptr;
  }
  base::Result<storage::EngineFacts> facts() override { return refusal(); }
  base::Result<void> check_integrity(const storage::Progress& /*progress*/,
                                     const base::StopToken& /*stop*/) override {
    return refusal();
  }
  base::Result<void> backup(const std::filesystem::path& /*target*/,
                            const storage::Progress& /*progress*/,
                            const base::StopToken& /*stop*/) override {
    return refusal();
  }
  base::Result<void> vacuum(const storage::Progress& /*progress*/,
                            const base::StopToken& /*stop*/) override {
    return refusal();
  }

 private:
  static base::Error refusal() { return base::unavailable("this engine has no database"); }
};

}  // namespace clever::test
