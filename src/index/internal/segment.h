#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/object_id.h"
#include "index/internal/dictionary.h"
#include "index/internal/postings.h"
#include "index/internal/segment_format.h"
#include "index/internal/term_table.h"
#include "io/mapped_file.h"
#include "syntax/language.h"
#include "syntax/syntax.h"

namespace clever::index::internal {

/// The key of a term in the dictionary.
[[nodiscard]] inline std::string key_of(Field field, std::string_view text) {
  std::string key(1, static_cast<char>(field));
  key += text;
  return key;
}

/// What a document must have to be usable.
struct Needs {
  bool syntax = false;
  /// Empty: no vectors.
  std::string embedder{};
};

/// An open segment file. Immutable and thread-safe; the file may be removed meanwhile. Every number
/// in it is checked before use: unverified damage makes it find less.
class Segment {
 public:
  enum class Verify : std::uint8_t { kShape, kEverything };
  /// `corruption` if it is damaged, as far as `verify` checks.
  [[nodiscard]] static base::Result<std::shared_ptr<const Segment>> open(
      const std::filesystem::path& path, Verify verify);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return file_.bytes().size(); }
  /// Releases the memory of what was read.
  void release() const noexcept { file_.release(file_.bytes()); }
  [[nodiscard]] DocumentNumber size() const noexcept { return documents_; }
  [[nodiscard]] DocumentRecord document(DocumentNumber number) const noexcept;
  [[nodiscard]] git::ObjectId blob(DocumentNumber number) const noexcept;

  [[nodiscard]] std::optional<DocumentNumber> find(const git::ObjectId& blob,
                                                   syntax::Language language,
                                                   const Needs& needs) const noexcept;
  /// Empty if no document has it.
  [[nodiscard]] std::string_view postings(Field field, std::string_view text) const;
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return dictionary_; }
  [[nodiscard]] std::string_view details(const DocumentRecord& document) const noexcept;

  [[nodiscard]] std::string_view embedder() const noexcept { return section(Section::kEmbedder); }
  [[nodiscard]] std::string_view chunk_bytes(const DocumentRecord& document) const noexcept;
  [[nodiscard]] std::string_view vector_bytes(const DocumentRecord& document) const noexcept;
  [[nodiscard]] ChunkRecord chunk(const DocumentRecord& document,
                                  std::size_t number) const noexcept;
  /// The length of each vector; 0 without vectors.
  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }

 private:
  Segment(io::MappedFile file, std::string name) : file_(std::move(file)), name_(std::move(name)) {}
  [[nodiscard]] base::Result<void> read_table();
  [[nodiscard]] base::Result<void> check_shape();
  [[nodiscard]] base::Result<void> verify_sections() const;
  [[nodiscard]] base::Error damaged(std::string_view what) const;
  [[nodiscard]] std::string_view section(Section section) const noexcept {
    return sections_[static_cast<std::size_t>(section)];
  }
  [[nodiscard]] bool serves(const DocumentRecord& document, const Needs& needs) const noexcept;

  const io::MappedFile file_;
  const std::string name_;
  std::array<std::string_view, kSections> sections_{};
  std::array<std::uint64_t, kSections> checksums_{};
  Dictionary dictionary_;
  DocumentNumber documents_ = 0;
  std::size_t dimensions_ = 0;
};

}  // namespace clever::index::internal
