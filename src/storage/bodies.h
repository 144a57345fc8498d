#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// A large payload (a message, a file, a tool's output) under the SHA-256 of its content. A value.
struct Body {
  base::Sha256Digest hash;
  std::string content;

  [[nodiscard]] static Body of(std::string content);
  friend bool operator==(const Body&, const Body&) = default;
};

/// Payloads that events name by hash. A large one is stored once for all events, so that the
/// transcript of n turns costs as much as its n messages. A small one is stored with each event
/// that names it, because a separate row found by hash would cost more.
///
/// Thread-safe. The engine must outlive it.
class Bodies {
 public:
  explicit Bodies(Engine& engine) : engine_(engine) {}

  /// Adds the content to a unit, unless it is stored already. The event that names it belongs into
  /// the same unit: otherwise remove_unused() may remove it.
  static void put(UnitOfWork& unit, Body body);

  static constexpr std::size_t kSmall = 1024;
  [[nodiscard]] static bool is_small(const Body& body) { return body.content.size() <= kSmall; }
  /// For a small content that no event of the unit names; does nothing if an event has named it
  /// before.
  static void put_unless_held(UnitOfWork& unit, Body body);
  /// Records that an event uses a content, which was stored before, or comes along in `brought` and
  /// is put if it is large. Refuses the unit (`invalid_argument`) if it is neither.
  static void use(UnitOfWork& unit, const model::PlanId& plan, std::int64_t sequence,
                  const base::Sha256Digest& hash, const Body* brought);

  /// `not_found` if no content has this hash.
  [[nodiscard]] base::Result<std::string> content(
      const base::Sha256Digest& hash, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) const;

  /// In the order of `hashes`, by one statement. `not_found` names the first missing one.
  [[nodiscard]] base::Result<std::vector<Body>> contents(
      std::span<const base::Sha256Digest> hashes, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) const;

  struct Removed {
    std::uint64_t bodies = 0;
    std::uint64_t bytes = 0;
  };
  /// Removes the contents that no event names, a few at a time, while others append: an append that
  /// brings such a content finds it or stores it again. `cancelled` on a stop; what was removed
  /// stays removed.
  base::Result<Removed> remove_unused(const Progress& progress, const base::StopToken& stop = {});

 private:
  Engine& engine_;
};

}  // namespace clever::storage
