#include "server/certificate_watch.h"

#include <utility>

#include "base/deadline.h"
#include "base/monitor.h"
#include "io/file.h"

namespace clever::server {

CertificateWatch::CertificateWatch(Parts parts)
    : parts_(std::move(parts)),
      thread_("certificates", [this](const base::StopToken& stop) { watch(stop); }) {}

base::Sha256Digest CertificateWatch::content() const {
  base::Sha256 all;
  for (const std::filesystem::path& file : parts_.files) {
    const auto text = io::read_file(file);
    // A file that is just being replaced is another content too.
    all.update(text.ok() ? *text : "").update("\n");
  }
  return all.finish();
}

void CertificateWatch::watch(const base::StopToken& stop) {
  // Differs from any content: what changed before the thread began counts.
  base::Sha256Digest loaded;
  while (!stop.stop_requested()) {
    if (const base::Sha256Digest now = content(); now != loaded) {
      loaded = now;
      if (const auto done = parts_.reload(); !done.ok()) parts_.report(done.error());
    }
    static_cast<void>(
        base::Monitor<bool>().wait(stop, base::Deadline::after(parts_.clock, parts_.interval),
                                   [](const bool& over) { return over; }));
  }
}

}  // namespace clever::server
