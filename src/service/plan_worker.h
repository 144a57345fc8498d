#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "service/context.h"
#include "service/trace/trace_exporter.h"
#include "storage/engine.h"

namespace clever::service {

/// Drives the plans of a queue in this process: the worker inside `agents server`, and all that
/// `agents worker` is. A plan is a job until it is at rest; one that waits for a person has none.
/// Jobs of workers that died are taken over within a second; settings that change in the home's
/// file reach calls that begin from then on.
///
/// Made by one thread, which the context belongs to; thread-safe from then on. The destructor gives
/// back what it works on, for other workers to resume.
class PlanWorker {
 public:
  struct Options {
    std::string queue{};
    /// Jobs at once; 0: as many as is usual.
    std::size_t slots = 0;
  };
  /// What it refers to outlives it.
  [[nodiscard]] static base::Result<std::unique_ptr<PlanWorker>> open(
      const std::shared_ptr<storage::Engine>& engine, const Options& options, Context& context);
  ~PlanWorker();

  /// By which the others know it.
  [[nodiscard]] model::OwnerId id() const;
  [[nodiscard]] std::size_t slots() const;
  /// Returns once it was asked to drain and has ended its jobs; `cancelled` if the stop comes
  /// first.
  base::Result<void> wait(const base::StopToken& stop);
  /// Reads the home's settings now, as it does by itself once their file has changed: calls that
  /// begin from now on go by them. The error says what is wrong; then nothing changed.
  base::Result<void> reload();
  /// What became of the spans of its traces.
  [[nodiscard]] TraceExporter::Counts traces() const;

 private:
  class Impl;
  explicit PlanWorker(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::service
