#pragma once
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_lock.h"
#include "model/id.h"

namespace clever::storage {

/// Where the files of plans are kept: a home of `agents`, identified by a random id stored in it,
/// so that it may move and be mounted on several hosts. A value.
struct Home {
  std::string id{};
  /// The path that its processes use.
  std::string folder{};

  friend bool operator==(const Home&, const Home&) = default;
};

/// A run of a program that may hold leases, and where it runs. A value.
struct Owner {
  model::OwnerId id;
  std::string host;
  /// The boot id of that host's kernel.
  std::string boot;
  Home home{};

  friend bool operator==(const Owner&, const Owner&) = default;
};

/// Shows that an owner is alive: holds a lock on the file `OWNER.lock`, which the kernel releases
/// when the process ends in any way. On the same host and boot a free lock means a dead owner.
///
/// Made once per process that drives plans, and kept until its end. Queries are thread-safe.
class OwnerLock {
 public:
  /// Creates a missing folder, and the id of the home around it. All processes that share a
  /// database on a host must use the same folder: an owner without a file there counts as unknown,
  /// and only expiry ends its leases.
  [[nodiscard]] static base::Result<OwnerLock> acquire(const std::filesystem::path& folder,
                                                       const model::OwnerId& id,
                                                       const base::StopToken& stop = {});

  [[nodiscard]] const Owner& owner() const { return owner_; }

  enum class Life : std::uint8_t { kAlive, kDead, kUnknown };
  /// Whether another owner is alive; unknown if it runs on another host, or ran before its host's
  /// last boot as far as this host can see.
  [[nodiscard]] base::Result<Life> probe(const Owner& other) const;

  /// Deletes the files of dead owners, except those in `needed`: while an owner holds a lease, its
  /// file proves that it is dead. Returns how many.
  base::Result<std::size_t> remove_leftovers(const std::set<model::OwnerId>& needed) const;

 private:
  OwnerLock(std::filesystem::path folder, Owner owner, io::FileLock lock)
      : folder_(std::move(folder)), owner_(std::move(owner)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  Owner owner_;
  io::FileLock lock_;
};

}  // namespace clever::storage
