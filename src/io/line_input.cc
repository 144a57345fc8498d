#include "io/line_input.h"

#include <poll.h>
#include <termios.h>

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

/// Has the terminal hand over each key at once, and echo none; its destructor takes that back.
class KeyMode {
 public:
  explicit KeyMode(int descriptor) : descriptor_(descriptor) {
    known_ = ::tcgetattr(descriptor_, &before_) == 0;
    if (!known_) return;
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    static_cast<void>(::tcsetattr(descriptor_, TCSANOW, &keys));
  }
  ~KeyMode() {
    if (known_) static_cast<void>(::tcsetattr(descriptor_, TCSANOW, &before_));
  }
  KeyMode(const KeyMode&) = delete;
  KeyMode& operator=(const KeyMode&) = delete;

 private:
  const int descriptor_;
  termios before_{};
  bool known_ = false;
};

bool is_ready(int descriptor) {
  pollfd input{descriptor, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

// The rest of a character, an escape sequence or a line end that came with the key.
std::size_t following_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
}

}  // namespace

base::Result<std::optional<std::string>> read_key(int descriptor, const base::StopToken& stop) {
  constexpr char kEnd = 4;
  const internal::Borrowed input(descriptor);
  CLEVER_ASSIGN(const Bell bell, Bell::create());
  const base::StopCallback on_stop(stop, [&bell] { bell.ring(); });
  const KeyMode mode(descriptor);
  CLEVER_ASSIGN(const auto first, next_byte(input.file(), bell, stop));
  if (!first || *first == kEnd) return std::optional<std::string>{};
  std::string key;
  if (*first != '\n' && *first != '\r') key = *first;
  for (std::size_t left = following_bytes(*first); left > 0; --left) {
    CLEVER_ASSIGN(const auto byte, next_byte(input.file(), bell, stop));
    if (byte) key.push_back(*byte);
  }
  if (!key.empty() && key != "\x1b" && is_ready(descriptor)) {
    CLEVER_ASSIGN(const auto behind, next_byte(input.file(), bell, stop));
    if (behind && *behind != '\n' && *behind != '\r') key.push_back(*behind);
  }
  return std::optional(std::move(key));
}

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
