#include "index/internal/segment_builder.h"

#include <utility>

#include "index/internal/bytes.h"
#include "index/internal/import_keys.h"
#include "index/internal/segment_writer.h"
#include "index/internal/syntax_codec.h"

namespace clever::index::internal {
namespace {

void write_section(SegmentWriter& writer, Section section, std::string_view bytes) {
  writer.begin(section);
  writer.append(bytes);
  writer.end();
}

}  // namespace

std::size_t SegmentBuilder::memory() const noexcept {
  return terms_->memory() + documents_.capacity() * sizeof(DocumentRecord) + details_.capacity() +
         chunks_.capacity() + vectors_.capacity();
}

void SegmentBuilder::add(DocumentRecord record, std::string_view content,
                         const Understood* understood) {
  if (record.kind == ContentKind::kSource) {
    add_words(record, content);
    if (understood != nullptr) {
      record.flags |= DocumentRecord::kHasSyntax;
      add_syntax(record, understood->syntax);
      add_vectors(record, *understood);
    }
  }
  documents_.push_back(record);
}

void SegmentBuilder::add_words(DocumentRecord& record, std::string_view content) {
  const auto document = static_cast<DocumentNumber>(documents_.size());
  for (const auto& counted : counter_.count(content)) {
    splitter_.split(counted.identifier, [&](std::string_view word) {
      terms_->add(Field::kContent, word, document, counted.count);
    });
  }
  record.words = counter_.total();
}

void SegmentBuilder::add_syntax(DocumentRecord& record, const syntax::Syntax& syntax) {
  const auto document = static_cast<DocumentNumber>(documents_.size());
  for (const syntax::Symbol& symbol : syntax.symbols) {
    terms_->add(Field::kDefined, symbol.name, document, 1);
    for_each_identifier(symbol.name, [&](std::string_view identifier) {
      splitter_.split(identifier, [&](std::string_view word) {
        terms_->add(Field::kDefinition, word, document, 1);
        ++record.definition_words;
      });
    });
  }
  for (const syntax::Reference& reference : syntax.references) {
    terms_->add(Field::kUsed, reference.name, document, reference.count);
  }
  for (const std::string& import : syntax.imports) {
    for (const std::string& key : import_keys(import))
      terms_->add(Field::kImport, key, document, 1);
  }
  record.symbols = static_cast<std::uint32_t>(syntax.symbols.size());
  record.references = static_cast<std::uint32_t>(syntax.references.size());
  record.details_begin = details_.size();
  encode_syntax(syntax, details_);
  record.details_size = static_cast<std::uint32_t>(details_.size() - record.details_begin);
}

void SegmentBuilder::add_vectors(DocumentRecord& record, const Understood& understood) {
  if (understood.vectors.empty() && !understood.chunks.empty()) return;
  record.flags |= DocumentRecord::kHasVectors;
  record.chunk_begin = static_cast<std::uint32_t>(chunks_.size() / sizeof(ChunkRecord));
  record.chunks = static_cast<std::uint32_t>(understood.vectors.size());
  for (std::size_t i = 0; i < understood.vectors.size(); ++i) {
    const syntax::Range& range = understood.chunks[i].range;
    store(chunks_, ChunkRecord{range.begin, range.end, range.first_line, range.last_line});
    vectors_.append(reinterpret_cast<const char*>(understood.vectors[i].data()),
                    understood.vectors[i].size());
  }
}

base::Result<void> SegmentBuilder::write(const std::filesystem::path& path,
                                         std::string_view embedder) {
  auto written = write_to(path, embedder);
  terms_ = std::make_unique<TermTable>();
  documents_ = {};
  details_ = {};
  chunks_ = {};
  vectors_ = {};
  return written;
}

base::Result<void> SegmentBuilder::write_to(const std::filesystem::path& path,
                                            std::string_view embedder) {
  CLEVER_ASSIGN(SegmentWriter writer, SegmentWriter::open(path));
  std::string key;
  terms_->for_each([&](const TermTable::Entry& entry) {
    key.assign(1, static_cast<char>(entry.field));
    key += entry.text;
    writer.add_term(key, entry.postings);
  });
  write_section(writer, Section::kDetails, details_);
  write_section(writer, Section::kChunks, chunks_);
  write_section(writer, Section::kVectors, vectors_);
  write_section(writer, Section::kEmbedder, embedder);
  return writer.finish(documents_);
}

}  // namespace clever::index::internal
