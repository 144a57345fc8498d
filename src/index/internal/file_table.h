#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/code_index.h"

namespace clever::index::internal {

/// The paths of a view, and their words and names. Immutable and thread-safe; shared by all views
/// with the same paths.
class FileTable {
 public:
  /// Sorted, without duplicates.
  explicit FileTable(std::vector<std::string> paths);

  [[nodiscard]] std::size_t size() const noexcept { return paths_.size(); }
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }
  [[nodiscard]] std::optional<FileNumber> find(std::string_view path) const;

  struct PathWord {
    FileNumber file;
    /// Counts more for the file's own name than for its folders.
    std::uint16_t count;
  };
  /// Sorted by file.
  [[nodiscard]] const std::vector<PathWord>* with_word(std::string_view word) const;
  [[nodiscard]] std::uint32_t words(FileNumber file) const { return words_[file]; }

  /// Files whose name without extension, or whose folder's name, is this one. Sorted.
  [[nodiscard]] const std::vector<FileNumber>* with_stem(std::string_view stem) const;
  [[nodiscard]] const std::vector<FileNumber>* with_folder(std::string_view folder) const;

 private:
  struct Hash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept;
  };
  template <class T>
  using ByName = std::unordered_map<std::string, std::vector<T>, Hash, std::equal_to<>>;

  void add_words(FileNumber file, const std::vector<std::string>& words, std::uint16_t count);

  std::vector<std::string> paths_;
  std::vector<std::uint32_t> words_;
  ByName<PathWord> by_word_;
  ByName<FileNumber> by_stem_;
  ByName<FileNumber> by_folder_;
};

}  // namespace clever::index::internal
