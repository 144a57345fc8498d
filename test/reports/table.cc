#include "reports/table.h"

#include <algorithm>

namespace clever::reports {
namespace {

std::size_t width_of(std::span<const Cells> lines, std::size_t column) {
  std::size_t width = 0;
  for (const Cells& cells : lines) width = std::max(width, cells[column].size());
  return width;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string member(std::string_view name, std::string_view value) {
  return quoted(name) + ": " + quoted(value);
}

std::string member(std::string_view name, std::int64_t value) {
  return quoted(name) + ": " + std::to_string(value);
}

std::string member(std::string_view name, bool value) {
  return quoted(name) + ": " + (value ? "true" : "false");
}

std::string schedules_text(const Verdict& verdict) {
  const auto text = std::to_string(verdict.outcome.schedules);
  return verdict.outcome.complete ? "all " + text : text;
}

std::string json_object(const Verdict& verdict) {
  const Row& row = *verdict.row;
  return "{" + member("report", row.report) + ", " + member("subject", row.subject) + ", " +
         member("model", row.model) + ", " + member("property", row.property.name) + ", " +
         member("holds", !verdict.outcome.failed()) + ", " +
         member("verdict", finding(row, verdict.outcome)) + ", " +
         member("as_expected", verdict.as_expected()) + ", " +
         member("strategy", to_string(verdict.strategy)) + ", " +
         member("schedules", static_cast<std::int64_t>(verdict.outcome.schedules)) + ", " +
         member("complete", verdict.outcome.complete) + ", " +
         member("schedule", verdict.outcome.schedule) + "}";
}

std::string json_object(const Yield& yield) {
  const Workload& workload = *yield.workload;
  return "{" + member("report", workload.report) + ", " + member("subject", workload.subject) +
         ", " + member("model", workload.model) + ", " +
         member("workers", std::int64_t{yield.workers}) + ", " + member("what", workload.what) +
         ", " + member("expected", yield.tally.expected) + ", " +
         member("counted", yield.tally.counted) + ", " +
         member("as_expected", yield.as_expected()) + "}";
}

template <class T>
std::string json_array(std::span<const T> items) {
  std::string text;
  for (const T& item : items) {
    text += (text.empty() ? "\n    " : ",\n    ") + json_object(item);
  }
  return "[" + text + "\n  ]";
}

std::string difference(const Tally& tally) {
  const auto difference = tally.counted - tally.expected;
  if (difference == 0) return "-";
  return difference > 0 ? std::to_string(difference) + " too many"
                        : std::to_string(-difference) + " lost";
}

}  // namespace

std::string aligned(std::span<const Cells> lines) {
  std::string text;
  for (const Cells& cells : lines) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += cells[i];
      if (i + 1 < cells.size()) line.append(width_of(lines, i) - cells[i].size() + 2, ' ');
    }
    text += line + "\n";
  }
  return text;
}

bool Verdict::as_expected() const {
  if (!row->breaks) return !outcome.failed();
  return outcome.failure == row->property.shows_as &&
         finding(*row, outcome) == row->property.broken;
}

std::vector<Verdict> explore_rows(std::span<const Row> rows) {
  std::vector<Verdict> verdicts;
  for (const Row& row : rows) {
    for (const explore::Strategy strategy : kStrategies) {
      if (!row.breaks && strategy != explore::Strategy::kExhaustive) continue;
      verdicts.push_back({&row, strategy, search(row, strategy)});
    }
  }
  return verdicts;
}

bool Yield::as_expected() const {
  if (workload->exact) return tally.counted == tally.expected;
  return workload->excess ? tally.counted >= tally.expected
                          : tally.counted >= 0 && tally.counted <= tally.expected;
}

std::vector<Yield> run_workloads(std::span<const Workload> workloads) {
  std::vector<Yield> yields;
  for (const Workload& workload : workloads) {
    for (const int workers : {10, 200})
      yields.push_back({&workload, workers, workload.run(workers)});
  }
  return yields;
}

std::string text_table(std::span<const Verdict> verdicts) {
  std::vector<Cells> lines{
      {"report", "subject", "model", "property", "verdict", "strategy", "schedules", "replay"}};
  for (const Verdict& verdict : verdicts) {
    const Row& row = *verdict.row;
    const auto said = finding(row, verdict.outcome);
    lines.push_back({"#" + row.report, row.subject, row.model, row.property.name,
                     verdict.as_expected() ? said : "UNEXPECTED: " + said,
                     std::string(to_string(verdict.strategy)), schedules_text(verdict),
                     verdict.outcome.schedule});
  }
  return aligned(lines);
}

std::string text_table(std::span<const Yield> yields) {
  std::vector<Cells> lines{
      {"report", "subject", "model", "workers", "what", "expected", "counted", "difference"}};
  for (const Yield& yield : yields) {
    const Workload& workload = *yield.workload;
    lines.push_back(
        {"#" + workload.report, workload.subject, workload.model, std::to_string(yield.workers),
         workload.what, std::to_string(yield.tally.expected), std::to_string(yield.tally.counted),
         yield.as_expected() ? difference(yield.tally) : "UNEXPECTED: " + difference(yield.tally)});
  }
  return aligned(lines);
}

std::string json_tables(std::span<const Verdict> verdicts, std::span<const Yield> yields) {
  return "{\n  \"schedules\": " + json_array(verdicts) + ",\n  \"threads\": " + json_array(yields) +
         "\n}\n";
}

}  // namespace clever::reports
