#include "index/internal/stored_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "git/object_store.h"
#include "index/internal/syntax_codec.h"

namespace clever::index {

std::string_view to_string(FileKind kind) noexcept {
  constexpr std::array<std::string_view, 5> kNames{"source", "generated", "vendored", "binary",
                                                   "too large"};
  return kNames.at(static_cast<std::size_t>(kind));
}

namespace internal {
namespace {

double average_of(const std::vector<std::uint32_t>& lengths) {
  std::uint64_t sum = 0;
  std::size_t count = 0;
  for (const std::uint32_t length : lengths) {
    sum += length;
    count += length > 0 ? 1 : 0;
  }
  return count == 0 ? 1 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

StoredView::StoredView(Parts parts) : parts_(std::move(parts)) {
  find_live();
  measure();
}

void StoredView::find_live() {
  live_.resize(parts_.set->segments.size());
  same_.assign(size(), kNone);
  // From last to first, so that equal files follow each other in path order.
  for (FileNumber file = static_cast<FileNumber>(size()); file-- > 0;) {
    const Place place = parts_.places[file];
    if (!place.somewhere()) continue;
    std::vector<FileNumber>& live = live_[place.segment];
    if (live.empty()) live.assign(parts_.set->segments[place.segment]->size(), kNone);
    same_[file] = std::exchange(live[place.document], file);
  }
}

void StoredView::measure() {
  content_.of.resize(size());
  definition_.of.resize(size());
  path_.of.resize(size());
  for (FileNumber file = 0; file < size(); ++file) {
    path_.of[file] = table().words(file);
    if (segment_of(file) == nullptr) continue;
    const DocumentRecord record = record_of(file);
    content_.of[file] = record.words;
    definition_.of[file] = record.definition_words;
  }
  for (Lengths* lengths : {&content_, &definition_, &path_}) {
    lengths->average = average_of(lengths->of);
  }
}

const std::string& StoredView::path(FileNumber file) const { return table().paths().at(file); }

std::optional<FileNumber> StoredView::find(std::string_view path) const {
  return table().find(path);
}

const git::ObjectId& StoredView::blob(FileNumber file) const { return parts_.files.at(file).blob; }

const Segment* StoredView::segment_of(FileNumber file) const noexcept {
  const Place place = parts_.places[file];
  return place.somewhere() ? parts_.set->segments[place.segment].get() : nullptr;
}

DocumentRecord StoredView::record_of(FileNumber file) const noexcept {
  const Segment* const segment = segment_of(file);
  return segment == nullptr ? DocumentRecord{} : segment->document(parts_.places[file].document);
}

syntax::Language StoredView::language(FileNumber file) const {
  if (segment_of(file) == nullptr) return syntax::language_of(path(file));
  const std::uint8_t language = record_of(file).language;
  return language < syntax::kLanguages ? static_cast<syntax::Language>(language)
                                       : syntax::Language::kText;
}

ViewStats StoredView::stats() const {
  ViewStats stats{.files = size()};
  std::array<std::size_t, syntax::kLanguages> languages{};
  for (FileNumber file = 0; file < size(); ++file) {
    const DocumentRecord record = record_of(file);
    stats.searched += kind(file) == FileKind::kSource ? 1 : 0;
    stats.bytes += record.bytes;
    stats.symbols += record.symbols;
    ++languages.at(static_cast<std::size_t>(language(file)));
  }
  for (std::size_t i = 0; i < languages.size(); ++i) {
    if (languages[i] > 0)
      stats.languages.emplace_back(static_cast<syntax::Language>(i), languages[i]);
  }
  return stats;
}

base::Result<syntax::Syntax> StoredView::syntax(FileNumber file) const {
  if (file >= size())
    return base::invalid_argument("this view has no file " + std::to_string(file));
  const Segment* const segment = segment_of(file);
  const DocumentRecord record = record_of(file);
  if (segment == nullptr || (record.flags & DocumentRecord::kHasSyntax) == 0) {
    return syntax::Syntax{.language = language(file)};
  }
  return decode_syntax(segment->details(record))
      .context("reading the stored syntax of " + path(file));
}

std::vector<std::string> StoredView::imports_of(FileNumber file) const {
  const Segment* const segment = segment_of(file);
  if (segment == nullptr) return {};
  return decode_imports(segment->details(record_of(file)));
}

base::Result<std::string> StoredView::content(FileNumber file) const {
  if (file >= size())
    return base::invalid_argument("this view has no file " + std::to_string(file));
  const FileState& state = parts_.files[file];
  CorpusFile wanted{.path = path(file), .stamp = state.stamp};
  if (state.blob) wanted.blob = state.blob;
  CLEVER_ASSIGN(std::string content, parts_.corpus->read(wanted, parts_.largest_file));
  if (state.blob && git::object_id_of(git::ObjectKind::kBlob, content) != state.blob) {
    return base::conflict(path(file) + " has changed since it was indexed");
  }
  return content;
}

}  // namespace internal
}  // namespace clever::index
