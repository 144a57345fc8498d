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

/// Where the files of plans are kept: a home of `agents`, known by a random id that lies in it, so
/// that it may move and be seen from several hosts. A value.
struct Home {
  std::string id{};
  /// As its processes call it.
  std::string folder{};

  friend bool operator==(const Home&, const Home&) = default;
};

/// A run of a program that may hold leases, and where it runs. A value.
struct Owner {
  model::OwnerId id;
  std::string host;
  /// Which start of that host's kernel.
  std::string boot;
  Home home{};

  friend bool operator==(const Owner&, const Owner&) = default;
};

/// "I am alive": an owner with a lock on the file `OWNER.lock` that the kernel lets go of when the
/// process ends, however it ends. On the same host and boot a free lock means a dead owner.
///
/// Made once per process, by whoever drives plans, and kept until its end. Safe to ask from many
/// threads.
class OwnerLock {
 public:
  /// The folder is made if missing, and with it the id of the home that it lies in. All who share a
  /// database on a host must use the same one: an owner without a file there counts as unknown, and
  /// only expiry ends its leases.
  [[nodiscard]] static base::Result<OwnerLock> acquire(const std::filesystem::path& folder,
                                                       const model::OwnerId& id,
                                                       const base::StopToken& stop = {});

  [[nodiscard]] const Owner& owner() const { return owner_; }

  enum class Life : std::uint8_t { kAlive, kDead, kUnknown };
  /// Whether another owner lives; unknown if it runs elsewhere, or ran before the last boot of its
  /// host, as far as this host can tell.
  [[nodiscard]] base::Result<Life> probe(const Owner& other) const;

  /// Deletes the files of the dead, but of those in `needed`: as long as one holds a lease its file
  /// tells that it is dead. Returns how many.
  base::Result<std::size_t> remove_leftovers(const std::set<model::OwnerId>& needed) const;

 private:
  OwnerLock(std::filesystem::path folder, Owner owner, io::FileLock lock)
      : folder_(std::move(folder)), owner_(std::move(owner)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  Owner owner_;
  io::FileLock lock_;
};

}  // namespace clever::storage
