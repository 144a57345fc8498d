#pragma once
// The two tables that reports_table prints: what the explorer finds, and what real threads yield.

#include <span>
#include <string>
#include <vector>

#include "reports/report.h"
#include "reports/search.h"
#include "reports/threads.h"

namespace clever::reports {

/// Lines of a table, the first of them its head, in columns that are as wide as they need to be.
using Cells = std::vector<std::string>;
[[nodiscard]] std::string aligned(std::span<const Cells> lines);

/// A row and what one strategy said of it.
struct Verdict {
  const Row* row = nullptr;
  explore::Strategy strategy{};
  explore::Outcome outcome;

  /// The row says what the explorer found: a failure of the known kind and words, or none.
  [[nodiscard]] bool as_expected() const;
};

/// A broken row by every strategy, a whole one exhaustively.
[[nodiscard]] std::vector<Verdict> explore_rows(std::span<const Row> rows);

/// A workload and what it yielded with so many workers.
struct Yield {
  const Workload* workload = nullptr;
  int workers = 0;
  Tally tally;

  /// Exact ones to the last count; others within what is possible at all.
  [[nodiscard]] bool as_expected() const;
};
[[nodiscard]] std::vector<Yield> run_workloads(std::span<const Workload> workloads);

[[nodiscard]] std::string text_table(std::span<const Verdict> verdicts);
[[nodiscard]] std::string text_table(std::span<const Yield> yields);
/// One JSON object with the members "schedules" and "threads".
[[nodiscard]] std::string json_tables(std::span<const Verdict> verdicts,
                                      std::span<const Yield> yields);

}  // namespace clever::reports
