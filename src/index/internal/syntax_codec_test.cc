#include "index/internal/syntax_codec.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace clever::index::internal {
namespace {

std::string random_name(base::Random& random) {
  std::string name;
  for (std::uint64_t i = random.below(30); i > 0; --i) name += static_cast<char>(random.below(256));
  return name;
}

std::uint32_t number(base::Random& random) {
  return static_cast<std::uint32_t>(random.below(std::uint64_t{1} << (random.below(32) + 1)));
}

syntax::Syntax random_syntax(base::Random& random) {
  syntax::Syntax syntax;
  syntax.language = static_cast<syntax::Language>(random.below(syntax::kLanguages));
  syntax.has_errors = random.below(2) == 1;
  syntax.truncated = random.below(2) == 1;
  for (std::uint64_t i = random.below(5); i > 0; --i) syntax.imports.push_back(random_name(random));
  for (std::uint64_t i = random.below(20); i > 0; --i) {
    syntax.symbols.push_back({random_name(random),
                              static_cast<syntax::SymbolKind>(random.below(14)),
                              {number(random), number(random), number(random), number(random)},
                              number(random),
                              number(random),
                              static_cast<std::int32_t>(random.below(20)) - 1});
  }
  for (std::uint64_t i = random.below(20); i > 0; --i) {
    syntax.references.push_back({random_name(random),
                                 static_cast<syntax::ReferenceKind>(random.below(3)),
                                 number(random), number(random)});
  }
  return syntax;
}

TEST(SyntaxCodec, EverythingComesBack) {
  base::SeededRandom random(3);
  for (int round = 0; round < 500; ++round) {
    const syntax::Syntax syntax = random_syntax(random);
    std::string bytes;
    encode_syntax(syntax, bytes);
    ASSERT_EQ(decode_syntax(bytes).value(), syntax);
    ASSERT_EQ(decode_imports(bytes), syntax.imports);
  }
}

TEST(SyntaxCodec, EveryCutIsRefused) {
  base::SeededRandom random(4);
  std::string bytes;
  encode_syntax(random_syntax(random), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_syntax(std::string_view(bytes).substr(0, size)).ok()) << size;
  }
}

TEST(SyntaxCodec, AnyBytesAreRefusedOrRead) {
  base::SeededRandom random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (std::uint64_t i = random.below(80); i > 0; --i)
      bytes += static_cast<char>(random.below(256));
    const auto decoded = decode_syntax(bytes);
    if (!decoded.ok()) EXPECT_EQ(decoded.error().code(), base::ErrorCode::kCorruption);
  }
}

}  // namespace
}  // namespace clever::index::internal
