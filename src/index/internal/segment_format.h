#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

#include "index/embedder.h"

// The layout of a segment file: magic bytes, sections, a table of them, and a tail of fixed size. A
// checksum or comparison covers every byte.
namespace clever::index::internal {

inline constexpr std::uint64_t kSegmentMagic = 0x3158444956454C43U;  // "CLEVIDX1"
inline constexpr std::uint32_t kSegmentVersion = 1;

enum class Section : std::uint32_t {
  kPostings,
  kKeys,
  kKeyBlocks,
  kDocuments,
  /// Open addressing by the first bytes of the blob: the document's number plus one; 0: free.
  kLookup,
  /// The parsed syntax of each document (syntax_codec.h).
  kDetails,
  kChunks,
  kVectors,
  /// The name of the vectors' embedder.
  kEmbedder,
};
inline constexpr std::size_t kSections = 9;

struct SectionRecord {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

struct SegmentTail {
  std::uint32_t version = kSegmentVersion;
  std::uint32_t sections = kSections;
  /// The checksum of the table.
  std::uint64_t checksum = 0;
  std::uint64_t magic = kSegmentMagic;
};

/// The kind of a content. The same numbers as FileKind where the content alone decides.
enum class ContentKind : std::uint8_t { kSource = 0, kGenerated = 1, kBinary = 3, kTooLarge = 4 };

struct DocumentRecord {
  static constexpr std::uint8_t kHasSyntax = 1;
  static constexpr std::uint8_t kHasVectors = 2;

  std::array<std::uint8_t, 20> blob{};
  /// As the path suggests, which is the key of look-ups; and as detected.
  std::uint8_t asked_language = 0;
  std::uint8_t language = 0;
  ContentKind kind = ContentKind::kSource;
  std::uint8_t flags = 0;
  std::uint32_t bytes = 0;
  std::uint32_t words = 0;
  std::uint32_t definition_words = 0;
  std::uint32_t symbols = 0;
  std::uint32_t details_size = 0;
  std::uint32_t chunk_begin = 0;
  std::uint32_t chunks = 0;
  std::uint32_t references = 0;
  std::uint64_t details_begin = 0;
};
static_assert(sizeof(DocumentRecord) == 64 && std::is_trivially_copyable_v<DocumentRecord>);

struct ChunkRecord {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
};
static_assert(sizeof(ChunkRecord) == 16);

}  // namespace clever::index::internal
