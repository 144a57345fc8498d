#include "index/internal/segment.h"

#include <bit>
#include <cstring>
#include <utility>

#include "index/internal/bytes.h"
#include "index/internal/checksum.h"

namespace clever::index::internal {
namespace {

constexpr std::size_t kTableSize = kSections * sizeof(SectionRecord);
constexpr std::size_t kTableAndTail = kTableSize + sizeof(SegmentTail);

}  // namespace

base::Error Segment::damaged(std::string_view what) const {
  return base::corruption("the index's segment " + name_ + " is damaged: " + std::string(what));
}

base::Result<std::shared_ptr<const Segment>> Segment::open(const std::filesystem::path& path,
                                                           Verify verify) {
  CLEVER_ASSIGN(io::MappedFile file, io::MappedFile::open(path));
  std::shared_ptr<Segment> segment(new Segment(std::move(file), path.filename().string()));
  CLEVER_TRY(segment->read_table());
  if (verify == Verify::kEverything) CLEVER_TRY(segment->verify_sections());
  CLEVER_TRY(segment->check_shape());
  return std::shared_ptr<const Segment>(std::move(segment));
}

base::Result<void> Segment::read_table() {
  const std::string_view bytes = file_.bytes();
  if (bytes.size() < sizeof kSegmentMagic + kTableAndTail) return damaged("it is cut short");
  const auto tail = load<SegmentTail>(bytes, bytes.size() - sizeof(SegmentTail));
  if (load<std::uint64_t>(bytes, 0) != kSegmentMagic || tail.magic != kSegmentMagic) {
    return damaged("it is not a segment");
  }
  if (tail.version != kSegmentVersion || tail.sections != kSections) {
    return damaged("it is of another version");
  }
  const std::string_view table = bytes.substr(bytes.size() - kTableAndTail, kTableSize);
  if (checksum(table) != tail.checksum) return damaged("its table has a wrong checksum");
  const std::uint64_t room = bytes.size() - kTableAndTail;
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto record = load<SectionRecord>(table, i * sizeof(SectionRecord));
    if (record.offset > room || record.size > room - record.offset) {
      return damaged("a section extends beyond its end");
    }
    sections_[i] = bytes.substr(record.offset, record.size);
    checksums_[i] = record.checksum;
  }
  return {};
}

base::Result<void> Segment::verify_sections() const {
  std::uint64_t covered = sizeof kSegmentMagic + kTableAndTail;
  for (std::size_t i = 0; i < kSections; ++i) {
    if (checksum(sections_[i]) != checksums_[i]) {
      return damaged("section " + std::to_string(i) + " has a wrong checksum");
    }
    covered += sections_[i].size();
    file_.release(sections_[i]);
  }
  return covered == bytes() ? base::Result<void>{} : damaged("it has bytes outside its sections");
}

base::Result<void> Segment::check_shape() {
  const std::string_view documents = section(Section::kDocuments);
  const std::size_t slots = section(Section::kLookup).size() / sizeof(std::uint32_t);
  documents_ = static_cast<DocumentNumber>(documents.size() / sizeof(DocumentRecord));
  if (documents.size() % sizeof(DocumentRecord) != 0 || !std::has_single_bit(slots) ||
      slots <= documents_) {
    return damaged("its sections do not fit together");
  }
  const std::size_t chunks = section(Section::kChunks).size() / sizeof(ChunkRecord);
  if (chunks > 0) dimensions_ = section(Section::kVectors).size() / chunks;
  dictionary_ = Dictionary(section(Section::kKeys), section(Section::kKeyBlocks),
                           section(Section::kPostings));
  return {};
}

DocumentRecord Segment::document(DocumentNumber number) const noexcept {
  return load<DocumentRecord>(section(Section::kDocuments), number * sizeof(DocumentRecord));
}

git::ObjectId Segment::blob(DocumentNumber number) const noexcept {
  return git::ObjectId(document(number).blob);
}

bool Segment::serves(const DocumentRecord& document, const Needs& needs) const noexcept {
  if (document.kind != ContentKind::kSource) return true;
  if (needs.syntax && (document.flags & DocumentRecord::kHasSyntax) == 0) return false;
  return needs.embedder.empty() ||
         ((document.flags & DocumentRecord::kHasVectors) != 0 && embedder() == needs.embedder);
}

std::optional<DocumentNumber> Segment::find(const git::ObjectId& blob, syntax::Language language,
                                            const Needs& needs) const noexcept {
  const std::string_view lookup = section(Section::kLookup);
  const std::size_t slots = lookup.size() / sizeof(std::uint32_t);
  std::uint64_t hash = 0;
  std::memcpy(&hash, blob.bytes().data(), sizeof hash);
  for (std::size_t probe = 0; probe < slots; ++probe) {
    const std::size_t slot = (hash + probe) & (slots - 1);
    const auto entry = load<std::uint32_t>(lookup, slot * sizeof(std::uint32_t));
    if (entry == 0 || entry > documents_) return std::nullopt;
    const DocumentRecord found = document(entry - 1);
    if (found.blob == blob.bytes() && found.asked_language == static_cast<std::uint8_t>(language) &&
        serves(found, needs)) {
      return entry - 1;
    }
  }
  return std::nullopt;
}

std::string_view Segment::postings(Field field, std::string_view text) const {
  return dictionary_.find(key_of(field, text));
}

std::string_view Segment::details(const DocumentRecord& document) const noexcept {
  const std::string_view all = section(Section::kDetails);
  if (document.details_begin > all.size()) return {};
  return all.substr(static_cast<std::size_t>(document.details_begin), document.details_size);
}

std::string_view Segment::chunk_bytes(const DocumentRecord& document) const noexcept {
  const std::string_view all = section(Section::kChunks);
  const std::size_t begin = std::size_t{document.chunk_begin} * sizeof(ChunkRecord);
  const std::size_t size = std::size_t{document.chunks} * sizeof(ChunkRecord);
  return begin > all.size() || size > all.size() - begin ? std::string_view{}
                                                         : all.substr(begin, size);
}

std::string_view Segment::vector_bytes(const DocumentRecord& document) const noexcept {
  const std::string_view all = section(Section::kVectors);
  const std::size_t begin = std::size_t{document.chunk_begin} * dimensions_;
  const std::size_t size = std::size_t{document.chunks} * dimensions_;
  return begin > all.size() || size > all.size() - begin ? std::string_view{}
                                                         : all.substr(begin, size);
}

ChunkRecord Segment::chunk(const DocumentRecord& document, std::size_t number) const noexcept {
  const std::string_view all = chunk_bytes(document);
  if ((number + 1) * sizeof(ChunkRecord) > all.size()) return {};
  return load<ChunkRecord>(all, number * sizeof(ChunkRecord));
}

}  // namespace clever::index::internal
