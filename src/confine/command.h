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

/// Limits of a command. 0: no limit of that kind. Lower limits of this process stay.
struct Limits {
  std::chrono::seconds cpu{0};
  std::uint64_t memory = 0;  // address space of each process, bytes
  /// Memory of all processes together, including files in memory, in bytes. Checked several times a
  /// second: a command beyond it is ended.
  std::uint64_t total_memory = 0;
  /// Processes of this user inside: the kernel refuses more. It does not count root's: a command of
  /// root with more, checked several times a second, is ended. Since Linux 6.14 the kernel refuses
  /// root's too, up to 300 later if the limit is below 600.
  std::uint64_t processes = 0;
  std::uint64_t file_size = 0;  // bytes
  // Bytes and files written to its writable mounts. Checked several times a second: a command
  // beyond it is ended.
  std::uint64_t disk = 0;
  std::uint64_t files = 0;
  std::uint64_t open_files = 0;
};

/// A mount inside.
struct Mount {
  enum class Kind : std::uint8_t {
    kReadOnly,   // `source` unchanged
    kWritable,   // `source`, writable
    kOverlay,    // `lower` (the first wins) under `upper`, which takes the changes; `work` is the
                 // kernel's
    kTemporary,  // empty, in memory, dropped afterwards
    kHidden,     // an empty, unwritable folder over the existing one
  };
  Kind kind = Kind::kReadOnly;
  std::filesystem::path target;
  std::filesystem::path source{};
  std::vector<std::filesystem::path> lower{};
  std::filesystem::path upper{};
  std::filesystem::path work{};
};

/// A command and its view of the system. A value. Everything of the host is read-only unless a
/// mount says otherwise; /home, /root, the runner's home folder and all of `hidden` are invisible;
/// /tmp, /var/tmp, /dev/shm and /run are its own, /proc shows its own processes, and /dev has the
/// few devices that programs expect.
struct Command {
  /// The program (looked up in the PATH inside) and its arguments.
  std::vector<std::string> argv;
  /// Absolute, inside.
  std::filesystem::path working_directory{};
  /// "NAME=value" each; its whole environment.
  std::vector<std::string> environment{};
  /// In this order; a later one may lie inside an earlier one. Sources are host paths, even if they
  /// are hidden inside. A missing target is created if it lies in /, in a hidden or temporary
  /// mount, or in a writable one.
  std::vector<Mount> mounts{};
  std::vector<std::filesystem::path> hidden{};
  Limits limits{};
  Network network = Network::kOff;
  /// For Network::kHosts: "example.org", "*.example.org", "example.org:8080"; "*" for every public
  /// host. They are reached through the proxy in the environment inside (HTTP_PROXY, HTTPS_PROXY,
  /// …). Names are resolved outside; those below a `*.`, and all of `*`, lead to public addresses
  /// only. A service of this machine is listed with its port, "127.0.0.1:11434"; inside it has the
  /// same port of the loopback device, with or without the proxy.
  std::vector<std::string> hosts{};
  /// Ports of this machine that are never reachable, even if `hosts` lists them; nor are this
  /// program's own.
  std::vector<std::uint16_t> closed_ports{};
  /// A person chose the program (by a setting, an actor, a hook, a validation, the command line),
  /// not a model: if it lies below a home folder or in /tmp, it is mounted read-only in place. For
  /// a model's choice only programs in the person's PATH are.
  bool chosen_by_person = false;
  /// Runs without all of the above, as a person explicitly allowed: in `working_directory`, with
  /// the given environment, in its own process group.
  bool unconfined = false;
};

}  // namespace clever::confine
