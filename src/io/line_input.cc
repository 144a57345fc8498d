#include "io/line_input.h"

#include <array>

#include "io/descriptor_wait.h"
#include "io/internal/borrowed.h"

namespace clever::io {
namespace {

constexpr std::size_t kLongest = std::size_t{64} << 10U;

// Returns a byte, or none at the end.
base::Result<std::optional<char>> next_byte(const FileDescriptor& file, const Bell& bell,
                                            const base::StopToken& stop) {
  for (;;) {
    std::array<Awaited, 2> both{Awaited{.file = &file}, Awaited{.file = &bell.descriptor()}};
    CLEVER_TRY(wait_for_any(both, -1));
    if (stop.stop_requested()) return base::cancelled("interrupted before an answer");
    std::array<char, 1> byte{};
    CLEVER_ASSIGN(const auto count, read_some(file, byte));
    if (count == std::size_t{0}) return std::optional<char>{};
    if (count) return std::optional(byte[0]);
  }
}

}  // namespace

base::Result<std::optional<std::string>> read_line(int descriptor, const base::StopToken& stop) {
  const internal::Borrowed input(descriptor);
  CLEVER_ASSIGN(const Bell bell, Bell::create());
  const base::StopCallback on_stop(stop, [&bell] { bell.ring(); });
  std::string line;
  while (line.size() < kLongest) {
    CLEVER_ASSIGN(const auto byte, next_byte(input.file(), bell, stop));
    if (!byte && line.empty()) return std::optional<std::string>{};
    if (!byte || *byte == '\n') return std::optional(std::move(line));
    line.push_back(*byte);
  }
  return base::resource_exhausted("a line of the input is longer than 64 KiB");
}

}  // namespace clever::io
