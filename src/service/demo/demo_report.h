#pragma once
// The demo's report for people and programs. Pure functions. Private to the module.
#include <string>
#include <vector>

#include "service/demo/demo_run.h"
#include "service/report.h"

namespace clever::service {

[[nodiscard]] Report demo_report(const DemoOutcome& outcome);

/// A unified diff without what surrounds the changed lines: "lib/a.sh", then what went and what
/// came.
[[nodiscard]] std::vector<Line> short_diff(const std::string& diff);

}  // namespace clever::service
