#include "index/internal/syntax_codec.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "index/internal/bytes.h"

namespace clever::index::internal {
namespace {

constexpr std::uint64_t kHasErrors = 1;
constexpr std::uint64_t kTruncated = 2;
// Everything after the imports is compressed, because names repeat. The imports are not: graph
// queries read those of many files at once.
constexpr std::uint64_t kCompressed = 4;
constexpr std::size_t kWorthCompressing = 200;
// The highest compression ratio of zlib.
constexpr std::uint64_t kMostGain = 1040;
constexpr int kFast = 1;

void store_text(std::string& bytes, std::string_view text) {
  store_varint(bytes, text.size());
  bytes += text;
}

void store_difference(std::string& bytes, std::uint32_t from, std::uint32_t to) {
  store_varint(bytes, zigzag(std::int64_t{to} - std::int64_t{from}));
}
// Damaged bytes may hold any number: unsigned arithmetic wraps.
std::uint32_t read_difference(ByteReader& reader, std::uint32_t from) {
  return from + static_cast<std::uint32_t>(reader.signed_varint());
}

void encode_symbol(const syntax::Symbol& symbol, const syntax::Symbol& before, std::int32_t number,
                   std::string& bytes) {
  store_text(bytes, symbol.name);
  store_varint(bytes, static_cast<std::uint64_t>(symbol.kind));
  store_difference(bytes, before.range.begin, symbol.range.begin);
  store_difference(bytes, symbol.range.begin, symbol.range.end);
  store_difference(bytes, before.range.first_line, symbol.range.first_line);
  store_difference(bytes, symbol.range.first_line, symbol.range.last_line);
  store_difference(bytes, symbol.range.begin, symbol.signature_begin);
  store_difference(bytes, symbol.signature_begin, symbol.signature_end);
  store_varint(bytes, zigzag(std::int64_t{number} - std::int64_t{symbol.parent}));
}

syntax::Symbol decode_symbol(ByteReader& reader, const syntax::Symbol& before,
                             std::int32_t number) {
  syntax::Symbol symbol;
  symbol.name = reader.text();
  symbol.kind = static_cast<syntax::SymbolKind>(std::min<std::uint64_t>(
      reader.varint(), static_cast<std::uint64_t>(syntax::SymbolKind::kKey)));
  symbol.range.begin = read_difference(reader, before.range.begin);
  symbol.range.end = read_difference(reader, symbol.range.begin);
  symbol.range.first_line = read_difference(reader, before.range.first_line);
  symbol.range.last_line = read_difference(reader, symbol.range.first_line);
  symbol.signature_begin = read_difference(reader, symbol.range.begin);
  symbol.signature_end = read_difference(reader, symbol.signature_begin);
  symbol.parent = static_cast<std::int32_t>(static_cast<std::uint32_t>(number) -
                                            static_cast<std::uint32_t>(reader.signed_varint()));
  return symbol;
}

// References are sorted by name: each omits the beginning it shares with its predecessor.
void encode_reference(const syntax::Reference& reference, std::string_view before,
                      std::string& bytes) {
  const auto [end, ignored] = std::ranges::mismatch(before, reference.name);
  const auto shared = static_cast<std::size_t>(end - before.begin());
  store_varint(bytes, shared);
  store_text(bytes, std::string_view(reference.name).substr(shared));
  store_varint(bytes,
               (std::uint64_t{reference.count} << 2U) | static_cast<std::uint64_t>(reference.kind));
  store_varint(bytes, reference.first_line);
}

syntax::Reference decode_reference(ByteReader& reader, std::string_view before) {
  syntax::Reference reference;
  reference.name = before.substr(0, static_cast<std::size_t>(reader.varint()));
  reference.name += reader.text();
  const std::uint64_t both = reader.varint();
  reference.kind = static_cast<syntax::ReferenceKind>(std::min<std::uint64_t>(both & 3U, 2));
  reference.count = static_cast<std::uint32_t>(both >> 2U);
  reference.first_line = reader.number();
  return reference;
}

// An element takes at least a byte, so a count beyond the remaining bytes is damage.
std::size_t read_count(ByteReader& reader) {
  const auto count = static_cast<std::size_t>(reader.varint());
  if (count <= reader.left()) return count;
  (void)reader.text(count);  // fails
  return 0;
}

struct Head {
  syntax::Syntax syntax{};
  bool compressed = false;
};

Head decode_head(ByteReader& reader) {
  Head head;
  const std::uint64_t language = reader.varint();
  head.syntax.language = language < syntax::kLanguages ? static_cast<syntax::Language>(language)
                                                       : syntax::Language::kText;
  const std::uint64_t flags = reader.varint();
  head.syntax.has_errors = (flags & kHasErrors) != 0;
  head.syntax.truncated = (flags & kTruncated) != 0;
  head.compressed = (flags & kCompressed) != 0;
  const std::size_t imports = read_count(reader);
  for (std::size_t i = 0; i < imports; ++i) head.syntax.imports.emplace_back(reader.text());
  return head;
}

void encode_head(const syntax::Syntax& syntax, bool compressed, std::string& bytes) {
  store_varint(bytes, static_cast<std::uint64_t>(syntax.language));
  store_varint(bytes, (syntax.has_errors ? kHasErrors : 0) | (syntax.truncated ? kTruncated : 0) |
                          (compressed ? kCompressed : 0));
  store_varint(bytes, syntax.imports.size());
  for (const std::string& import : syntax.imports) store_text(bytes, import);
}

std::string encode_body(const syntax::Syntax& syntax) {
  std::string bytes;
  store_varint(bytes, syntax.symbols.size());
  syntax::Symbol before;
  std::int32_t number = 0;
  for (const syntax::Symbol& symbol : syntax.symbols) {
    encode_symbol(symbol, before, number++, bytes);
    before.range = symbol.range;
  }
  store_varint(bytes, syntax.references.size());
  std::string_view name;
  for (const syntax::Reference& reference : syntax.references) {
    encode_reference(reference, name, bytes);
    name = reference.name;
  }
  return bytes;
}

// Returns an empty text if compression does not make it smaller.
std::string compressed(std::string_view bytes) {
  if (bytes.size() < kWorthCompressing) return {};
  uLongf size = ::compressBound(bytes.size());
  std::string packed(size, '\0');
  const int result = ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kFast);
  packed.resize(size);
  return result == Z_OK && packed.size() < bytes.size() ? packed : std::string();
}

// Returns nothing if the input is damaged.
std::optional<std::string> expanded(std::string_view packed, std::uint64_t size) {
  if (size / kMostGain > packed.size()) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  uLongf found = bytes.size();
  uLong used = packed.size();
  const int result = ::uncompress2(reinterpret_cast<Bytef*>(bytes.data()), &found,
                                   reinterpret_cast<const Bytef*>(packed.data()), &used);
  if (result != Z_OK || found != bytes.size() || used != packed.size()) return std::nullopt;
  return bytes;
}

// Returns false if the input is damaged.
bool decode_body(std::string_view bytes, syntax::Syntax& syntax) {
  ByteReader reader(bytes);
  const std::size_t symbols = read_count(reader);
  syntax.symbols.reserve(symbols);
  syntax::Symbol before;
  for (std::size_t i = 0; i < symbols && !reader.failed(); ++i) {
    syntax.symbols.push_back(decode_symbol(reader, before, static_cast<std::int32_t>(i)));
    before.range = syntax.symbols.back().range;
  }
  const std::size_t references = read_count(reader);
  syntax.references.reserve(references);
  for (std::size_t i = 0; i < references && !reader.failed(); ++i) {
    const std::string_view name =
        i == 0 ? std::string_view{} : std::string_view(syntax.references.back().name);
    syntax.references.push_back(decode_reference(reader, name));
  }
  return !reader.failed() && reader.at_end();
}

}  // namespace

void encode_syntax(const syntax::Syntax& syntax, std::string& bytes) {
  const std::string body = encode_body(syntax);
  const std::string packed = compressed(body);
  encode_head(syntax, !packed.empty(), bytes);
  if (!packed.empty()) store_varint(bytes, body.size());
  bytes += packed.empty() ? body : packed;
}

base::Result<syntax::Syntax> decode_syntax(std::string_view bytes) {
  ByteReader reader(bytes);
  Head head = decode_head(reader);
  std::optional<std::string> body;
  if (head.compressed) {
    const std::uint64_t size = reader.varint();
    body = expanded(reader.text(reader.left()), size);
  } else {
    body = std::string(reader.text(reader.left()));
  }
  if (reader.failed() || !body || !decode_body(*body, head.syntax)) {
    return base::corruption("a file's syntax is damaged");
  }
  return std::move(head.syntax);
}

std::vector<std::string> decode_imports(std::string_view bytes) {
  ByteReader reader(bytes);
  return decode_head(reader).syntax.imports;
}

}  // namespace clever::index::internal
