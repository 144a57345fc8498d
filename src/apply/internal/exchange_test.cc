#include "apply/internal/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apply/internal/image.h"
#include "support/temporary_directory.h"

namespace clever::apply::internal {
namespace {

using test::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// a is changed, b removed, c created.
struct ExchangeFixture {
  TemporaryDirectory folder;
  io::Directory root = io::Directory::open(folder.path()).value();
  Beginning beginning{.id = "id", .plan = "plan", .staging = ".staging"};
  Staged staged;

  ExchangeFixture() {
    folder.write("a", "old a");
    folder.write("b", "old b");
    folder.write(".staging/files/0", "new a");
    folder.write(".staging/files/2", "new c");
    staged.operations = {{"a", image("a"), image(".staging/files/0")},
                         {"b", image("b"), Image{}},
                         {"c", Image{}, image(".staging/files/2")}};
  }
  [[nodiscard]] Image image(std::string_view path) const { return image_at(root, path).value(); }
  [[nodiscard]] Exchange exchange() const { return {root, beginning, staged}; }
  void forward() const { EXPECT_FALSE(exchange().forward().value().has_value()); }
  [[nodiscard]] std::vector<std::string> back() const { return exchange().roll_back().value(); }
};

TEST(Exchange, GoesForwardAndBack) {
  const ExchangeFixture fixture;
  fixture.forward();
  EXPECT_THAT(fixture.exchange().verify().value(), IsEmpty());
  EXPECT_EQ(fixture.folder.read("a"), "new a");
  EXPECT_THAT(fixture.folder.names(), ElementsAre(".staging", "a", "c"));
  EXPECT_THAT(fixture.back(), IsEmpty());
  EXPECT_EQ(fixture.folder.read("a"), "old a");
  EXPECT_EQ(fixture.folder.read("b"), "old b");
  EXPECT_THAT(fixture.folder.names(), ElementsAre(".staging", "a", "b"));
  EXPECT_THAT(fixture.back(), IsEmpty());
}

TEST(Exchange, StopsAtWhatIsNotAsItWas) {
  const ExchangeFixture gone;
  gone.root.remove_file("a").value();
  EXPECT_EQ(gone.exchange().forward().value()->why, "is gone");
  const ExchangeFixture taken;
  taken.folder.write("c", "theirs");
  EXPECT_EQ(taken.exchange().forward().value()->why, "was created meanwhile");
  EXPECT_THAT(taken.back(), IsEmpty());
  EXPECT_EQ(taken.folder.read("a"), "old a");
  EXPECT_EQ(taken.folder.read("c"), "theirs");
}

TEST(Exchange, SeesASaveJustBefore) {
  const ExchangeFixture fixture;
  fixture.folder.write("a", "saved");
  fixture.folder.write("b", "saved too");
  fixture.forward();
  const auto moved = fixture.exchange().verify().value();
  ASSERT_EQ(moved.size(), 2U);
  EXPECT_EQ(moved[0].why, "changed since");
  EXPECT_THAT(fixture.back(), IsEmpty());
  EXPECT_EQ(fixture.folder.read("a"), "saved");
  EXPECT_EQ(fixture.folder.read("b"), "saved too");
}

TEST(Exchange, KeepsASaveInTheMiddleAndTheOldVersion) {
  const ExchangeFixture fixture;
  fixture.forward();
  fixture.folder.write("a", "saved over the new one");
  fixture.folder.write("b", "made again");
  fixture.folder.write("c", "edited");
  const std::vector<std::string> remarks = fixture.back();
  EXPECT_THAT(remarks,
              ::testing::UnorderedElementsAre(HasSubstr("a.saved-id"), HasSubstr("b.saved-id"),
                                              HasSubstr("c is new, and has content saved")));
  EXPECT_THAT(remarks, ::testing::Contains("a has content saved meanwhile, maybe with the plan's "
                                           "change in it, and a.saved-id is the file as it was "
                                           "before"));
  EXPECT_THAT(remarks, ::testing::Contains("b has content saved meanwhile, and b.saved-id is "
                                           "the file as it was before"));
  EXPECT_EQ(fixture.folder.read("a"), "saved over the new one");
  EXPECT_EQ(fixture.folder.read("a.saved-id"), "old a");
  EXPECT_EQ(fixture.folder.read("b"), "made again");
  EXPECT_EQ(fixture.folder.read("b.saved-id"), "old b");
  EXPECT_EQ(fixture.folder.read("c"), "edited");
}

TEST(Exchange, AFilePutBackByHandCountsAsBefore) {
  const ExchangeFixture fixture;
  fixture.forward();
  fixture.folder.write("a", "old a");
  fixture.folder.write("b", "old b");
  EXPECT_THAT(fixture.back(), IsEmpty());
  EXPECT_THAT(fixture.folder.names(), ElementsAre(".staging", "a", "b"));
}

TEST(Exchange, TellsASecondSaveFromTheFileBefore) {
  const ExchangeFixture fixture;
  fixture.folder.write("a", "saved first");
  fixture.forward();
  fixture.folder.write("a", "saved again");
  EXPECT_THAT(fixture.back(), ElementsAre(HasSubstr("a.saved-id is another version of it that was "
                                                    "saved meanwhile")));
  EXPECT_EQ(fixture.folder.read("a"), "saved again");
  EXPECT_EQ(fixture.folder.read("a.saved-id"), "saved first");
}

TEST(Exchange, ADeletionInTheMiddleStays) {
  const ExchangeFixture fixture;
  fixture.forward();
  fixture.root.remove_file("a").value();
  fixture.root.remove_file("c").value();
  EXPECT_THAT(fixture.back(), ElementsAre(HasSubstr("a.saved-id")));
  EXPECT_EQ(fixture.folder.read("a.saved-id"), "old a");
}

TEST(Exchange, KeepsWhereThereIsRoom) {
  ExchangeFixture fixture;
  const std::string name(250, 'n');
  fixture.folder.write(name, "old");
  fixture.folder.write(".staging/files/0", "new");
  fixture.staged.operations = {{name, fixture.image(name), fixture.image(".staging/files/0")}};
  fixture.forward();
  fixture.folder.write(name, "saved");
  EXPECT_THAT(fixture.back(), ElementsAre(HasSubstr("saved-id-0")));
  EXPECT_EQ(fixture.folder.read("saved-id-0"), "old");
}

TEST(Exchange, FoldersComeAndGo) {
  ExchangeFixture fixture;
  fixture.folder.write("d/e/f", "old f");
  fixture.folder.write(".staging/files/1", "new");
  fixture.staged = {.operations = {{"d/e/f", fixture.image("d/e/f"), Image{}},
                                   {"x/y/z", Image{}, fixture.image(".staging/files/1")}},
                    .made_folders = {"x", "x/y"},
                    .emptied_folders = {{"d/e", 0700}, {"d", 0711}}};
  fixture.root.remove_file(".staging/files/0").value();
  fixture.forward();
  fixture.exchange().sync().value();
  EXPECT_FALSE(fixture.root.facts("d").ok());
  EXPECT_EQ(fixture.folder.read("x/y/z"), "new");
  EXPECT_THAT(fixture.back(), IsEmpty());
  EXPECT_EQ(fixture.folder.read("d/e/f"), "old f");
  EXPECT_EQ(fixture.root.facts("d").value().mode, 0711U);
  EXPECT_EQ(fixture.root.facts("d/e").value().mode, 0700U);
  EXPECT_FALSE(fixture.root.facts("x").ok());
}

TEST(Exchange, AFileInTheWayOfAFolderStopsIt) {
  ExchangeFixture fixture;
  fixture.folder.write("x", "theirs");
  fixture.staged.made_folders = {"x"};
  EXPECT_EQ(fixture.exchange().forward().value()->path, "x");
  EXPECT_THAT(fixture.back(), IsEmpty());
  EXPECT_EQ(fixture.folder.read("a"), "old a");
}

}  // namespace
}  // namespace clever::apply::internal
