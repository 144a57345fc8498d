#include "io/background_process.h"

#include <fcntl.h>

#include <cerrno>

#include "io/file_descriptor.h"
#include "io/internal/spawn.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

constexpr mode_t kLogMode = 0600;

struct Streams {
  FileDescriptor input;
  FileDescriptor output;
};

base::Result<Streams> open_streams(const std::filesystem::path& log) {
  FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.valid()) return system_error(errno, "cannot open", "/dev/null");
  FileDescriptor output(::open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kLogMode));
  if (!output.valid()) return system_error(errno, "cannot write", log);
  return Streams{.input = std::move(input), .output = std::move(output)};
}

}  // namespace

base::Result<std::int64_t> start_in_background(const BackgroundProcess& process) {
  CLEVER_ASSIGN(const Streams streams, open_streams(process.log));
  CLEVER_ASSIGN(
      const pid_t number,
      internal::spawn({.argv = process.argv, .working_directory = process.working_directory},
                      {.input = streams.input.number(),
                       .output = streams.output.number(),
                       .error_output = streams.output.number()},
                      internal::Leads::kSession));
  return static_cast<std::int64_t>(number);
}

}  // namespace clever::io
