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

/// How much a command may use. 0: no limit of that kind. Limits of this process that are lower
/// stay.
struct Limits {
  std::chrono::seconds cpu{0};
  std::uint64_t memory = 0;  // address space of each process, bytes
  /// What all processes hold in memory together, files in memory included, in bytes. Looked at
  /// several times a second: a command that holds more is ended.
  std::uint64_t total_memory = 0;
  /// Of this user inside: the kernel refuses more. It does not count root's: a command of root is
  /// ended that has more at one of several looks a second. Since Linux 6.14 the kernel
  /// refuses root's too, up to 300 later if the limit is below 600.
  std::uint64_t processes = 0;
  std::uint64_t file_size = 0;  // bytes
  // What it writes to its writable mounts, in bytes and files. Looked at several times a second: a
  // command that writes more is ended.
  std::uint64_t disk = 0;
  std::uint64_t files = 0;
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
/// says otherwise; /home, /root, the home folder of whoever runs it and all of `hidden` are
/// invisible; /tmp, /var/tmp, /dev/shm and /run are its own, /proc shows its own processes, and
/// /dev holds the few devices that programs expect.
struct Command {
  /// The program (looked up in the PATH inside) and its arguments.
  std::vector<std::string> argv;
  /// Absolute, inside.
  std::filesystem::path working_directory{};
  /// "NAME=value" each; nothing else is in its environment.
  std::vector<std::string> environment{};
  /// In this order; a later one may lie inside an earlier one. Sources are what they are outside,
  /// also where that is hidden inside. A target that does not exist inside is created if it lies in
  /// /, in something hidden or temporary, or in a writable mount.
  std::vector<Mount> mounts{};
  std::vector<std::filesystem::path> hidden{};
  Limits limits{};
  Network network = Network::kOff;
  /// For Network::kHosts: "example.org", "*.example.org", "example.org:8080"; "*" for every public
  /// host; reached through the proxy that the environment inside names (HTTP_PROXY, HTTPS_PROXY,
  /// …). Names are resolved outside; those below a `*.`, and all of `*`, lead to public addresses
  /// only. A service of this machine is named with its port, "127.0.0.1:11434"; inside it is at
  /// the same port of the loopback device, whether or not a program heeds the proxy.
  std::vector<std::string> hosts{};
  /// Ports of this machine that are never reached that way, whatever `hosts` lists. Those of this
  /// very program are not either.
  std::vector<std::uint16_t> closed_ports{};
  /// A person chose the program (a setting, an actor, a hook, a validation, the command line), not
  /// a model: if it lies below a home folder or in /tmp, it is mounted read-only where it is. Of
  /// what a model chooses, only what the PATH of the person names is.
  bool chosen_by_person = false;
  /// Runs without any of the above, as a person allowed explicitly: in `working_directory`, with
  /// the given environment, in a process group of its own.
  bool unconfined = false;
};

}  // namespace clever::confine
