// Any text is a list of tasks or a mistake with its place; nothing else.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "service/commands/run_request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tasks = clever::service::tasks_from_yaml(text, "tasks.yaml", "/folder", {});
  if (tasks.ok()) {
    CLEVER_CHECK(!tasks->empty() && tasks->size() <= clever::service::kMostTasks,
                 "a bound is broken");
  } else {
    CLEVER_CHECK(tasks.error().message().starts_with("tasks.yaml:"), "a mistake has no place");
  }
  return 0;
}
