#include "confine/internal/start_outcome.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string>

namespace clever::confine::internal {

void tell_failure(const io::FileDescriptor& pipe, const base::Error& error) {
  const std::string text = std::string(base::to_string(error.code())) + "\n" + error.sentence();
  // A pipe takes this much at once; a failure means that the reader is gone.
  const ssize_t count =
      ::write(pipe.number(), text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
  static_cast<void>(count);
}

base::Result<void> start_outcome(const io::FileDescriptor& pipe) {
  std::string text(PIPE_BUF, '\0');
  ssize_t count = 0;
  while ((count = ::read(pipe.number(), text.data(), text.size())) < 0 && errno == EINTR) {
  }
  if (count <= 0) return {};
  text.resize(static_cast<std::size_t>(count));
  const std::size_t line = std::min(text.find('\n'), text.size() - 1);
  const auto code = base::error_code_from_string(text.substr(0, line));
  return base::Error(code.value_or(base::ErrorCode::kInternal), text.substr(line + 1));
}

}  // namespace clever::confine::internal
