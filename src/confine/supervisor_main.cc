#include <fcntl.h>
#include <sys/prctl.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "confine/confined_process.h"
#include "confine/internal/addresses.h"
#include "confine/internal/channel.h"
#include "confine/internal/probe.h"
#include "confine/internal/report.h"
#include "confine/internal/request.h"
#include "confine/internal/shared_counters.h"
#include "confine/internal/supervisor.h"

namespace clever::confine {
namespace {

using namespace internal;

// The parent that starts a supervisor has the request ready.
constexpr std::chrono::seconds kPatience{30};

base::Result<Command> receive_request() {
  CLEVER_ASSIGN(const std::string head,
                receive_exactly(kControlNumber, kRequestHeadSize, kPatience));
  CLEVER_ASSIGN(const std::size_t size, read_request_head(head));
  CLEVER_ASSIGN(const std::string body, receive_exactly(kControlNumber, size, kPatience));
  return decode_request(body);
}

}  // namespace

int supervisor_main(int argc, char** argv) {
  share_coverage_counters();
  const std::vector<std::string_view> words(argv, argv + argc);
  if (words.size() > 2 && words[words.size() - 2] == "resolve") {
    return print_addresses(argv[argc - 1]);
  }
  if (words.size() > 1 && words.back() == "probe") return print_features();
  // Programs started from here must not inherit these.
  for (const int number : {kControlNumber, kProxyNumber}) ::fcntl(number, F_SETFD, FD_CLOEXEC);
  auto command = receive_request();
  if (!command.ok()) {
    send_report(kControlNumber, failure_report(command.error()));
    return 1;
  }
  if (command->unconfined) return supervise_unconfined(*command);
  ::prctl(PR_SET_NAME, kSupervisorName);
  return supervise_confined(*command);
}

}  // namespace clever::confine
