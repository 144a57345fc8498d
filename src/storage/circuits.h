#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/time.h"
#include "storage/engine.h"

namespace clever::storage {

/// A circuit as the last process that changed it reported it. A value.
struct CircuitRecord {
  std::string provider{};
  std::string model{};
  /// "closed", "open".
  std::string state{};
  /// Why it opened.
  std::string reason{};
  model::Timestamp next_probe{};
  model::Timestamp changed{};
  /// How often a person has closed it: a process that sees this grow closes its own circuit.
  std::int64_t resets = 0;

  friend bool operator==(const CircuitRecord&, const CircuitRecord&) = default;
};

/// Shows people and other processes the circuits of each process. Written only when a circuit opens
/// or closes, never per call.
///
/// Thread-safe. The engine must outlive it.
class Circuits {
 public:
  explicit Circuits(Engine& engine) : engine_(engine) {}

  /// Notified by reset().
  static constexpr const char* kTopic = "circuits";

  [[nodiscard]] static UnitOfWork opened(const std::string& provider, const std::string& model,
                                         const std::string& reason,
                                         std::chrono::microseconds until_probe);
  [[nodiscard]] static UnitOfWork closed(const std::string& provider, const std::string& model);

  /// Sorted by provider and model.
  [[nodiscard]] base::Result<std::vector<CircuitRecord>> list(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

  /// Closes the circuits of a provider, or of all providers if it is empty, in every process.
  /// Returns how many were open.
  base::Result<std::size_t> reset(const std::string& provider, const base::StopToken& stop = {},
                                  base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
