#include "diff/internal/renames.h"

#include <algorithm>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>

#include "diff/internal/contents.h"
#include "diff/internal/similarity.h"

namespace clever::diff::internal {
namespace {

constexpr std::size_t kMostPairs = 40'000;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 20U;
constexpr std::uint32_t kAlike = 50;

struct Pair {
  std::size_t from;
  std::size_t to;
  std::uint32_t similarity;
  bool same_name;
};

// The best first; paths decide between equals.
bool better(const Pair& one, const Pair& other) {
  return std::tuple(other.similarity, other.same_name, one.to, one.from) <
         std::tuple(one.similarity, one.same_name, other.to, other.from);
}

class RenameSearch {
 public:
  RenameSearch(git::ObjectStore& store, std::span<const git::TreeDifference> differences,
               const base::StopToken& stop)
      : store_(store),
        differences_(differences),
        stop_(stop),
        empty_(git::object_id_of(git::ObjectKind::kBlob, "")),
        matched_(differences.size()) {
    for (std::size_t i = 0; i < differences.size(); ++i) {
      if (!differences[i].after) gone_.push_back(i);
      if (!differences[i].before) come_.push_back(i);
    }
  }

  base::Result<std::vector<Rename>> run() {
    match_equal(true);
    match_equal(false);
    CLEVER_TRY(match_similar());
    std::ranges::sort(found_, {}, &Rename::to);
    return std::move(found_);
  }

 private:
  // The common facts of both sides of an exact rename: kind, content and perhaps name.
  using Key = std::tuple<git::ObjectId, bool, std::string_view>;

  [[nodiscard]] const git::Node& node(std::size_t index) const {
    const git::TreeDifference& difference = differences_[index];
    return difference.before ? *difference.before : *difference.after;
  }
  [[nodiscard]] std::string_view name(std::size_t index) const {
    return differences_[index].path.name();
  }
  [[nodiscard]] Key key(std::size_t index, bool with_name) const {
    return {node(index).id, is_file(node(index)), with_name ? name(index) : std::string_view()};
  }
  [[nodiscard]] bool can_move(std::size_t index) const {
    return node(index).mode != git::FileMode::kSubmodule && node(index).id != empty_;
  }

  void match_equal(bool with_name) {
    std::map<Key, std::vector<std::size_t>> sources;
    // Reversed, because paths are taken from the back.
    for (const std::size_t index : gone_ | std::views::reverse) {
      if (can_move(index)) sources[key(index, with_name)].push_back(index);
    }
    for (const std::size_t to : come_) {
      const auto source = sources.find(key(to, with_name));
      if (source == sources.end() || source->second.empty()) continue;
      accept({.from = source->second.back(), .to = to, .similarity = 100});
      source->second.pop_back();
    }
    drop_matched();
  }

  void accept(const Rename& rename) {
    matched_[rename.from] = matched_[rename.to] = true;
    found_.push_back(rename);
  }

  void drop_matched() {
    const auto matched = [this](std::size_t index) { return bool{matched_[index]}; };
    std::erase_if(gone_, matched);
    std::erase_if(come_, matched);
  }

  base::Result<void> match_similar() {
    if (gone_.empty() || come_.empty()) return {};
    CLEVER_TRY(keep_comparable(gone_));
    CLEVER_TRY(keep_comparable(come_));
    CLEVER_ASSIGN(std::vector<Pair> pairs, alike_pairs());
    std::ranges::sort(pairs, better);
    for (const Pair& pair : pairs) {
      if (!matched_[pair.from] && !matched_[pair.to]) {
        accept({pair.from, pair.to, pair.similarity});
      }
    }
    return {};
  }

  base::Result<void> keep_comparable(std::vector<std::size_t>& indices) {
    std::vector<std::size_t> kept;
    for (const std::size_t index : indices) {
      if (!is_file(node(index)) || !can_move(index)) continue;
      CLEVER_ASSIGN(const std::uint64_t size, size_of(store_, node(index)));
      if (size <= kLargestFile) kept.push_back(index);
    }
    indices = std::move(kept);
    return {};
  }

  base::Result<std::vector<Pair>> alike_pairs() {
    std::vector<Pair> pairs;
    const bool only_same_name = !come_.empty() && gone_.size() > kMostPairs / come_.size();
    std::size_t compared = 0;
    for (const std::size_t to : come_) {
      for (const std::size_t from : candidates(to, only_same_name)) {
        if (++compared > kMostPairs) return pairs;
        CLEVER_TRY(compare(from, to, pairs));
      }
    }
    return pairs;
  }

  const std::vector<std::size_t>& candidates(std::size_t to, bool only_same_name) {
    if (!only_same_name) return gone_;
    if (gone_by_name_.empty()) {
      for (const std::size_t from : gone_) gone_by_name_[name(from)].push_back(from);
    }
    return gone_by_name_[name(to)];
  }

  base::Result<void> compare(std::size_t from, std::size_t to, std::vector<Pair>& pairs) {
    CLEVER_ASSIGN(const Signature* one, signature(from));
    CLEVER_ASSIGN(const Signature* other, signature(to));
    const auto smaller = std::min(one->size(), other->size());
    const auto larger = std::max(one->size(), other->size());
    if (smaller * 100 < larger * kAlike) return {};
    const std::uint32_t alike = one->similarity(*other);
    if (alike >= kAlike) pairs.push_back({from, to, alike, name(from) == name(to)});
    return {};
  }

  base::Result<const Signature*> signature(std::size_t index) {
    std::unique_ptr<Signature>& known = signatures_[index];
    if (!known) {
      if (stop_.stop_requested()) return base::cancelled("looking for renames was stopped");
      CLEVER_ASSIGN(const std::string content, content_of(store_, node(index)));
      known = std::make_unique<Signature>(content);
    }
    return known.get();
  }

  git::ObjectStore& store_;
  const std::span<const git::TreeDifference> differences_;
  const base::StopToken& stop_;
  const git::ObjectId empty_;
  std::vector<bool> matched_;
  // Entries without a partner so far, by path.
  std::vector<std::size_t> gone_;
  std::vector<std::size_t> come_;
  std::map<std::string_view, std::vector<std::size_t>> gone_by_name_;
  std::map<std::size_t, std::unique_ptr<Signature>> signatures_;
  std::vector<Rename> found_;
};

}  // namespace

base::Result<std::vector<Rename>> find_renames(git::ObjectStore& store,
                                               std::span<const git::TreeDifference> differences,
                                               const base::StopToken& stop) {
  return RenameSearch(store, differences, stop).run();
}

}  // namespace clever::diff::internal
