#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "io/file_descriptor.h"

// Serves several pipes on one thread, without letting one block the others.
namespace clever::io {

/// Afterwards read_some() and write_some() do not wait.
[[nodiscard]] base::Result<void> make_nonblocking(const FileDescriptor& file);

/// Reads what is available, at most `buffer`: none if there is nothing now, 0 at the end.
[[nodiscard]] base::Result<std::optional<std::size_t>> read_some(const FileDescriptor& file,
                                                                 std::span<char> buffer);

/// Writes as much as fits now, possibly nothing. `unavailable` if the reader is gone, never
/// SIGPIPE.
[[nodiscard]] base::Result<std::size_t> write_some(const FileDescriptor& file,
                                                   std::string_view bytes);

/// A bell that wakes a thread in wait_for_any(). Thread-safe.
class Bell {
 public:
  [[nodiscard]] static base::Result<Bell> create();
  void ring() const;
  /// Until it is rung again.
  void silence() const;
  [[nodiscard]] const FileDescriptor& descriptor() const noexcept { return descriptor_; }

 private:
  explicit Bell(FileDescriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}
  FileDescriptor descriptor_;
};

/// One descriptor to wait for; null ones are skipped.
struct Awaited {
  const FileDescriptor* file = nullptr;
  bool to_write = false;
  /// Set by wait_for_any(): a read or write would not block, be it at the end.
  bool ready = false;
};

/// Waits until one of them is ready, or for `timeout_ms` (negative: forever).
[[nodiscard]] base::Result<void> wait_for_any(std::span<Awaited> files, int timeout_ms);

}  // namespace clever::io
