#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clever::confine {

enum class Network : std::uint8_t { kOff, kHosts, kOn };

/// How much a command may use. 0: no limit of that kind.
struct Limits {
  std::chrono::seconds cpu{0};
  std::uint64_t memory = 0;     // address space of each process, bytes
  std::uint64_t processes = 0;  // of this user inside
  std::uint64_t file_size = 0;  // bytes
  std::uint64_t open_files = 0;
};

/// Something visible inside.
struct Mount {
  enum class Kind : std::uint8_t {
    kReadOnly,   // `source` as it is
    kWritable,   // `source` as it is, writable
    kOverlay,    // `lower` (the first wins) under `upper`, where changes go; `work` is the kernel's
    kTemporary,  // empty, in memory, gone afterwards
    kHidden,     // an empty, unwritable folder over whatever is there
  };
  Kind kind = Kind::kReadOnly;
  std::filesystem::path target;
  std::filesystem::path source{};
  std::vector<std::filesystem::path> lower{};
  std::filesystem::path upper{};
  std::filesystem::path work{};
};

/// A command and the world it sees. A value. Everything of the host is read-only unless a mount
/// says otherwise; the home folder and all of `hidden` are invisible; /tmp, /dev/shm and /run are
/// its own.
struct Command {
  /// The program (looked up in the PATH inside) and its arguments.
  std::vector<std::string> argv;
  /// Absolute, inside.
  std::filesystem::path working_directory{};
  /// "NAME=value" each; nothing else is in its environment.
  std::vector<std::string> environment{};
  /// In this order; a later one may lie inside an earlier one.
  std::vector<Mount> mounts{};
  std::vector<std::filesystem::path> hidden{};
  Limits limits{};
  Network network = Network::kOff;
  /// For Network::kHosts: "example.org", "*.example.org", "example.org:8080"; reached through the
  /// proxy that the environment inside names (HTTP_PROXY, HTTPS_PROXY, …).
  std::vector<std::string> hosts{};
  /// Runs without any of the above, as a person allowed explicitly: in `working_directory`, with
  /// the given environment, in a process group of its own.
  bool unconfined = false;
};

}  // namespace clever::confine
