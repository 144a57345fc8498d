#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/internal/checksum.h"
#include "index/internal/dictionary.h"
#include "index/internal/segment_format.h"
#include "io/file_writer.h"

namespace clever::index::internal {

/// Writes a segment's file in one go. First all terms, then finish(). Used by one thread.
class SegmentWriter {
 public:
  [[nodiscard]] static base::Result<SegmentWriter> open(const std::filesystem::path& path);

  /// In ascending order, without duplicates.
  void add_term(std::string_view key, std::string_view postings);

  /// The streamed sections, each once, in this order.
  void begin(Section section);
  void append(std::string_view bytes);
  void end();
  /// Writes documents, their look-up, and the end of the file; then the file is on disk.
  [[nodiscard]] base::Result<void> finish(const std::vector<DocumentRecord>& documents);
  [[nodiscard]] std::uint64_t size() const noexcept { return file_.size(); }

 private:
  explicit SegmentWriter(io::FileWriter file);
  void write(Section section, std::string_view bytes);
  void close_terms();

  io::FileWriter file_;
  DictionaryWriter dictionary_;
  std::array<SectionRecord, kSections> table_{};
  std::size_t open_ = 0;
  Checksum sum_;
  bool terms_ended_ = false;
};

}  // namespace clever::index::internal
