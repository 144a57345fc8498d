#include "index/internal/file_table.h"

#include <algorithm>
#include <utility>

#include "index/internal/checksum.h"
#include "index/internal/import_keys.h"
#include "index/words.h"

namespace clever::index::internal {
namespace {

constexpr std::uint16_t kNameCounts = 2;

template <class T>
const std::vector<T>* find_in(const auto& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

std::size_t FileTable::Hash::operator()(std::string_view text) const noexcept {
  return quick_hash(text);
}

FileTable::FileTable(std::vector<std::string> paths) : paths_(std::move(paths)) {
  words_.resize(paths_.size());
  std::string_view folder;
  std::vector<std::string> folder_words;
  for (FileNumber file = 0; file < paths_.size(); ++file) {
    const std::string_view path = paths_[file];
    const std::size_t slash = path.rfind('/');
    const std::string_view above = slash == std::string_view::npos ? "" : path.substr(0, slash);
    const std::string_view name = path.substr(slash + 1);
    if (above != folder) {  // neighbours mostly share it
      folder = above;
      folder_words = words_of(folder);
    }
    add_words(file, folder_words, 1);
    add_words(file, words_of(name), kNameCounts);
    by_stem_[std::string(stem_of_name(name))].push_back(file);
    if (!above.empty()) by_folder_[std::string(above.substr(above.rfind('/') + 1))].push_back(file);
  }
}

void FileTable::add_words(FileNumber file, const std::vector<std::string>& words,
                          std::uint16_t count) {
  for (const std::string& word : words) {
    auto found = by_word_.find(std::string_view(word));
    if (found == by_word_.end()) found = by_word_.try_emplace(word).first;
    std::vector<PathWord>& files = found->second;
    if (files.empty() || files.back().file != file) {
      files.push_back({file, count});
    } else {
      files.back().count = static_cast<std::uint16_t>(files.back().count + count);
    }
    words_[file] += count;
  }
}

std::optional<FileNumber> FileTable::find(std::string_view path) const {
  const auto found = std::ranges::lower_bound(paths_, path);
  if (found == paths_.end() || *found != path) return std::nullopt;
  return static_cast<FileNumber>(found - paths_.begin());
}

const std::vector<FileTable::PathWord>* FileTable::with_word(std::string_view word) const {
  return find_in<PathWord>(by_word_, word);
}
const std::vector<FileNumber>* FileTable::with_stem(std::string_view stem) const {
  return find_in<FileNumber>(by_stem_, stem);
}
const std::vector<FileNumber>* FileTable::with_folder(std::string_view folder) const {
  return find_in<FileNumber>(by_folder_, folder);
}

}  // namespace clever::index::internal
