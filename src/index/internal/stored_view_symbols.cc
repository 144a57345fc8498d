#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "index/internal/ranking.h"
#include "index/internal/stored_view.h"
#include "index/internal/word_scan.h"

namespace clever::index::internal {
namespace {

std::vector<FileNumber> files_with(const StoredView& view, Field field, std::string_view text) {
  std::vector<FileNumber> files;
  view.for_each_file_with(field, text,
                          [&](FileNumber file, std::uint32_t) { files.push_back(file); });
  std::ranges::sort(files);
  return files;
}

// What follows the last "::", "." or "#", which people write before a name.
std::string_view last_part(std::string_view name) {
  const std::size_t end = name.find_last_of(":.#");
  return end == std::string_view::npos ? name : name.substr(end + 1);
}

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& byte : lower) {
    if (class_of(byte) == ByteClass::kUpper) byte = static_cast<char>(byte + 32);
  }
  return lower;
}

// The symbols of these files that `is` accepts, in order of path and place.
template <class Is>
std::vector<SymbolHit> symbols_in(const StoredView& view, const std::vector<FileNumber>& files,
                                  std::size_t limit, Is&& is) {
  std::vector<SymbolHit> hits;
  for (const FileNumber file : files) {
    if (hits.size() >= limit) break;
    auto known = view.syntax(file);
    if (!known.ok()) continue;
    for (syntax::Symbol& symbol : known->symbols) {
      if (hits.size() < limit && is(symbol)) hits.push_back({file, std::move(symbol)});
    }
  }
  return hits;
}

std::vector<SymbolHit> definitions_of(const StoredView& view, std::string_view name,
                                      std::size_t limit) {
  auto exact = symbols_in(view, files_with(view, Field::kDefined, name), limit,
                          [&](const syntax::Symbol& symbol) { return symbol.name == name; });
  if (!exact.empty()) return exact;
  const std::string lower = lowered(name);
  return symbols_in(view, files_with(view, Field::kDefinition, lower), limit,
                    [&](const syntax::Symbol& symbol) { return lowered(symbol.name) == lower; });
}

}  // namespace

std::vector<SymbolHit> StoredView::definitions(std::string_view name, std::size_t limit) const {
  auto found = definitions_of(*this, name, limit);
  if (found.empty() && last_part(name).size() < name.size()) {
    found = definitions_of(*this, last_part(name), limit);
  }
  return found;
}

std::vector<Hit> StoredView::uses(std::string_view name, std::size_t limit) const {
  const std::vector<FileNumber> defining = files_with(*this, Field::kDefined, name);
  std::vector<Hit> hits;
  for_each_file_with(Field::kUsed, name, [&](FileNumber file, std::uint32_t count) {
    if (std::ranges::binary_search(defining, file)) return;
    hits.push_back({file, std::log1p(static_cast<double>(count))});
  });
  keep_best(hits, limit);
  return hits;
}

}  // namespace clever::index::internal
