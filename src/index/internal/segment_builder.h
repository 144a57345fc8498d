#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/embedder.h"
#include "index/internal/identifier_counter.h"
#include "index/internal/segment_format.h"
#include "index/internal/term_table.h"
#include "index/internal/word_scan.h"
#include "syntax/outline.h"
#include "syntax/syntax.h"

namespace clever::index::internal {

/// Gathers documents in memory until they are written as one segment. Used by one thread at a time.
class SegmentBuilder {
 public:
  /// Knowledge about a content beyond its words.
  struct Understood {
    syntax::Syntax syntax{};
    std::vector<syntax::Chunk> chunks{};
    /// One per chunk, or none.
    std::vector<Vector> vectors{};
  };

  /// `record` names the content; the fields that follow from it are filled in. Only source content
  /// has words.
  void add(DocumentRecord record, std::string_view content, const Understood* understood);

  [[nodiscard]] bool empty() const noexcept { return documents_.empty(); }
  [[nodiscard]] std::size_t memory() const noexcept;
  /// Writes the file, synced, and is empty again.
  [[nodiscard]] base::Result<void> write(const std::filesystem::path& path,
                                         std::string_view embedder);

 private:
  void add_words(DocumentRecord& record, std::string_view content);
  void add_syntax(DocumentRecord& record, const syntax::Syntax& syntax);
  void add_vectors(DocumentRecord& record, const Understood& understood);
  [[nodiscard]] base::Result<void> write_to(const std::filesystem::path& path,
                                            std::string_view embedder);

  std::unique_ptr<TermTable> terms_ = std::make_unique<TermTable>();
  std::vector<DocumentRecord> documents_;
  std::string details_;
  std::string chunks_;
  std::string vectors_;
  IdentifierCounter counter_;
  WordSplitter splitter_;
};

}  // namespace clever::index::internal
