// Prints what the explorer finds in each model of each report, and what real threads yield.
//   reports_table [--json] [ROW-PREFIX]        both tables, or the rows that begin so
//   reports_table --schedule=NAME ROW          replays one schedule of one row, with its trace
//   reports_table --plants [FAULT-PREFIX]      plants faults, and says which row found them
// The first table is the same in every run; the second is not, which is the point of the first.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/plants.h"
#include "reports/table.h"

namespace {

using namespace clever::reports;

struct Arguments {
  bool json = false;
  bool plants = false;
  std::string schedule;
  std::string row;
  std::string unknown;
};

Arguments parse(int argc, char** argv) {
  constexpr std::string_view kSchedule = "--schedule=";
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--json") {
      arguments.json = true;
    } else if (argument == "--plants") {
      arguments.plants = true;
    } else if (argument.starts_with(kSchedule)) {
      arguments.schedule = argument.substr(kSchedule.size());
    } else if (argument.starts_with("-")) {
      arguments.unknown = argument;
    } else {
      arguments.row = argument;
    }
  }
  return arguments;
}

int replay_one(const std::vector<Row>& rows, const Arguments& arguments) {
  const auto row = std::ranges::find(rows, arguments.row, &Row::name);
  if (row == rows.end()) {
    std::cerr << "reports_table: no row '" << arguments.row
              << "'; a row is named REPORT/MODEL/PROPERTY, such as " << rows.front().name() << "\n";
    return 2;
  }
  const auto outcome = replay(*row, arguments.schedule);
  std::cout << row->name() << ": " << outcome << "\n";
  return outcome.failed() == row->breaks ? 0 : 1;
}

template <class T>
bool all_as_expected(const std::vector<T>& items) {
  return std::ranges::all_of(items, [](const T& item) { return item.as_expected(); });
}

void print_text(const std::vector<Verdict>& verdicts, const std::vector<Yield>& yields) {
  std::cout << "What the schedule explorer finds (the same in every run). A failure must be found "
               "within "
            << kBoundToFind << " schedules; 'holds' is over all schedules with at most "
            << kPreemptions << " preemptions.\n\n"
            << text_table(verdicts) << "\nReplay one: reports_table --schedule=REPLAY "
            << "REPORT/MODEL/PROPERTY\n";
  if (yields.empty()) return;
  std::cout << "\nWhat real threads yield (naive models differ from run to run)\n\n"
            << text_table(yields);
}

int print_plants(const std::string& prefix) {
  std::vector<Harvest> harvests;
  for (const PlantedFault& plant : all_plants()) {
    if (plant.name.starts_with(prefix)) harvests.push_back(harvest(plant));
  }
  std::cout
      << "Faults planted into the shipped components, and how many schedules (or runs of real "
         "threads) it took to find them\n\n"
      << text_table(harvests);
  return std::ranges::all_of(harvests, &Harvest::found) ? 0 : 1;
}

int print_tables(std::vector<Row> rows, const Arguments& arguments) {
  const auto other = [&](const Row& row) { return !row.name().starts_with(arguments.row); };
  std::erase_if(rows, other);
  const auto workloads = arguments.row.empty() ? all_workloads() : std::vector<Workload>{};
  const auto verdicts = explore_rows(rows);
  const auto yields = run_workloads(workloads);
  if (arguments.json) {
    std::cout << json_tables(verdicts, yields);
  } else {
    print_text(verdicts, yields);
  }
  return all_as_expected(verdicts) && all_as_expected(yields) ? 0 : 1;
}

int run(const Arguments& arguments) {
  if (arguments.plants) return print_plants(arguments.row);
  const auto rows = all_rows();
  return arguments.schedule.empty() ? print_tables(rows, arguments) : replay_one(rows, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse(argc, argv);
  if (!arguments.unknown.empty()) {
    std::cerr << "reports_table: unknown option '" << arguments.unknown
              << "'; it knows --json, --plants and --schedule=NAME\n";
    return 2;
  }
  const int status = run(arguments);
  // Threads of failing schedules stand still for ever: leave without waiting for them.
  std::cout.flush();
  std::_Exit(status);
}
