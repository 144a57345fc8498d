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

/// Payloads that events name by hash. However many events name a large one it is stored once, so
/// that the transcript of n turns costs what its n messages cost. A small one is stored with each
/// event that names it: a row of its own, found by its hash, would cost more.
///
/// Thread-safe. The engine must outlive it.
class Bodies {
 public:
  explicit Bodies(Engine& engine) : engine_(engine) {}

  /// Adds the content to a unit; nothing happens if it is there already. The event that names it
  /// belongs into the same unit: remove_unused() does not know of plans for later.
  static void put(UnitOfWork& unit, Body body);

  static constexpr std::size_t kSmall = 1024;
  [[nodiscard]] static bool is_small(const Body& body) { return body.content.size() <= kSmall; }
  /// For a small one that no event of the unit names; nothing happens if one has named it before.
  static void put_unless_held(UnitOfWork& unit, Body body);
  /// An event's need of a content: `brought` along, and put if it is large, or stored before. The
  /// unit is refused (`invalid_argument`) if it was not.
  static void use(UnitOfWork& unit, const model::PlanId& plan, std::int64_t sequence,
                  const base::Sha256Digest& hash, const Body* brought);

  /// `not_found` if no content has this hash.
  [[nodiscard]] base::Result<std::string> content(
      const base::Sha256Digest& hash, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) const;

  /// In the order asked for, by one statement. `not_found` names the first that is missing.
  [[nodiscard]] base::Result<std::vector<Body>> contents(
      std::span<const base::Sha256Digest> hashes, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never()) const;

  struct Removed {
    std::uint64_t bodies = 0;
    std::uint64_t bytes = 0;
  };
  /// Removes the contents that no event names, a few at a time, while others append: an append
  /// that brings such a content along finds it or stores it again. `cancelled` on a stop: what was
  /// removed so far is removed.
  base::Result<Removed> remove_unused(const Progress& progress, const base::StopToken& stop = {});

 private:
  Engine& engine_;
};

}  // namespace clever::storage
