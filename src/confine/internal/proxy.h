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

/// The way out for a command that may reach certain hosts: takes the connections that the forwarder
/// inside hands over, and speaks HTTP's CONNECT and absolute-form requests on them. Names are
/// resolved here, outside; whatever is not listed is refused with a sentence that says so. A
/// connection to a listed port of this machine is passed on as it is. Ports of this program, and
/// those that are closed, are never reached. Each
/// connection has a thread of its own, of which there are at most a few dozen; further connections
/// wait until one has ended.
///
/// Owned by the process it serves; its threads end with it.
class Proxy {
 public:
  /// Serves the connections that come over this socket.
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
