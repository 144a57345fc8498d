#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "config/testing/exercise.h"
#include "io/file.h"
#include "support/built_paths.h"

namespace clever::config::internal {
namespace {

// The same texts the fuzzer starts from.
std::vector<std::string> read_seeds() {
  std::vector<std::filesystem::path> files;
  const auto folder = test::source_root() / "src/config/fuzz";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry);
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(io::read_file(file).value());
  return texts;
}

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> kSeeds = read_seeds();
  return kSeeds;
}

constexpr std::string_view kAlphabet = "[]{}=.,#\"'\\\n\r\t x1-_é";

std::string fragment(base::Random& random) {
  if (random.below(2) == 0) return std::string(1, kAlphabet[random.below(kAlphabet.size())]);
  const std::string& seed = seeds()[random.below(seeds().size())];
  const std::size_t begin = random.below(seed.size());
  return seed.substr(begin, random.below(20));
}

std::string mutated(base::Random& random) {
  std::string text = seeds()[random.below(seeds().size())];
  for (std::uint64_t changes = random.below(4); changes > 0; --changes) {
    const std::size_t at = random.below(text.size() + 1);
    text.replace(at, random.below(3) * random.below(8), fragment(random));
  }
  return text;
}

TEST(Mutation, SeedsKeepEveryPromise) {
  ASSERT_GE(seeds().size(), 8U);
  for (const std::string& seed : seeds()) {
    ASSERT_TRUE(parse(seed, "seed.toml").ok()) << parse(seed, "seed.toml").error().to_string();
    exercise(seed);
  }
}

TEST(Mutation, MutatedSeedsKeepEveryPromise) {
  base::SeededRandom random(1);
  int valid = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = mutated(random);
    SCOPED_TRACE(text);
    exercise(text);
    if (parse(text, "mutated.toml").ok()) ++valid;
  }
  // Else the editor would hardly have been tried.
  EXPECT_GT(valid, 500);
}

TEST(Mutation, BytesOfAllKindsKeepEveryPromise) {
  base::SeededRandom random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string text = mutated(random);
    for (int n = 0; n < 3; ++n) {
      text.insert(random.below(text.size() + 1), 1, static_cast<char>(random.below(256)));
    }
    exercise(text);
  }
}

}  // namespace
}  // namespace clever::config::internal
