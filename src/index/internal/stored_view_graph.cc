#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "index/internal/import_keys.h"
#include "index/internal/import_resolution.h"
#include "index/internal/stored_view.h"

namespace clever::index::internal {
namespace {

// A symbol that more files than this define or use links none of them.
constexpr std::size_t kMostDefining = 8;
constexpr std::size_t kMostUsing = 300;
constexpr std::size_t kMostUsers = 4096;
constexpr std::size_t kMostImporting = 300;
constexpr std::size_t kMostNamesFollowed = 2000;

/// Gathers the edges of one file. Used by one thread.
class Neighbours {
 public:
  Neighbours(const StoredView& view, FileNumber file) : view_(view), file_(file) {}

  void add_imports() {
    for (const std::string& import : view_.imports_of(file_)) {
      const auto targets = resolve_import(view_.table(), file_, import);
      for (const FileNumber target : targets) {
        add(target, Edge::Why::kImports, 1.0 / static_cast<double>(targets.size()));
      }
    }
  }

  void add_importing() {
    const std::string_view path = view_.path(file_);
    const std::size_t slash = path.rfind('/');
    const std::string_view folder = slash == std::string_view::npos ? "" : path.substr(0, slash);
    add_importing_by(stem_of_name(path.substr(slash + 1)));
    if (!folder.empty()) add_importing_by(folder.substr(folder.rfind('/') + 1));
  }

  void add_used(const syntax::Syntax& known) {
    std::size_t names = 0;
    for (const syntax::Reference& reference : known.references) {
      if (++names > kMostNamesFollowed) break;
      const auto defining = files_with(Field::kDefined, reference.name, kMostDefining);
      if (defining.empty() || std::ranges::binary_search(defining, file_)) continue;
      const auto users = count_of(Field::kUsed, reference.name, kMostUsers);
      if (!users) continue;
      const double weight = rarity(*users) * std::log1p(reference.count) *
                            (reference.kind == syntax::ReferenceKind::kOther ? 0.5 : 1);
      for (const FileNumber target : defining) {
        add(target, Edge::Why::kUses, weight / static_cast<double>(defining.size()));
      }
    }
  }

  void add_using(const syntax::Syntax& known) {
    std::vector<std::string_view> names;
    for (const syntax::Symbol& symbol : known.symbols) names.push_back(symbol.name);
    std::ranges::sort(names);
    const auto same = std::ranges::unique(names);
    names.erase(same.begin(), same.end());
    names.resize(std::min(names.size(), kMostNamesFollowed));
    for (const std::string_view name : names) {
      const auto defining = files_with(Field::kDefined, name, kMostDefining);
      if (defining.empty()) continue;
      const auto users = files_with(Field::kUsed, name, kMostUsing);
      const double weight = rarity(users.size()) / static_cast<double>(defining.size());
      for (const FileNumber user : users) {
        if (!std::ranges::binary_search(defining, user)) add(user, Edge::Why::kUsedBy, weight);
      }
    }
  }

  [[nodiscard]] std::vector<Edge> strongest(std::size_t limit) const {
    std::vector<Edge> edges;
    edges.reserve(weights_.size());
    for (const auto& [key, weight] : weights_) {
      edges.push_back({key.to, 1 - std::exp(-weight), key.why});
    }
    const std::size_t kept = std::min(edges.size(), limit);
    const auto is_stronger = [](const Edge& left, const Edge& right) {
      if (left.weight != right.weight) return left.weight > right.weight;
      return left.to != right.to ? left.to < right.to : left.why < right.why;
    };
    std::ranges::partial_sort(edges, edges.begin() + static_cast<std::ptrdiff_t>(kept),
                              is_stronger);
    edges.resize(kept);
    return edges;
  }

 private:
  void add(FileNumber to, Edge::Why why, double weight) {
    if (to != file_) weights_[{to, why}] += weight;
  }

  // Sorted; empty if there are more than `most`.
  std::vector<FileNumber> files_with(Field field, std::string_view text, std::size_t most) const {
    std::vector<FileNumber> files;
    view_.while_each_file_with(field, text, [&](FileNumber file, std::uint32_t) {
      files.push_back(file);
      return files.size() <= most;
    });
    if (files.size() > most) return {};
    std::ranges::sort(files);
    return files;
  }

  // Returns nothing if there are more than `most`.
  std::optional<std::size_t> count_of(Field field, std::string_view text, std::size_t most) const {
    std::size_t count = 0;
    view_.while_each_file_with(field, text,
                               [&](FileNumber, std::uint32_t) { return ++count <= most; });
    return count <= most ? std::optional(count) : std::nullopt;
  }

  // 0 if every file uses it, towards 1 if few do.
  double rarity(std::size_t users) const {
    const auto all = static_cast<double>(view_.size()) + 1;
    return std::log(all / (static_cast<double>(users) + 1) + 1) / std::log(all + 1);
  }

  // An import resolves by the names in it: one that does not hold the key leads elsewhere.
  void add_importing_by(std::string_view key) {
    for (const FileNumber other : files_with(Field::kImport, key, kMostImporting)) {
      for (const std::string& import : view_.imports_of(other)) {
        if (!import.contains(key)) continue;
        const auto targets = resolve_import(view_.table(), other, import);
        if (!std::ranges::binary_search(targets, file_)) continue;
        weights_[{other, Edge::Why::kImportedBy}] = 1.0 / static_cast<double>(targets.size());
      }
    }
  }

  struct Key {
    FileNumber to;
    Edge::Why why;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::size_t{key.to} * 4 + static_cast<std::size_t>(key.why);
    }
  };

  const StoredView& view_;
  const FileNumber file_;
  std::unordered_map<Key, double, KeyHash> weights_;
};

std::vector<Edge> first(const std::vector<Edge>& edges, std::size_t limit) {
  return {edges.begin(),
          edges.begin() + static_cast<std::ptrdiff_t>(std::min(limit, edges.size()))};
}

}  // namespace

std::vector<Edge> StoredView::edges(FileNumber file, std::size_t limit) const {
  if (file >= size()) return {};
  if (const auto* known = known_edges_.find(file); known != nullptr && limit <= EdgeCache::kKept) {
    return first(*known, limit);
  }
  std::vector<Edge> found = find_edges(file, std::max(limit, EdgeCache::kKept));
  std::vector<Edge> wanted = first(found, limit);
  found.resize(std::min(found.size(), EdgeCache::kKept));
  known_edges_.keep(file, std::move(found));
  return wanted;
}

std::vector<Edge> StoredView::find_edges(FileNumber file, std::size_t limit) const {
  Neighbours neighbours(*this, file);
  neighbours.add_imports();
  neighbours.add_importing();
  if (const auto known = syntax(file); known.ok()) {
    neighbours.add_used(*known);
    neighbours.add_using(*known);
  }
  return neighbours.strongest(limit);
}

}  // namespace clever::index::internal
