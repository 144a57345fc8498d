#include "index/internal/segment_writer.h"

#include <bit>
#include <cstring>
#include <utility>

namespace clever::index::internal {
namespace {

template <class T>
std::string_view bytes_of(const T* first, std::size_t count) {
  return {reinterpret_cast<const char*>(first), count * sizeof(T)};
}

std::string lookup_table(const std::vector<DocumentRecord>& documents) {
  std::vector<std::uint32_t> slots(std::bit_ceil(documents.size() * 2 + 1));
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::uint64_t hash = 0;
    std::memcpy(&hash, documents[i].blob.data(), sizeof hash);
    std::size_t slot = hash & (slots.size() - 1);
    while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
    slots[slot] = static_cast<std::uint32_t>(i + 1);
  }
  return std::string(bytes_of(slots.data(), slots.size()));
}

}  // namespace

base::Result<SegmentWriter> SegmentWriter::open(const std::filesystem::path& path) {
  CLEVER_ASSIGN(io::FileWriter file, io::FileWriter::open(path));
  return SegmentWriter(std::move(file));
}

SegmentWriter::SegmentWriter(io::FileWriter file) : file_(std::move(file)) {
  file_.append(bytes_of(&kSegmentMagic, 1));
  begin(Section::kPostings);
}

void SegmentWriter::begin(Section section) {
  if (section != Section::kPostings) close_terms();
  open_ = static_cast<std::size_t>(section);
  table_[open_].offset = file_.size();
  sum_ = Checksum();
}

void SegmentWriter::append(std::string_view bytes) {
  file_.append(bytes);
  sum_.update(bytes);
  table_[open_].size += bytes.size();
}

void SegmentWriter::end() { table_[open_].checksum = sum_.value(); }

void SegmentWriter::write(Section section, std::string_view bytes) {
  begin(section);
  append(bytes);
  end();
}

void SegmentWriter::add_term(std::string_view key, std::string_view postings) {
  dictionary_.add(key, postings.size());
  append(postings);
}

void SegmentWriter::close_terms() {
  if (std::exchange(terms_ended_, true)) return;
  end();
  write(Section::kKeys, dictionary_.blocks());
  write(Section::kKeyBlocks, dictionary_.starts());
}

base::Result<void> SegmentWriter::finish(const std::vector<DocumentRecord>& documents) {
  write(Section::kDocuments, bytes_of(documents.data(), documents.size()));
  write(Section::kLookup, lookup_table(documents));
  // A section that was not written is empty, at the current end of the file.
  for (SectionRecord& record : table_) {
    if (record.offset == 0) record = {file_.size(), 0, Checksum().value()};
  }
  const std::string_view table = bytes_of(table_.data(), table_.size());
  SegmentTail tail;
  tail.checksum = checksum(table);
  file_.append(table);
  file_.append(bytes_of(&tail, 1));
  return file_.sync();
}

}  // namespace clever::index::internal
