#include "index/code_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "git/tree.h"
#include "support/memory_corpus.h"
#include "support/repository.h"
#include "support/temporary_directory.h"
#include "support/trees.h"

namespace clever::index {
namespace {

using test::MemoryCorpus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Files = MemoryCorpus::Files;

const Files kProject{
    {"src/parser.c",
     "#include \"lexer.h\"\n\nint parse_line(const char *text) {\n  return next_token(text);\n}\n"},
    {"src/lexer.h", "int next_token(const char *text);\n"},
    {"src/lexer.c", "#include \"lexer.h\"\n\nint next_token(const char *text) { return *text; }\n"},
    {"src/main.c", "#include \"lexer.h\"\nint main(void) { return parse_line(\"x\"); }\n"},
    {"README.md", "# A parser\n\nIt parses lines into tokens.\n"},
};

std::vector<std::string> hit_paths(const View& view, const std::vector<Hit>& hits) {
  std::vector<std::string> paths;
  for (const Hit& hit : hits) paths.push_back(view.path(hit.file));
  return paths;
}

std::vector<std::string> searched(const View& view, std::string_view query) {
  return hit_paths(view, view.search(query, 100));
}
std::vector<std::string> grepped(const View& view, std::string_view query) {
  return hit_paths(view, view.grep(query, 100));
}

// A direction for each of four words, to have vectors that differ.
class FourWords final : public Embedder {
 public:
  [[nodiscard]] std::string name() const override { return "test/4"; }
  [[nodiscard]] std::size_t dimensions() const override { return 4; }
  [[nodiscard]] base::Result<std::vector<Vector>> embed(const std::vector<std::string_view>& texts,
                                                        const base::StopToken& /*stop*/,
                                                        base::Deadline /*deadline*/) override {
    if (fails) return base::unavailable("no network");
    std::vector<Vector> vectors;
    for (const std::string_view text : texts) {
      Vector& vector = vectors.emplace_back(4, std::int8_t{0});
      constexpr std::array<std::string_view, 4> kWords{"token", "main", "parser", "zebra"};
      for (std::size_t i = 0; i < 4; ++i) vector[i] = text.contains(kWords[i]) ? 127 : 0;
    }
    return vectors;
  }
  bool fails = false;
};

class CodeIndexTest : public testing::Test {
 protected:
  [[nodiscard]] IndexOptions options() const { return {.folder = folder_ / "index"}; }
  [[nodiscard]] std::unique_ptr<CodeIndex> open() const {
    return CodeIndex::open(options()).value();
  }

  static std::shared_ptr<MemoryCorpus> tree(Files files) {
    return std::make_shared<MemoryCorpus>(std::move(files));
  }
  static std::shared_ptr<MemoryCorpus> folder(Files files) {
    return std::make_shared<MemoryCorpus>(std::move(files), MemoryCorpus::Like::kFolder);
  }

  std::filesystem::path only_segment() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "index")) {
      if (entry.path().filename().string().starts_with("segment-")) return entry.path();
    }
    return {};
  }

  const test::TemporaryDirectory folder_;
};

TEST_F(CodeIndexTest, FindsFilesByTheirWords) {
  const auto view = open()->view(tree(kProject)).value();
  EXPECT_EQ(view->size(), kProject.size());
  EXPECT_EQ(searched(*view, "parse line").front(), "src/parser.c");
  EXPECT_THAT(searched(*view, "nowhere"), IsEmpty());
  EXPECT_THAT(searched(*view, ""), IsEmpty());
}

TEST_F(CodeIndexTest, FindsOtherFormsOfAWord) {
  const auto view = open()->view(tree({{"a.txt", "it parses"}, {"b.txt", "other"}})).value();
  EXPECT_THAT(searched(*view, "parsing"), ElementsAre("a.txt"));
  EXPECT_THAT(hit_paths(*view, view->search_plainly("parsing", 10)), IsEmpty());
}

TEST_F(CodeIndexTest, FindsFilesByTheirPaths) {
  const auto view = open()->view(tree({{"http/client.txt", "x y"}, {"b.txt", "client"}})).value();
  EXPECT_THAT(searched(*view, "http"), ElementsAre("http/client.txt"));
  EXPECT_EQ(searched(*view, "http client").front(), "http/client.txt");
}

TEST_F(CodeIndexTest, EqualScoresGoByPath) {
  const auto view =
      open()->view(tree({{"c", "same text"}, {"a", "same text"}, {"b", "same text"}})).value();
  EXPECT_THAT(searched(*view, "text"), ElementsAre("a", "b", "c"));
  EXPECT_EQ(view->search("text", 2).size(), 2U);
}

TEST_F(CodeIndexTest, AHugeQueryIsAnswered) {
  const auto view = open()->view(tree(kProject)).value();
  std::string query;
  while (query.size() < (1U << 20U))
    query += "token" + std::to_string(query.size()) + " parse_line \xFF";
  EXPECT_THAT(searched(*view, query), testing::Contains("src/parser.c"));
}

TEST_F(CodeIndexTest, GrepWantsEveryWord) {
  const auto view = open()->view(tree(kProject)).value();
  EXPECT_THAT(grepped(*view, "next_token"),
              UnorderedElementsAre("src/lexer.c", "src/lexer.h", "src/parser.c"));
  EXPECT_THAT(grepped(*view, "next_token parse_line"), ElementsAre("src/parser.c"));
  EXPECT_THAT(grepped(*view, "next_token nowhere"), IsEmpty());
  EXPECT_THAT(grepped(*view, " "), IsEmpty());
}

TEST_F(CodeIndexTest, GrepWantsQuotedWordsInARow) {
  const auto view =
      open()->view(tree({{"a", "the quick, brown fox"}, {"b", "brown quick the"}})).value();
  EXPECT_THAT(grepped(*view, "quick brown"), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(grepped(*view, "\"Quick brown\""), ElementsAre("a"));
  EXPECT_THAT(grepped(*view, "the \"brown quick\""), ElementsAre("b"));
  EXPECT_THAT(grepped(*view, "\"quick brow"), IsEmpty());
}

TEST_F(CodeIndexTest, KnowsDefinitionsAndUses) {
  const auto view = open()->view(tree(kProject)).value();
  const auto found = view->definitions("parse_line", 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(view->path(found[0].file), "src/parser.c");
  EXPECT_EQ(found[0].symbol.name, "parse_line");
  EXPECT_EQ(view->definitions("PARSE_LINE", 10).size(), 1U);
  EXPECT_EQ(view->definitions("Parser::parse_line", 10).size(), 1U);
  EXPECT_THAT(view->definitions("nowhere", 10), IsEmpty());
  EXPECT_THAT(hit_paths(*view, view->uses("parse_line", 10)), ElementsAre("src/main.c"));
}

TEST_F(CodeIndexTest, KnowsWhatLiesNextInTheGraph) {
  const auto view = open()->view(tree(kProject)).value();
  std::vector<std::pair<std::string, Edge::Why>> edges;
  for (const Edge& edge : view->edges(*view->find("src/parser.c"), 100)) {
    edges.emplace_back(view->path(edge.to), edge.why);
    EXPECT_GT(edge.weight, 0);
    EXPECT_LE(edge.weight, 1);
  }
  EXPECT_THAT(edges, testing::IsSupersetOf(std::vector<std::pair<std::string, Edge::Why>>{
                         {"src/lexer.h", Edge::Why::kImports},
                         {"src/lexer.c", Edge::Why::kUses},
                         {"src/main.c", Edge::Why::kUsedBy}}));
  const auto back = view->edges(*view->find("src/lexer.h"), 100);
  EXPECT_EQ(std::ranges::count(back, Edge::Why::kImportedBy, &Edge::why), 3);
  EXPECT_THAT(view->edges(12345, 10), IsEmpty());
}

TEST_F(CodeIndexTest, KnowsSyntaxAndContent) {
  const auto view = open()->view(tree(kProject)).value();
  const FileNumber file = *view->find("src/parser.c");
  EXPECT_EQ(view->language(file), syntax::Language::kC);
  EXPECT_EQ(view->syntax(file).value().imports, std::vector<std::string>{"lexer.h"});
  EXPECT_EQ(view->content(file).value(), kProject.at("src/parser.c"));
  EXPECT_EQ(view->blob(file),
            git::object_id_of(git::ObjectKind::kBlob, kProject.at("src/parser.c")));
  EXPECT_FALSE(view->syntax(99).ok());
  EXPECT_FALSE(view->content(99).ok());
  EXPECT_FALSE(view->find("none"));
}

TEST_F(CodeIndexTest, CountsWhatThereIs) {
  const auto index = open();
  const auto stats = index->view(tree(kProject)).value()->stats();
  EXPECT_EQ(stats.files, 5U);
  EXPECT_EQ(stats.searched, 5U);
  EXPECT_GE(stats.symbols, 3U);
  EXPECT_THAT(stats.languages, ElementsAre(testing::Pair(syntax::Language::kC, 4),
                                           testing::Pair(syntax::Language::kMarkdown, 1)));
  EXPECT_EQ(index->stats().blobs, 5U);
  EXPECT_GT(index->stats().bytes_on_disk, 0U);
  EXPECT_EQ(index->stats().repaired, "");
}

TEST_F(CodeIndexTest, NearestPiecesComeFirst) {
  FourWords embedder;
  IndexOptions all = options();
  all.embedder = &embedder;
  const auto index = CodeIndex::open(all).value();
  const auto view =
      index->view(tree({{"a", "zebra"}, {"b", "token main"}, {"c", "token"}})).value();
  const auto near = view->nearest({127, 127, 0, 0}, 2);
  ASSERT_EQ(near.size(), 2U);
  EXPECT_EQ(view->path(near[0].file), "b");
  EXPECT_EQ(view->path(near[1].file), "c");
  EXPECT_GT(near[0].score, near[1].score);
  EXPECT_EQ(near[0].range.end, 10U);
  EXPECT_THAT(view->nearest({1, 2}, 5), IsEmpty());
  EXPECT_THAT(view->nearest({127, 0, 0, 0}, 0), IsEmpty());
}

TEST_F(CodeIndexTest, VectorsThatCannotBeMadeAreTriedAgain) {
  FourWords embedder;
  embedder.fails = true;
  IndexOptions all = options();
  all.embedder = &embedder;
  const auto index = CodeIndex::open(all).value();
  const auto corpus = tree({{"a", "zebra"}});
  const auto without = index->view(corpus).value();
  EXPECT_THAT(searched(*without, "zebra"), ElementsAre("a"));
  EXPECT_THAT(without->nearest({0, 0, 0, 127}, 5), IsEmpty());
  embedder.fails = false;
  EXPECT_EQ(index->view(tree({{"a", "zebra"}})).value()->nearest({0, 0, 0, 127}, 5).size(), 1U);
}

TEST_F(CodeIndexTest, TextOnlyHasWordsAlone) {
  IndexOptions text = options();
  text.text_only = true;
  const auto view = CodeIndex::open(text).value()->view(tree(kProject)).value();
  EXPECT_THAT(grepped(*view, "parse_line"), UnorderedElementsAre("src/main.c", "src/parser.c"));
  EXPECT_THAT(view->definitions("parse_line", 10), IsEmpty());
  EXPECT_THAT(view->syntax(*view->find("src/parser.c")).value().symbols, IsEmpty());
  // What has words alone is read again by who needs more.
  EXPECT_EQ(open()->view(tree(kProject)).value()->definitions("parse_line", 10).size(), 1U);
}

TEST_F(CodeIndexTest, AnUnchangedFolderIsNotReadAgain) {
  const auto corpus = folder(kProject);
  {
    const auto index = open();
    ASSERT_TRUE(index->view(corpus).ok());
    EXPECT_EQ(corpus->taken().size(), kProject.size());
    ASSERT_TRUE(index->view(corpus).ok());
    EXPECT_THAT(corpus->taken(), IsEmpty());
  }
  const auto view = open()->view(corpus).value();
  EXPECT_THAT(corpus->taken(), IsEmpty());
  EXPECT_EQ(searched(*view, "parse line").front(), "src/parser.c");
}

TEST_F(CodeIndexTest, OnlyAnEditedFileIsReadAgain) {
  const auto index = open();
  ASSERT_TRUE(index->view(folder(kProject)).ok());
  Files edited = kProject;
  edited["src/main.c"] += "/* zebra */\n";
  const auto corpus = folder(edited);
  const auto view = index->view(corpus).value();
  EXPECT_THAT(corpus->taken(), ElementsAre("src/main.c"));
  EXPECT_THAT(grepped(*view, "zebra"), ElementsAre("src/main.c"));
}

TEST_F(CodeIndexTest, AFileThatChangedJustNowIsNotTrusted) {
  base::SimulatedClock clock(base::WallTime{std::chrono::nanoseconds(50'000'000)});
  IndexOptions early = options();
  early.clock = &clock;
  const auto index = CodeIndex::open(early).value();
  const auto corpus = folder({{"a", "text"}});
  ASSERT_TRUE(index->view(corpus).ok());
  (void)corpus->taken();
  ASSERT_TRUE(index->view(corpus).ok());
  EXPECT_THAT(corpus->taken(), ElementsAre("a"));
}

TEST_F(CodeIndexTest, BranchesShareTheirContents) {
  const auto index = open();
  ASSERT_TRUE(index->view(tree(kProject)).ok());
  Files branch = kProject;
  branch["renamed.c"] = std::move(branch.extract("src/main.c").mapped());
  const auto corpus = tree(branch);
  const auto view = index->view(corpus).value();
  EXPECT_THAT(corpus->taken(), IsEmpty());
  EXPECT_THAT(grepped(*view, "main"), ElementsAre("renamed.c"));
}

TEST_F(CodeIndexTest, OneContentInTwoLanguagesIsUnderstoodTwice) {
  const std::string text = "# Title\n";
  const auto view = open()->view(tree({{"a.md", text}, {"a.py", text}})).value();
  EXPECT_EQ(view->language(0), syntax::Language::kMarkdown);
  EXPECT_EQ(view->language(1), syntax::Language::kPython);
  EXPECT_EQ(view->definitions("Title", 10).size(), 1U);
}

TEST_F(CodeIndexTest, ScoresDoNotDependOnWhatElseIsIndexed) {
  const auto alone = open()->view(tree(kProject)).value();
  const test::TemporaryDirectory other;
  const auto index = CodeIndex::open({.folder = other / "index"}).value();
  Files many = kProject;
  for (int i = 0; i < 50; ++i)
    many["x" + std::to_string(i)] = "parse line token " + std::to_string(i);
  ASSERT_TRUE(index->view(tree(many)).ok());
  const auto among = index->view(tree(kProject)).value();
  EXPECT_EQ(among->search("parse line of tokens", 10), alone->search("parse line of tokens", 10));
  EXPECT_EQ(among->uses("next_token", 10), alone->uses("next_token", 10));
}

TEST_F(CodeIndexTest, AnswersDoNotDependOnThreadsOrOrder) {
  Files many = kProject;
  for (int i = 0; i < 200; ++i) {
    many["src/f" + std::to_string(i) + ".c"] = "int function_" + std::to_string(i) +
                                               "(void) { return function_" +
                                               std::to_string((i * 7) % 200) + "(); }\n";
  }
  std::vector<std::vector<Hit>> answers;
  std::vector<std::size_t> edges;
  for (const unsigned threads : {1U, 2U, 7U}) {
    for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{256} << 20U}) {
      const test::TemporaryDirectory other;
      const auto index =
          CodeIndex::open({.folder = other / "index", .threads = threads, .memory = memory})
              .value();
      if (threads == 2) ASSERT_TRUE(index->view(tree(kProject)).ok());
      const auto view = index->view(tree(many)).value();
      answers.push_back(view->search("function return 7", 50));
      edges.push_back(view->edges(*view->find("src/f14.c"), 50).size());
    }
  }
  for (const auto& answer : answers) EXPECT_EQ(answer, answers.front());
  for (const std::size_t count : edges) EXPECT_EQ(count, edges.front());
}

TEST_F(CodeIndexTest, ListsFilesThatAreNotSearched) {
  IndexOptions small = options();
  small.largest_file = 100;
  for (const auto& corpus : {tree({{"big.txt", std::string(101, 'x')},
                                   {"image.png", std::string("P\0word", 6)},
                                   {"gen.go", "// Code generated by word. DO NOT EDIT.\n"},
                                   {"vendor/word.go", "word"},
                                   {"word.txt", "word"}}),
                             folder({{"big.txt", std::string(101, 'x')},
                                     {"image.png", std::string("P\0word", 6)},
                                     {"gen.go", "// Code generated by word. DO NOT EDIT.\n"},
                                     {"vendor/word.go", "word"},
                                     {"word.txt", "word"}})}) {
    const auto view = CodeIndex::open(small).value()->view(corpus).value();
    EXPECT_EQ(view->kind(*view->find("big.txt")), FileKind::kTooLarge);
    EXPECT_EQ(view->kind(*view->find("image.png")), FileKind::kBinary);
    EXPECT_EQ(view->kind(*view->find("gen.go")), FileKind::kGenerated);
    EXPECT_EQ(view->kind(*view->find("vendor/word.go")), FileKind::kVendored);
    EXPECT_EQ(view->kind(*view->find("word.txt")), FileKind::kSource);
    EXPECT_THAT(grepped(*view, "word"), ElementsAre("word.txt"));
    EXPECT_EQ(view->stats().searched, 1U);
    EXPECT_EQ(view->language(*view->find("vendor/word.go")), syntax::Language::kGo);
  }
}

TEST(FileKindNames, AreWords) {
  EXPECT_EQ(to_string(FileKind::kSource), "source");
  EXPECT_EQ(to_string(FileKind::kTooLarge), "too large");
}

TEST_F(CodeIndexTest, BrokenTextsAreIndexed) {
  std::string deep(50'000, '(');
  const auto view = open()
                        ->view(tree({{"empty.c", ""},
                                     {"broken.c", "int \xFF\xFE caf\xC3 { word"},
                                     {"deep.c", deep},
                                     {"long.txt", std::string(500'000, 'x') + " word"}}))
                        .value();
  EXPECT_EQ(view->size(), 4U);
  EXPECT_THAT(grepped(*view, "word"), ElementsAre("broken.c"));
}

TEST_F(CodeIndexTest, AnUnreadableFileIsLeftOutAndSaid) {
  const base::SystemClock clock;
  const auto sink = std::make_shared<base::CapturingSink>();
  const base::Logger logger(clock, std::make_shared<base::Redactor>(), {sink});
  IndexOptions logged = options();
  logged.logger = &logger;
  const auto index = CodeIndex::open(logged).value();
  const auto corpus = tree(kProject);
  corpus->unreadable = {"README.md", "src/main.c"};
  const auto view = index->view(corpus).value();
  EXPECT_EQ(view->size(), 3U);
  EXPECT_FALSE(view->find("src/main.c"));
  EXPECT_EQ(sink->records().size(), 2U);
  EXPECT_THAT(grepped(*view, "parse_line"), ElementsAre("src/parser.c"));
}

TEST_F(CodeIndexTest, ContentThatChangedSinceIsRefused) {
  const test::Repository folder(test::Repository::Kind::kPlainFolder);
  folder.write("a.txt", "before");
  const auto project = git::Project::find(folder.path()).value();
  const auto view = open()->view(folder_corpus(project)).value();
  EXPECT_EQ(view->content(0).value(), "before");
  folder.write("a.txt", "after it");
  const auto content = view->content(0);
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.error().code(), base::ErrorCode::kConflict);
}

TEST_F(CodeIndexTest, SeesTheTreeOfAWorkspaceAtOnce) {
  test_trees::Trees trees;
  const std::shared_ptr<git::ObjectStore> store(&trees.store(), [](git::ObjectStore*) {});
  test_trees::Files files{{"a/x.c", test_trees::text("int apple;")},
                          {"b/y.c", test_trees::text("int banana;")},
                          {"b/z.c", test_trees::text("int banana_split;")}};
  const auto index = open();
  const auto view_of = [&] { return index->view(tree_corpus(store, trees.tree(files))).value(); };
  EXPECT_THAT(grepped(*view_of(), "banana"), UnorderedElementsAre("b/y.c", "b/z.c"));
  files["a/x.c"] = test_trees::text("int banana_bread;");
  EXPECT_THAT(grepped(*view_of(), "banana"), UnorderedElementsAre("a/x.c", "b/y.c", "b/z.c"));
  files.erase("b/y.c");
  files["a/new.c"] = test_trees::text("int banana_new;");
  files["c.c"] = test_trees::text("int cherry;");
  const auto view = view_of();
  EXPECT_THAT(grepped(*view, "banana"), UnorderedElementsAre("a/new.c", "a/x.c", "b/z.c"));
  EXPECT_THAT(grepped(*view, "cherry"), ElementsAre("c.c"));
  EXPECT_EQ(view->size(), 4U);
  // The same as by an index that never saw the trees before.
  const test::TemporaryDirectory other;
  const auto fresh = CodeIndex::open({.folder = other / "index"}).value();
  const auto again = fresh->view(tree_corpus(store, trees.tree(files))).value();
  EXPECT_EQ(again->search("banana int", 10), view->search("banana int", 10));
}

TEST_F(CodeIndexTest, TellsHowFarItIs) {
  Files many;
  for (int i = 0; i < 300; ++i) many["f" + std::to_string(i)] = "content " + std::to_string(i);
  std::vector<IndexProgress> reported;
  ASSERT_TRUE(
      open()->view(tree(many), [&](const IndexProgress& one) { reported.push_back(one); }).ok());
  ASSERT_FALSE(reported.empty());
  EXPECT_EQ(reported.back().files, 300U);
  EXPECT_EQ(reported.back().done, 300U);
  EXPECT_GT(reported.back().bytes, 0U);
}

TEST_F(CodeIndexTest, WorkBeforeAStopRemains) {
  Files many;
  for (int i = 0; i < 300; ++i) many["f" + std::to_string(i)] = "content " + std::to_string(i);
  const auto index = open();
  base::StopSource stop;
  const auto corpus = tree(many);
  corpus->on_read = [&](const std::string& path) {
    if (path == "f200") stop.request_stop();
  };
  const auto stopped = index->view(corpus, {}, stop.token());
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code(), base::ErrorCode::kCancelled);
  corpus->on_read = {};
  const std::size_t first = corpus->taken().size();
  EXPECT_EQ(index->view(corpus).value()->size(), 300U);
  EXPECT_EQ(corpus->taken().size(), 300 - first);
}

TEST_F(CodeIndexTest, ADeadlineEndsIndexing) {
  base::SimulatedClock clock;
  const auto deadline = base::Deadline::after(clock, std::chrono::seconds(1));
  const auto corpus = tree(kProject);
  corpus->on_read = [&](const std::string&) { clock.advance(std::chrono::seconds(1)); };
  const auto view = open()->view(corpus, {}, {}, deadline);
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.error().code(), base::ErrorCode::kDeadlineExceeded);
}

TEST_F(CodeIndexTest, ManyEditsMakeFewSegments) {
  const auto index = open();
  Files files = kProject;
  for (int i = 0; i < 60; ++i) {
    files["src/main.c"] = "int edit_" + std::to_string(i) + ";\n";
    const auto view = index->view(tree(files)).value();
    ASSERT_THAT(grepped(*view, "edit_" + std::to_string(i)), ElementsAre("src/main.c"));
  }
  EXPECT_LE(index->stats().segments, 18U);
  EXPECT_EQ(index->stats().blobs, 64U);
}

TEST_F(CodeIndexTest, OneRunMakesOneSegment) {
  IndexOptions forgetful = options();
  forgetful.memory = 1;  // a segment for each file
  const auto index = CodeIndex::open(forgetful).value();
  const auto view = index->view(tree(kProject)).value();
  EXPECT_EQ(index->stats().segments, 1U);
  EXPECT_EQ(index->stats().blobs, kProject.size());
  EXPECT_THAT(grepped(*view, "parse_line"), UnorderedElementsAre("src/parser.c", "src/main.c"));
}

TEST_F(CodeIndexTest, TidyingMergesAndForgets) {
  IndexOptions few = options();
  few.keep = 1;
  const auto index = CodeIndex::open(few).value();
  Files files;
  for (int i = 0; i < 10; ++i) {
    files["a"] = "edit " + std::to_string(i);
    ASSERT_TRUE(index->view(tree(files)).ok());
  }
  const auto held = index->view(tree(files)).value();
  ASSERT_TRUE(index->tidy().ok());
  EXPECT_EQ(index->stats().segments, 1U);
  EXPECT_EQ(index->stats().blobs, 1U);
  EXPECT_THAT(grepped(*held, "edit"), ElementsAre("a"));
  const auto corpus = tree(files);
  EXPECT_THAT(grepped(*index->view(corpus).value(), "edit"), ElementsAre("a"));
  EXPECT_THAT(corpus->taken(), IsEmpty());
}

TEST_F(CodeIndexTest, AViewOutlivesItsIndex) {
  std::shared_ptr<const View> view;
  {
    const auto index = open();
    view = index->view(tree(kProject)).value();
  }
  std::filesystem::remove_all(folder_ / "index");
  EXPECT_EQ(searched(*view, "parse line").front(), "src/parser.c");
}

TEST_F(CodeIndexTest, TwoIndexesOfOneFolderSeeEachOther) {
  const auto one = open();
  const auto other = open();
  ASSERT_TRUE(one->view(tree(kProject)).ok());
  const auto corpus = tree(kProject);
  ASSERT_TRUE(other->view(corpus).ok());
  EXPECT_THAT(corpus->taken(), IsEmpty());
}

// ---- damage ----

TEST_F(CodeIndexTest, ADamagedSegmentIsDroppedAndMadeAgain) {
  ASSERT_TRUE(open()->view(tree(kProject)).ok());
  const auto size = std::filesystem::file_size(only_segment());
  {
    std::fstream file(only_segment(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 2));
    file << "damage";
  }
  const auto index = open();
  EXPECT_THAT(index->stats().repaired, HasSubstr("damaged"));
  const auto corpus = tree(kProject);
  EXPECT_EQ(searched(*index->view(corpus).value(), "parse line").front(), "src/parser.c");
  EXPECT_EQ(corpus->taken().size(), kProject.size());
  EXPECT_EQ(open()->stats().repaired, "");
}

TEST_F(CodeIndexTest, ACutSegmentIsDropped) {
  ASSERT_TRUE(open()->view(tree(kProject)).ok());
  std::filesystem::resize_file(only_segment(), 100);
  const auto index = open();
  EXPECT_THAT(index->stats().repaired, HasSubstr("cut short"));
  EXPECT_TRUE(index->view(tree(kProject)).ok());
}

TEST_F(CodeIndexTest, AMissingSegmentIsMadeAgain) {
  ASSERT_TRUE(open()->view(tree(kProject)).ok());
  std::filesystem::remove(only_segment());
  const auto index = open();
  EXPECT_THAT(index->stats().repaired, HasSubstr("missing"));
  EXPECT_EQ(searched(*index->view(tree(kProject)).value(), "parse line").front(), "src/parser.c");
  EXPECT_EQ(open()->stats().repaired, "");
}

TEST_F(CodeIndexTest, ADamagedManifestIsMadeAgain) {
  ASSERT_TRUE(open()->view(tree(kProject)).ok());
  folder_.write("index/manifest", "nonsense");
  const auto index = open();
  EXPECT_THAT(index->stats().repaired, HasSubstr("manifest"));
  EXPECT_TRUE(index->view(tree(kProject)).ok());
  EXPECT_EQ(open()->stats().repaired, "");
  EXPECT_EQ(open()->stats().blobs, 5U);
}

TEST_F(CodeIndexTest, TidyingFindsWhatRottedUnseen) {
  const auto index = open();
  ASSERT_TRUE(index->view(tree(kProject)).ok());
  const auto segment = only_segment();
  {
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(20);
    file << "\x7F\x7F";
  }
  ASSERT_TRUE(index->tidy().ok());
  EXPECT_THAT(index->stats().repaired, HasSubstr("damaged"));
  EXPECT_EQ(searched(*index->view(tree(kProject)).value(), "parse line").front(), "src/parser.c");
}

TEST_F(CodeIndexTest, SaysWhereThereCannotBeAnIndex) {
  folder_.write("file", "");
  EXPECT_FALSE(CodeIndex::open({.folder = folder_ / "file" / "index"}).ok());
}

}  // namespace
}  // namespace clever::index
