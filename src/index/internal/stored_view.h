#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/code_index.h"
#include "index/corpus.h"
#include "index/internal/edge_cache.h"
#include "index/internal/file_table.h"
#include "index/internal/segment_set.h"

namespace clever::index::internal {

/// The content of a file, if known: it may be unknown for files that are not searched.
struct FileState {
  git::ObjectId blob{};
  CorpusFile::Stamp stamp{};
  friend bool operator==(const FileState&, const FileState&) = default;
};

/// A view over segments. Immutable and thread-safe: searches take no lock; only requested edges are
/// cached. Keeps its segments' files mapped, even removed ones.
class StoredView final : public View {
 public:
  struct Parts {
    std::shared_ptr<Corpus> corpus;
    std::shared_ptr<const FileTable> table;
    /// One per file, as the others.
    std::vector<FileState> files;
    std::shared_ptr<const SegmentSet> set;
    std::vector<Place> places;
    std::vector<FileKind> kinds;
    std::size_t largest_file = 0;
    /// The embedder of the vectors.
    std::string embedder;
  };
  explicit StoredView(Parts parts);

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

  [[nodiscard]] std::size_t size() const override { return parts_.table->size(); }
  [[nodiscard]] const std::string& path(FileNumber file) const override;
  [[nodiscard]] std::optional<FileNumber> find(std::string_view path) const override;
  [[nodiscard]] FileKind kind(FileNumber file) const override { return parts_.kinds.at(file); }
  [[nodiscard]] syntax::Language language(FileNumber file) const override;
  [[nodiscard]] const git::ObjectId& blob(FileNumber file) const override;
  [[nodiscard]] ViewStats stats() const override;

  [[nodiscard]] std::vector<Hit> search(std::string_view query, std::size_t limit,
                                        const base::StopToken& stop) const override;
  [[nodiscard]] std::vector<Hit> search_plainly(std::string_view query,
                                                std::size_t limit) const override;
  [[nodiscard]] std::vector<Hit> grep(std::string_view query, std::size_t limit,
                                      const base::StopToken& stop) const override;
  [[nodiscard]] std::vector<SymbolHit> definitions(std::string_view name,
                                                   std::size_t limit) const override;
  [[nodiscard]] std::vector<Hit> uses(std::string_view name, std::size_t limit) const override;
  [[nodiscard]] std::vector<Edge> edges(FileNumber file, std::size_t limit) const override;
  [[nodiscard]] std::vector<ChunkHit> nearest(const Vector& vector,
                                              std::size_t limit) const override;
  [[nodiscard]] base::Result<syntax::Syntax> syntax(FileNumber file) const override;
  [[nodiscard]] base::Result<std::string> content(FileNumber file) const override;

  // What the searches below share.

  /// The lengths of the files in words, for the ranked fields.
  struct Lengths {
    std::vector<std::uint32_t> of{};
    double average = 0;
  };
  [[nodiscard]] const Lengths& content_lengths() const noexcept { return content_; }
  [[nodiscard]] const Lengths& definition_lengths() const noexcept { return definition_; }
  [[nodiscard]] const Lengths& path_lengths() const noexcept { return path_; }
  [[nodiscard]] const FileTable& table() const noexcept { return *parts_.table; }

  /// Calls each(file, count) for every file of this view with the term, until it returns false.
  template <class F>
  void while_each_file_with(Field field, std::string_view text, F&& each) const {
    const std::string key = key_of(field, text);
    for (std::size_t i = 0; i < live_.size(); ++i) {
      if (live_[i].empty()) continue;
      const Segment& segment = *parts_.set->segments[i];
      const std::vector<FileNumber>& live = live_[i];
      const auto visit = [&](DocumentNumber document, std::uint32_t count) {
        for (FileNumber file = live[document]; file != kNone; file = same_[file]) {
          if (!each(file, count)) return false;
        }
        return true;
      };
      if (!while_each_posting(segment.dictionary().find(key), segment.size(), visit)) return;
    }
  }
  /// The same for all of them.
  template <class F>
  void for_each_file_with(Field field, std::string_view text, F&& each) const {
    while_each_file_with(field, text, [&](FileNumber file, std::uint32_t count) {
      each(file, count);
      return true;
    });
  }
  [[nodiscard]] const Segment* segment_of(FileNumber file) const noexcept;
  [[nodiscard]] DocumentRecord record_of(FileNumber file) const noexcept;
  [[nodiscard]] std::vector<std::string> imports_of(FileNumber file) const;

 private:
  static constexpr FileNumber kNone = 0xFFFFFFFFU;
  void find_live();
  [[nodiscard]] std::vector<Edge> find_edges(FileNumber file, std::size_t limit) const;
  void measure();

  // Constant after construction.
  const Parts parts_;
  // For each used segment: the first file of each document, and the next file after each file.
  std::vector<std::vector<FileNumber>> live_;
  std::vector<FileNumber> same_;
  Lengths content_;
  Lengths definition_;
  Lengths path_;
  const EdgeCache known_edges_;
};

}  // namespace clever::index::internal
