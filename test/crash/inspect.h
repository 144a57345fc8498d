#pragma once
#include <string>
#include <vector>

#include "crash/place.h"
#include "crash/report.h"

namespace clever::storage::crash {

/// Something that a crash must not do.
struct Fault {
  enum class Kind : std::uint8_t {
    kLost,    // what was acknowledged is not there
    kBroken,  // what is there does not fit together: half a unit, a unit twice, a gap
  };
  Kind kind;
  std::string what;
};
using Faults = std::vector<Fault>;

[[nodiscard]] std::string to_string(const Faults& faults);

/// Compares a database that nobody uses with all that was ever reported about it: every
/// acknowledged operation is there once, nothing is half there, journals verify and pages are
/// sound. Then takes over the plans of the dead, which must work at once.
[[nodiscard]] Faults inspect(Engine& engine, const OwnerLock& owner,
                             const std::vector<Report>& reports);

/// Opens the database, which must work, and inspects it.
[[nodiscard]] Faults inspect(const Place& place, const std::vector<Report>& reports, int run,
                             std::span<const Migration> migrations = tables());

}  // namespace clever::storage::crash
