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

// The log of a store: frames, one for each sync, appended to a file. Pure functions.
//
// A frame:  "CLVGIT1\n"  count u32  size of all bytes u64  crc u32
//           count × { id 20 bytes, kind u8, deflated u8, zero u16, crc u32, stored u64, size u64 }
//           the objects' bytes, one after another
// Numbers are little-endian. The frame's crc covers what comes before it and the table; each
// object's covers its bytes. A frame is begun only when the one before it is on the disk, so only
// the last one of a file can be torn.
namespace clever::git::internal {

/// All of a frame; the table comes in the order of the objects.
[[nodiscard]] std::string frame_of(std::span<const std::shared_ptr<const StoredObject>> objects);
/// Where in that frame the bytes of the first object are.
[[nodiscard]] std::uint64_t frame_head_size(std::size_t count);

/// Where a log is: its size, and a way to get some of it (within the size).
struct LogSource {
  std::uint64_t size = 0;
  std::function<base::Result<std::string>(std::uint64_t offset, std::size_t count)> read;
};

struct LoggedObject {
  ObjectFacts facts;
  /// Where its bytes are, from the start of the log.
  std::uint64_t offset = 0;
};

struct LogScan {
  std::vector<LoggedObject> objects{};
  /// Where the last whole frame ends: what follows is torn, or still being written.
  std::uint64_t end = 0;
};

/// Reads the tables of all whole frames from `start` (an end of an earlier scan, or 0). A torn end
/// is ignored; a damaged frame with a whole one after it is `corruption`.
[[nodiscard]] base::Result<LogScan> scan_log(const LogSource& source, std::uint64_t start);

}  // namespace clever::git::internal
