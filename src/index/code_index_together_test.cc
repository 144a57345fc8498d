#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "index/code_index.h"
#include "support/memory_corpus.h"
#include "support/temporary_directory.h"

// Two that use one folder, as two processes would, each at the worst moment of the other.
namespace clever::index {
namespace {

using test::MemoryCorpus;

TEST(TwoIndexesTest, ReadsAgainWhatTheOtherForgets) {
  const test::TemporaryDirectory folder;
  const auto mine = CodeIndex::open({.folder = folder / "index"}).value();
  const auto other = CodeIndex::open({.folder = folder / "index"}).value();
  MemoryCorpus::Files files{{"a.c", "int alpha;\n"}, {"b.c", "int beta;\n"}};
  ASSERT_TRUE(mine->view(std::make_shared<MemoryCorpus>(files)).ok());
  ASSERT_TRUE(other->view(std::make_shared<MemoryCorpus>(MemoryCorpus::Files{})).ok());
  ASSERT_TRUE(
      other->view(std::make_shared<MemoryCorpus>(MemoryCorpus::Files{{"z.c", "int z1;\n"}})).ok());

  files["c.c"] = "int gamma;\n";
  const auto corpus = std::make_shared<MemoryCorpus>(files);
  corpus->on_read = [&](const std::string& path) {
    if (path == "c.c") EXPECT_TRUE(other->tidy().ok());
  };
  const auto view = mine->view(corpus).value();
  EXPECT_EQ(view->search("alpha", 10).size(), 1U);
  EXPECT_EQ(view->search("beta", 10).size(), 1U);
  EXPECT_EQ(view->search("gamma", 10).size(), 1U);
  EXPECT_THAT(corpus->taken(), testing::ElementsAre("a.c", "b.c", "c.c"));
}

}  // namespace
}  // namespace clever::index
