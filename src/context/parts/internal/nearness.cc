#include "context/parts/internal/nearness.h"

#include <algorithm>
#include <array>

namespace clever::context::internal {
namespace {

constexpr double kPair = 0.5;
constexpr double kEdge = 0.4;
constexpr double kFolder = 0.1;
constexpr std::size_t kMostNeighbours = 24;
/// The strongest hits, which define what the question is about.
constexpr std::size_t kStrongest = 5;

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

template <class Map>
void raise(Map& map, std::string key, double value) {
  double& held = map[std::move(key)];
  held = std::max(held, value);
}

template <class Map>
double value_of(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

}  // namespace

std::string subject_of(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  name.resize(std::min(name.find('.', 1), name.size()));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  constexpr auto kEndings = std::to_array<std::string_view>(
      {"_tests", "_test", "-test", "_spec", "-spec", "tests", "test", "spec"});
  for (const auto ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  constexpr auto kBeginnings = std::to_array<std::string_view>({"tests_", "test_", "test-"});
  for (const auto beginning : kBeginnings) {
    if (name.size() > beginning.size() && name.starts_with(beginning))
      name.erase(0, beginning.size());
  }
  return name;
}

Nearness::Nearness(const Question& question,
                   const std::vector<std::pair<std::string, double>>& hits) {
  for (const auto& path : question.focus) add(question, path, 1);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (i < kStrongest) {
      add(question, hits[i].first, hits[i].second);
    } else {
      raise(paths_, hits[i].first, hits[i].second);
    }
  }
}

void Nearness::add(const Question& question, const std::string& path, double strength) {
  raise(paths_, path, strength);
  raise(folders_, std::string(folder_of(path)), strength * kFolder);
  raise(subjects_, subject_of(path), strength * kPair);
  const auto file = question.view ? question.view->find(path) : std::nullopt;
  if (!file) return;
  for (const auto& edge : question.view->edges(*file, kMostNeighbours)) {
    raise(paths_, question.view->path(edge.to),
          strength * kEdge * std::clamp(edge.weight, 0.0, 1.0));
  }
}

double Nearness::of(std::string_view path) const {
  return std::max({value_of(paths_, path), value_of(folders_, folder_of(path)),
                   value_of(subjects_, subject_of(path))});
}

}  // namespace clever::context::internal
