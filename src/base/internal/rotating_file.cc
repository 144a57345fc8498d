#include "base/internal/rotating_file.h"

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <sys/stat.h>

#include <exception>

namespace clever::base::internal {
namespace {

// Logs are for their owner's eyes, and no business of child processes.
void make_private(const spdlog::filename_t&, std::FILE* file) {
  const int descriptor = ::fileno(file);
  struct stat status{};
  // Not for /dev/stderr and its like: they belong to others too.
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    static_cast<void>(::fchmod(descriptor, S_IRUSR | S_IWUSR));
  }
  static_cast<void>(::fcntl(descriptor, F_SETFD, FD_CLOEXEC));
}

spdlog::file_event_handlers handlers() {
  spdlog::file_event_handlers result;
  result.after_open = make_private;
  return result;
}

}  // namespace

class RotatingFile::Sink {
 public:
  Sink(const std::filesystem::path& path, std::uint64_t max_bytes, std::size_t old_files)
      : sink_(path.string(), max_bytes, old_files, false, handlers()) {
    sink_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%v", spdlog::pattern_time_type::utc, std::string()));
  }
  void append(std::string_view line) {
    sink_.log({spdlog::string_view_t(), spdlog::level::info, {line.data(), line.size()}});
    sink_.flush();
  }

 private:
  spdlog::sinks::rotating_file_sink_st sink_;
};

RotatingFile::RotatingFile(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
RotatingFile::RotatingFile(RotatingFile&&) noexcept = default;
RotatingFile::~RotatingFile() = default;

Result<RotatingFile> RotatingFile::open(const std::filesystem::path& path, std::uint64_t max_bytes,
                                        std::size_t old_files) {
  try {
    return RotatingFile(std::make_unique<Sink>(path, max_bytes, old_files));
  } catch (const std::exception& failure) {
    return unavailable("cannot open the log file: " + std::string(failure.what()));
  }
}

Result<void> RotatingFile::append(std::string_view line) {
  try {
    sink_->append(line);
    return {};
  } catch (const std::exception& failure) {
    return unavailable("cannot write the log file: " + std::string(failure.what()));
  }
}

}  // namespace clever::base::internal
