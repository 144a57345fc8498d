#include <algorithm>
#include <map>
#include <tuple>

#include "context/parts/parts.h"

namespace clever::context {
namespace {

void sort_best_first(std::vector<Fragment>& fragments) {
  std::ranges::sort(fragments, [](const Fragment& a, const Fragment& b) {
    return std::tuple(-a.score, std::string_view(a.path), a.range.begin, a.range.end) <
           std::tuple(-b.score, std::string_view(b.path), b.range.begin, b.range.end);
  });
}

class ScoreOrderer final : public Orderer {
 public:
  [[nodiscard]] std::vector<Fragment> order(std::vector<Fragment> fragments) const override {
    sort_best_first(fragments);
    return fragments;
  }
};

class FileOrderer final : public Orderer {
 public:
  [[nodiscard]] std::vector<Fragment> order(std::vector<Fragment> fragments) const override {
    sort_best_first(fragments);
    std::map<std::string, std::size_t> places;
    for (const auto& fragment : fragments) places.try_emplace(fragment.path, places.size());
    std::ranges::sort(fragments, {}, [&](const Fragment& fragment) {
      return std::tuple(places.at(fragment.path), fragment.range.begin, fragment.range.end);
    });
    return fragments;
  }
};

}  // namespace

std::shared_ptr<const Orderer> file_orderer() { return std::make_shared<FileOrderer>(); }
std::shared_ptr<const Orderer> score_orderer() { return std::make_shared<ScoreOrderer>(); }

}  // namespace clever::context
