#include "io/file_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "base/lock_rank.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<FileWatch> FileWatch::open(const std::filesystem::path& path) {
  base::lock_rank::require_none("watching a file");
  FileDescriptor events(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!events.valid()) return system_error(errno, "cannot watch files");
  if (::inotify_add_watch(events.number(), path.c_str(), IN_MODIFY) < 0) {
    return system_error(errno, "cannot watch", path);
  }
  FileDescriptor stopped(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stopped.valid()) return system_error(errno, "cannot watch", path);
  return FileWatch(std::move(events), std::move(stopped));
}

base::Result<bool> FileWatch::wait(const base::StopToken& stop, base::Duration patience) {
  base::lock_rank::require_none("waiting for a file to change");
  const base::StopCallback on_stop(stop, [this] { ::eventfd_write(stopped_.number(), 1); });
  std::array<pollfd, 2> watched{pollfd{.fd = events_.number(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = stopped_.number(), .events = POLLIN, .revents = 0}};
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
  const int ready = ::poll(watched.data(), watched.size(), static_cast<int>(milliseconds));
  if (stop.stop_requested()) return base::cancelled("stopped while waiting for a file to change");
  if (ready < 0 && errno != EINTR) return system_error(errno, "cannot watch files");
  bool changed = false;
  std::array<char, 4096> events{};
  while (::read(events_.number(), events.data(), events.size()) > 0) changed = true;
  return changed;
}

}  // namespace clever::io
