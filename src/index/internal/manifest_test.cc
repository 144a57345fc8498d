#include "index/internal/manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temporary_directory.h"

namespace clever::index::internal {
namespace {

const Manifest kTwo{{{"segment-1-2", 10, 20, -30}, {"segment-3-4", 1, 2, 3}}};

TEST(Manifest, ComesBackAsItWas) {
  EXPECT_EQ(parse_manifest(to_text(kTwo)).value(), kTwo);
  EXPECT_EQ(parse_manifest(to_text({})).value(), Manifest{});
}

TEST(Manifest, EveryChangeAndEveryCutIsFound) {
  const std::string text = to_text(kTwo);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(parse_manifest(changed).ok()) << i;
    EXPECT_FALSE(parse_manifest(text.substr(0, i)).ok()) << i;
  }
}

TEST(Manifest, NamesNothingOutsideOfItsFolder) {
  for (const char* name : {"../x", "a/b", "", ".hidden"}) {
    EXPECT_FALSE(parse_manifest(to_text({{{name, 1, 1, 1}}})).ok()) << name;
  }
}

TEST(Manifest, AnEntrySaysHowTheFileIs) {
  const test::TemporaryDirectory folder;
  folder.write("s", "12345");
  const auto directory = io::Directory::open(folder.path()).value();
  const Manifest::Entry entry = manifest_entry(directory, "s").value();
  EXPECT_EQ(entry.size, 5U);
  EXPECT_EQ(manifest_entry(directory, "s").value(), entry);
  EXPECT_FALSE(manifest_entry(directory, "none").ok());
}

}  // namespace
}  // namespace clever::index::internal
