#pragma once
#include <atomic>
#include <memory>
#include <utility>

#include "storage/engine.h"

namespace clever::storage::testing {

/// Passes everything on and counts the statements that read and the units that write.
class CountingEngine final : public Engine {
 public:
  explicit CountingEngine(Engine& engine) : engine_(engine) {}

  [[nodiscard]] int statements() const { return statements_; }
  [[nodiscard]] int units() const { return units_; }

  void submit(UnitOfWork unit, Done done) override {
    ++units_;
    engine_.submit(std::move(unit), std::move(done));
  }
  base::Result<Receipt> commit(UnitOfWork unit, const base::StopToken& stop,
                               base::Deadline deadline) override {
    ++units_;
    return engine_.commit(std::move(unit), stop, deadline);
  }
  base::Result<void> read(const Read& read, const base::StopToken& stop,
                          base::Deadline deadline) override {
    return engine_.read(
        [&](Snapshot& view) {
          Counting counting(view, statements_);
          return read(counting);
        },
        stop, deadline);
  }
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic,
                                                        std::function<void()> wake) override {
    return engine_.subscribe(std::move(topic), std::move(wake));
  }
  [[nodiscard]] base::Result<EngineFacts> facts() override { return engine_.facts(); }
  base::Result<void> check_integrity(const Progress& progress,
                                     const base::StopToken& stop) override {
    return engine_.check_integrity(progress, stop);
  }
  base::Result<void> backup(const std::filesystem::path& target, const Progress& progress,
                            const base::StopToken& stop) override {
    return engine_.backup(target, progress, stop);
  }
  base::Result<void> vacuum(const Progress& progress, const base::StopToken& stop) override {
    return engine_.vacuum(progress, stop);
  }

 private:
  class Counting final : public Snapshot {
   public:
    Counting(Snapshot& view, std::atomic<int>& statements) : view_(view), statements_(statements) {}
    base::Result<Rows> query(const Statement& statement) override {
      ++statements_;
      return view_.query(statement);
    }

   private:
    Snapshot& view_;
    std::atomic<int>& statements_;
  };

  Engine& engine_;
  std::atomic<int> statements_ = 0;  // a count, publishes nothing
  std::atomic<int> units_ = 0;       // counts, publishes nothing
};

}  // namespace clever::storage::testing
