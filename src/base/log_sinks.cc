#include "base/log_sinks.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/internal/rotating_file.h"
#include "base/mutex.h"

namespace clever::base {
namespace {

constexpr std::chrono::seconds kReopenAfter{1};

// One line at a time. This lock exists for writing: only output happens under it, and Logger
// ensures that no caller holds another lock.
class LineSink : public LogSink {
 public:
  explicit LineSink(LogFormat format) : format_(format) {}

  Result<void> write(const LogRecord& record) final {
    std::string line = format(record, format_).append("\n");
    const MutexLock lock(mutex_);
    // Ends the line of a failed write.
    if (torn_) line.insert(0, "\n");
    Result<void> written = put(line);
    torn_ = !written.ok();
    return written;
  }

 protected:
  virtual Result<void> put(std::string_view line) CLEVER_REQUIRES(mutex_) = 0;

  Mutex mutex_;

 private:
  const LogFormat format_;
  bool torn_ CLEVER_GUARDED_BY(mutex_) = false;
};

class DescriptorSink final : public LineSink {
 public:
  DescriptorSink(int descriptor, LogFormat format) : LineSink(format), descriptor_(descriptor) {}

 private:
  Result<void> put(std::string_view line) override {
    while (!line.empty()) {
      const ssize_t count = ::write(descriptor_, line.data(), line.size());
      if (count >= 0) {
        line.remove_prefix(static_cast<std::size_t>(count));
      } else if (!can_go_on(errno)) {
        return unavailable("cannot write the log: " + std::system_category().message(errno));
      }
    }
    return {};
  }

  // Another program may have made the terminal non-blocking: then wait as a blocking write would.
  [[nodiscard]] bool can_go_on(int error) const {
    if (error == EINTR) return true;
    if (error != EAGAIN) return false;
    pollfd waiting{descriptor_, POLLOUT, 0};
    return ::poll(&waiting, 1, -1) >= 0 || errno == EINTR;
  }

  const int descriptor_;
};

class FileSink final : public LineSink {
 public:
  FileSink(LogFileOptions options, const Clock& clock, internal::RotatingFile file)
      : LineSink(options.format),
        options_(std::move(options)),
        clock_(clock),
        file_(std::move(file)) {}

 private:
  Result<void> put(std::string_view line) override CLEVER_REQUIRES(mutex_) {
    if (!file_) CLEVER_TRY(reopen());
    Result<void> written = file_->append(line);
    if (!written.ok()) close();
    return written;
  }

  Result<void> reopen() CLEVER_REQUIRES(mutex_) {
    if (clock_.now() < retry_at_) return unavailable("the log file could not be written just now");
    auto file = internal::RotatingFile::open(options_.path, options_.max_bytes, options_.old_files);
    if (!file.ok()) {
      close();
      return std::move(file).error();
    }
    file_.emplace(std::move(file).value());
    return {};
  }

  void close() CLEVER_REQUIRES(mutex_) {
    file_.reset();
    retry_at_ = clock_.now() + kReopenAfter;
  }

  // Constant after construction.
  const LogFileOptions options_;
  const Clock& clock_;
  // Empty if the last attempt failed.
  std::optional<internal::RotatingFile> file_ CLEVER_GUARDED_BY(mutex_);
  TimePoint retry_at_ CLEVER_GUARDED_BY(mutex_){};
};

}  // namespace

std::shared_ptr<LogSink> descriptor_log_sink(int descriptor, LogFormat format) {
  return std::make_shared<DescriptorSink>(descriptor, format);
}

std::shared_ptr<LogSink> stderr_log_sink(LogFormat format) {
  return descriptor_log_sink(STDERR_FILENO, format);
}

Result<std::shared_ptr<LogSink>> file_log_sink(const LogFileOptions& options, const Clock& clock) {
  CLEVER_ASSIGN(auto file,
                internal::RotatingFile::open(options.path, options.max_bytes, options.old_files));
  return std::shared_ptr<LogSink>(std::make_shared<FileSink>(options, clock, std::move(file)));
}

}  // namespace clever::base
