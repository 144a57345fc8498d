#include "index/internal/segment_merge.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "index/internal/postings.h"
#include "index/internal/segment_writer.h"

namespace clever::index::internal {
namespace {

constexpr DocumentNumber kDropped = 0xFFFFFFFFU;
constexpr std::size_t kCheckStopEvery = 4096;
// Releases the pages read so far after this many terms, so that a merge of large segments needs
// little more memory than the dictionary it writes.
constexpr std::size_t kReleaseEvery = std::size_t{64} << 10U;

class Merge {
 public:
  Merge(const std::vector<std::shared_ptr<const Segment>>& segments,
        const std::function<bool(const DocumentRecord&)>& keeps)
      : segments_(segments) {
    choose(keeps);
  }

  base::Result<void> write(const std::filesystem::path& path, const base::StopToken& stop) {
    CLEVER_ASSIGN(SegmentWriter writer, SegmentWriter::open(path));
    CLEVER_TRY(write_terms(writer, stop));
    write_parts(writer);
    return writer.finish(documents_);
  }

 private:
  struct Chosen {
    std::size_t segment;
    DocumentNumber document;
    std::uint8_t flags;
  };

  void choose(const std::function<bool(const DocumentRecord&)>& keeps) {
    std::map<std::pair<std::array<std::uint8_t, 20>, std::uint8_t>, Chosen> best;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      numbers_.emplace_back(segments_[i]->size(), kDropped);
      for (DocumentNumber number = 0; number < segments_[i]->size(); ++number) {
        const DocumentRecord record = segments_[i]->document(number);
        if (!keeps(record)) continue;
        const auto [place, fresh] =
            best.try_emplace({record.blob, record.asked_language}, Chosen{i, number, record.flags});
        if (!fresh && record.flags > place->second.flags) place->second = {i, number, record.flags};
      }
    }
    for (const auto& [key, chosen] : best) numbers_[chosen.segment][chosen.document] = 0;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      for (DocumentNumber number = 0; number < segments_[i]->size(); ++number) {
        if (numbers_[i][number] == kDropped) continue;
        numbers_[i][number] = static_cast<DocumentNumber>(documents_.size());
        documents_.push_back(segments_[i]->document(number));
      }
    }
  }

  base::Result<void> write_terms(SegmentWriter& writer, const base::StopToken& stop) {
    std::vector<Dictionary::Cursor> cursors;
    for (const auto& segment : segments_) cursors.emplace_back(segment->dictionary());
    std::string key;
    std::string postings;
    for (std::size_t terms = 0;; ++terms) {
      if (terms % kCheckStopEvery == 0 && stop.stop_requested()) {
        return base::cancelled("stopped while merging segments");
      }
      if (terms % kReleaseEvery == 0) release();
      const Dictionary::Cursor* smallest = nullptr;
      for (const auto& cursor : cursors) {
        if (cursor.at_end()) continue;
        if (smallest == nullptr || cursor.key() < smallest->key()) smallest = &cursor;
      }
      if (smallest == nullptr) return {};
      key = smallest->key();
      postings.clear();
      DocumentNumber last = 0;
      for (std::size_t i = 0; i < cursors.size(); ++i) {
        if (cursors[i].at_end() || cursors[i].key() != key) continue;
        renumber(i, cursors[i].postings(), last, postings);
        cursors[i].next();
      }
      if (!postings.empty()) writer.add_term(key, postings);
    }
  }

  // Documents of a later segment have greater numbers than all those before.
  void renumber(std::size_t segment, std::string_view from, DocumentNumber& last,
                std::string& to) const {
    for_each_posting(from, segments_[segment]->size(),
                     [&](DocumentNumber document, std::uint32_t count) {
                       const DocumentNumber number = numbers_[segment][document];
                       if (number == kDropped) return;
                       store_posting(to, number - last, count);
                       last = number;
                     });
  }

  template <class F>
  void for_each_kept(F&& each) {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      for (DocumentNumber number = 0; number < segments_[i]->size(); ++number) {
        if (numbers_[i][number] == kDropped) continue;
        each(*segments_[i], segments_[i]->document(number), documents_[numbers_[i][number]]);
      }
      segments_[i]->release();
    }
  }

  void release() const {
    for (const auto& segment : segments_) segment->release();
  }

  void write_parts(SegmentWriter& writer) {
    writer.begin(Section::kDetails);
    std::uint64_t details = 0;
    for_each_kept([&](const Segment& segment, const DocumentRecord& from, DocumentRecord& to) {
      const std::string_view bytes = segment.details(from);
      writer.append(bytes);
      to.details_begin = details;
      to.details_size = static_cast<std::uint32_t>(bytes.size());
      details += bytes.size();
    });
    writer.end();
    writer.begin(Section::kChunks);
    std::uint32_t chunks = 0;
    for_each_kept([&](const Segment& segment, const DocumentRecord& from, DocumentRecord& to) {
      const std::string_view bytes = segment.chunk_bytes(from);
      writer.append(bytes);
      to.chunk_begin = chunks;
      to.chunks = static_cast<std::uint32_t>(bytes.size() / sizeof(ChunkRecord));
      chunks += to.chunks;
    });
    writer.end();
    writer.begin(Section::kVectors);
    for_each_kept([&](const Segment& segment, const DocumentRecord& from, const DocumentRecord&) {
      writer.append(segment.vector_bytes(from));
    });
    writer.end();
    writer.begin(Section::kEmbedder);
    if (!segments_.empty()) writer.append(segments_.front()->embedder());
    writer.end();
  }

  const std::vector<std::shared_ptr<const Segment>>& segments_;
  // For each segment: the new number of each document.
  std::vector<std::vector<DocumentNumber>> numbers_;
  std::vector<DocumentRecord> documents_;
};

}  // namespace

base::Result<void> merge_segments(const std::vector<std::shared_ptr<const Segment>>& segments,
                                  const std::function<bool(const DocumentRecord&)>& keeps,
                                  const std::filesystem::path& path, const base::StopToken& stop) {
  return Merge(segments, keeps).write(path, stop);
}

}  // namespace clever::index::internal
