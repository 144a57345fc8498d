#include "crash/crash_points.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "support/built_paths.h"

namespace clever::storage::crash {
namespace {

void add_points_of(const std::filesystem::path& file, std::set<std::string>& points) {
  static const std::regex kPoint(R"re(crash_point\("([^"]+)"\))re");
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (std::sregex_iterator at(text.begin(), text.end(), kPoint), end; at != end; ++at) {
    points.insert((*at)[1].str());
  }
}

}  // namespace

std::vector<std::string> crash_points(const std::vector<std::string_view>& modules) {
  std::set<std::string> points;
  for (const std::string_view module : modules) {
    const std::filesystem::path folder = test::source_root() / "src" / module;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".cc") && !name.ends_with("_test.cc")) add_points_of(entry.path(), points);
    }
  }
  return {points.begin(), points.end()};
}

}  // namespace clever::storage::crash
