#include "service/demo/demo_worker.h"

#include <utility>

namespace clever::service {

DemoWorker::DemoWorker(const DemoCopy& copy, std::vector<std::string> arguments,
                       std::filesystem::path number_file)
    : thread_("worker", [this, &copy, arguments = std::move(arguments),
                         number_file = std::move(number_file)](const base::StopToken& stop) {
        auto result = copy.agents(arguments, stop, number_file);
        result_.update([&](Ended& ended) { ended = std::move(result); });
        ended_.request_stop();
      }) {}

void DemoWorker::kill() {
  thread_.request_stop();
  thread_.join();
}

base::Result<io::ProcessResult> DemoWorker::wait(const base::StopToken& stop) {
  CLEVER_TRY(result_.wait(stop, base::Deadline::never(),
                          [](const Ended& ended) { return ended.has_value(); }));
  CLEVER_ASSIGN(auto result, result_.read([](const Ended& ended) { return *ended; }));
  if (result.succeeded()) return result;
  return base::unavailable(
      "the worker failed (exit code " + std::to_string(result.exit_code) +
      "): " + (result.error_output.empty() ? result.output : result.error_output));
}

bool DemoWorker::has_ended() const {
  return result_.read([](const Ended& ended) { return ended.has_value(); });
}

}  // namespace clever::service
