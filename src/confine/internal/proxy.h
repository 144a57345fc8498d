#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/thread.h"
#include "confine/command.h"
#include "confine/confined_process.h"
#include "confine/internal/host_rules.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// The network access of a command with listed hosts: takes the connections that the forwarder
/// inside hands over, and serves HTTP's CONNECT and absolute-form requests on them. Resolves names
/// here, outside; refuses unlisted hosts with a sentence. Passes a connection to a listed port of
/// this machine on unchanged. Never reaches this program's own ports, nor closed ones. Each
/// connection has its own thread, at most a few dozen; further connections wait.
///
/// Owned by the process it serves; its threads end with it.
class Proxy {
 public:
  /// Serves the connections that arrive over this socket.
  Proxy(Launcher launcher, HostRules rules, std::vector<std::uint16_t> closed_ports,
        io::FileDescriptor connections, io::FileDescriptor stop_event);
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

 private:
  void serve(const base::StopToken& stop, io::FileDescriptor stop_event);

  // Constant after construction.
  const Launcher launcher_;
  const HostRules rules_;
  const std::vector<std::uint16_t> closed_ports_;
  const io::FileDescriptor connections_;
  base::SystemClock clock_;
  base::Thread thread_;
};

}  // namespace clever::confine::internal
