// Each planted fault is found by the row that it is named with. `./check plants` prints the table.

#include "reports/plants.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <regex>
#include <set>

#include "reports/report.h"
#include "support/built_paths.h"
#include "support/campaign.h"

namespace clever::reports {

// Found by GoogleTest when it names a parameter.
static void PrintTo(const PlantedFault& plant, std::ostream* out) { *out << plant.name; }

namespace {

// One of each report; all of them in long campaigns and in `./check plants`.
std::vector<PlantedFault> sample() {
  std::vector<PlantedFault> plants = all_plants();
  if (test::campaign(0, 1) == 1) return plants;
  std::set<std::string> seen;
  std::erase_if(plants, [&](const PlantedFault& one) { return !seen.insert(one.report).second; });
  return plants;
}

class Plants : public testing::TestWithParam<PlantedFault> {};

TEST_P(Plants, AreFoundByTheirRow) {
  const Harvest found = harvest(GetParam());
  EXPECT_TRUE(found.found) << GetParam().row << " does not notice " << GetParam().name << " in "
                           << found.tries << " tries";
}
INSTANTIATE_TEST_SUITE_P(Report, Plants, testing::ValuesIn(sample()), [](const auto& info) {
  return info.param.report + "_" + std::to_string(info.index);
});

// What the sources of a folder name by such an expression.
void add_names(const std::filesystem::path& folder, const std::regex& expression,
               std::set<std::string>& names) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    if (entry.path().filename() == "plant.h") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
      names.insert((*it)[1].str());
    }
  }
}

TEST(PlantsTable, NamesEveryFaultThatAComponentAsksFor) {
  std::set<std::string> asked;
  add_names(test::source_root() / "src", std::regex("planted\\(\"([a-z0-9_.]+)\"\\)"), asked);
  std::set<std::string> listed;
  for (const PlantedFault& plant : all_plants()) listed.insert(plant.name);
  // Faults of the server: the simulator plants and finds them.
  const std::regex planting("[pP]lant(?:ing planting\\(|\\{)\"([a-z0-9_.]+)\"");
  add_names(test::source_root() / "test/sim/server", planting, listed);
  EXPECT_EQ(asked, listed);
}

TEST(PlantsTable, HasOneOfEveryReportAndNeighbour) {
  std::set<std::string> reports;
  for (const PlantedFault& plant : all_plants()) reports.insert(plant.report);
  EXPECT_EQ(reports, (std::set<std::string>{"3950", "6732", "6762", "6771", "7031", "7036", "7060",
                                            "7076", "7088", "7120", "7333"}));
}

// Rows that no fault of one component can break, with what makes them hold.
const std::set<std::string>& rows_without_a_plant() {
  static const std::set<std::string> kRows{
      "7031/ours/one_identity",    // there is no way to ask for a second registry
      "7031/ours/stays_alive",     // the same
      "7120/ours/no_index_error",  // there is no index to be wrong about
      "7120/ours/no_orphan",       // one command decides on the start and the first change
      "7088/ours/opens_once",      // the harness counts what the circuit says of itself
      "7088/ours/late_failure",    // the same
      "3950/ours/migrates_once",   // the source migrates each engine that it opens
      "3950/ours/fails_alone",     // a failure knows its own opening only
      "3950/ours/usable",          // an engine is a pointer that its holders share
  };
  return kRows;
}

TEST(PlantsTable, HasOneForEveryRow) {
  std::set<std::string> planted = rows_without_a_plant();
  for (const PlantedFault& plant : all_plants()) planted.insert(plant.row);
  for (const Row& row : all_rows()) {
    if (row.model == "ours") EXPECT_TRUE(planted.contains(row.name())) << row.name();
  }
}

TEST(PlantsTable, SaysWhatSurvives) {
  const PlantedFault& plant = all_plants().front();
  const std::vector<Harvest> harvests{{.plant = &plant, .tries = 7}};
  EXPECT_NE(text_table(harvests).find("7            SURVIVED"), std::string::npos)
      << text_table(harvests);
}

}  // namespace
}  // namespace clever::reports
