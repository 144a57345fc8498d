#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "storage/engine.h"

namespace clever::storage {

/// A view of one moment as an engine, for several queries with consistent answers while others
/// write. It only reads: a unit is refused with `invalid_argument`.
///
/// Used by one thread, within Engine::read(); the view must outlive it.
class ViewEngine final : public Engine {
 public:
  explicit ViewEngine(Snapshot& view) : view_(view) {}

  void submit(UnitOfWork unit, Done done) override;
  base::Result<Receipt> commit(UnitOfWork unit, const base::StopToken& stop,
                               base::Deadline deadline) override;
  base::Result<void> read(const Read& read, const base::StopToken& stop,
                          base::Deadline deadline) override;
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake) override;
  [[nodiscard]] base::Result<EngineFacts> facts() override;
  base::Result<void> check_integrity(const Progress& progress,
                                     const base::StopToken& stop) override;
  base::Result<void> backup(const std::filesystem::path& target, const Progress& progress,
                            const base::StopToken& stop) override;
  base::Result<void> vacuum(const Progress& progress, const base::StopToken& stop) override;

 private:
  Snapshot& view_;
};

}  // namespace clever::storage
