#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "base/thread.h"

namespace clever::server {

/// Reloads a server's certificate when its files change: every few seconds it compares what they
/// hold. A certificate that cannot be used is reported once, and the old one stays.
///
/// Owned by the server command. The destructor stops the thread.
class CertificateWatch {
 public:
  struct Parts {
    std::vector<std::filesystem::path> files{};
    /// By the thread of the watch.
    std::function<base::Result<void>()> reload{};
    std::function<void(const base::Error&)> report{};
    base::Clock& clock;
    base::Duration interval = std::chrono::seconds(5);
  };
  explicit CertificateWatch(Parts parts);

 private:
  [[nodiscard]] base::Sha256Digest content() const;
  void watch(const base::StopToken& stop);

  const Parts parts_;
  base::Thread thread_;
};

}  // namespace clever::server
