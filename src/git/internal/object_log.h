#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/internal/stored_object.h"

// The log of a store: one frame per sync, appended to a file. Pure functions.
//
// A frame:  "CLVGIT1\n"  count u32  size of all bytes u64  crc u32
//           count × { id 20 bytes, kind u8, deflated u8, zero u16, crc u32, stored u64, size u64 }
//           the objects' bytes, one after another
// Numbers are little-endian. The frame's crc covers the header before it and the table; each
// object's crc covers its bytes. A frame is written only after the previous one is on disk, so only
// the last one of a file can be torn.
namespace clever::git::internal {

/// A whole frame; the table follows the order of the objects.
[[nodiscard]] std::string frame_of(std::span<const std::shared_ptr<const StoredObject>> objects);
/// The offset of the first object's bytes in that frame.
[[nodiscard]] std::uint64_t frame_head_size(std::size_t count);

/// A log: its size, and a way to read parts of it (within the size).
struct LogSource {
  std::uint64_t size = 0;
  std::function<base::Result<std::string>(std::uint64_t offset, std::size_t count)> read;
};

struct LoggedObject {
  ObjectFacts facts;
  /// The offset of its bytes in the log.
  std::uint64_t offset = 0;
};

struct LogScan {
  std::vector<LoggedObject> objects{};
  /// The end of the last whole frame; what follows is torn, or still being written.
  std::uint64_t end = 0;
};

/// Reads the tables of all whole frames from `start` (the end of an earlier scan, or 0). Ignores a
/// torn end; a damaged frame before a whole one is `corruption`.
[[nodiscard]] base::Result<LogScan> scan_log(const LogSource& source, std::uint64_t start);

}  // namespace clever::git::internal
