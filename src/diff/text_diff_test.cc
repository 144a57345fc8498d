#include "diff/text_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "support/texts.h"

namespace clever::diff {
namespace {

using test::numbered_lines;
using test::replaced;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> ids_of(const std::vector<Hunk>& hunks) {
  std::vector<std::string> ids;
  for (const Hunk& hunk : hunks) ids.push_back(hunk.id);
  return ids;
}

std::set<std::string> id_set(std::string_view before, std::string_view after) {
  const std::vector<std::string> ids = ids_of(hunks_of("f", before, after));
  return {ids.begin(), ids.end()};
}

std::string applied(std::string_view before, std::string_view after,
                    const std::vector<std::string>& ids) {
  return apply_hunks("f", before, after, ids).value();
}

TEST(Hunks, EqualTextsHaveNone) { EXPECT_TRUE(hunks_of("f", "a\nb\n", "a\nb\n").empty()); }

TEST(Hunks, ShowThreeLinesAround) {
  const auto hunks =
      hunks_of("f", numbered_lines(1, 9), replaced(numbered_lines(1, 9), "line 5\n", "LINE 5\n"));
  ASSERT_EQ(hunks.size(), 1);
  EXPECT_EQ(hunks[0].old_start, 2);
  EXPECT_EQ(hunks[0].old_lines, 7);
  EXPECT_EQ(hunks[0].new_start, 2);
  EXPECT_EQ(hunks[0].new_lines, 7);
  EXPECT_THAT(
      hunks[0].lines,
      ElementsAre(Line{LineKind::kContext, "line 2\n"},  //
                  Line{LineKind::kContext, "line 3\n"}, Line{LineKind::kContext, "line 4\n"},
                  Line{LineKind::kRemoved, "line 5\n"}, Line{LineKind::kAdded, "LINE 5\n"},
                  Line{LineKind::kContext, "line 6\n"}, Line{LineKind::kContext, "line 7\n"},
                  Line{LineKind::kContext, "line 8\n"}));
}

TEST(Hunks, EachRunOfChangesIsOne) {
  const std::string after =
      replaced(replaced(numbered_lines(1, 9), "line 3\n", ""), "line 5\n", "LINE 5\n");
  EXPECT_EQ(hunks_of("f", numbered_lines(1, 9), after).size(), 2);
}

TEST(Hunks, ShareTheLinesBetweenThem) {
  const std::string after =
      replaced(replaced(numbered_lines(1, 20), "line 8\n", "A\n"), "line 12\n", "B\n");
  const auto hunks = hunks_of("f", numbered_lines(1, 20), after);
  ASSERT_EQ(hunks.size(), 2);
  EXPECT_EQ(hunks[0].old_start + hunks[0].old_lines, hunks[1].old_start);
  EXPECT_EQ(hunks[1].lines.front(), (Line{LineKind::kContext, "line 11\n"}));
}

TEST(Hunks, NameTheSectionAbove) {
  const std::string before = "int main() {\n" + numbered_lines(1, 9) + "}\n";
  const std::string indented = replaced(before, "line 9", "LINE 9");
  const auto hunks = hunks_of("f", before, indented);
  ASSERT_EQ(hunks.size(), 1);
  EXPECT_EQ(hunks[0].heading, "line 5");
}

TEST(Hunks, AreWithoutHeadingIfTheyBeginWithIt) {
  const std::string before = "void f()  \n1\n2\n3\n4\n";
  const std::string after = "void f()  \n1\n2\n5\n4\n";
  EXPECT_EQ(hunks_of("f", before, after)[0].heading, "");
  EXPECT_EQ(hunks_of("f", before, after, {.context = 1})[0].heading, "void f()");
}

TEST(Hunks, WithoutContextNameTheLineBefore) {
  const auto hunks = hunks_of("f", "a\nb\n", "a\nx\nb\n", {.context = 0});
  ASSERT_EQ(hunks.size(), 1);
  EXPECT_EQ(hunks[0].old_start, 1);
  EXPECT_EQ(hunks[0].old_lines, 0);
  EXPECT_EQ(hunks[0].new_start, 2);
  EXPECT_EQ(hunks[0].new_lines, 1);
}

TEST(Hunks, AnyAmountOfContextIsFine) {
  const auto hunks =
      hunks_of("f", numbered_lines(1, 9), replaced(numbered_lines(1, 9), "line 5\n", ""),
               {.context = static_cast<std::size_t>(-1)});
  ASSERT_EQ(hunks.size(), 1);
  EXPECT_EQ(hunks[0].old_lines, 9);
}

TEST(Hunks, OfAnEmptyTextStartAtNothing) {
  const auto hunks = hunks_of("f", "", "a\n");
  ASSERT_EQ(hunks.size(), 1);
  EXPECT_EQ(hunks[0].old_start, 0);
  EXPECT_EQ(hunks[0].old_lines, 0);
  EXPECT_EQ(hunks[0].new_start, 1);
}

TEST(Hunks, SeeAMissingNewline) {
  const auto hunks = hunks_of("f", "a\nb", "a\nb\n");
  ASSERT_EQ(hunks.size(), 1);
  EXPECT_THAT(hunks[0].lines,
              ElementsAre(Line{LineKind::kContext, "a\n"}, Line{LineKind::kRemoved, "b"},
                          Line{LineKind::kAdded, "b\n"}));
}

TEST(HunkIds, DependOnThePath) {
  EXPECT_NE(hunks_of("f", "a\n", "b\n")[0].id, hunks_of("g", "a\n", "b\n")[0].id);
}

TEST(HunkIds, DependOnWhatIsAdded) {
  EXPECT_NE(hunks_of("f", "a\n", "b\n")[0].id, hunks_of("f", "a\n", "c\n")[0].id);
}

TEST(HunkIds, DependOnTheNeighbouringLine) {
  EXPECT_NE(hunks_of("f", "1\na\n", "1\nb\n")[0].id, hunks_of("f", "2\na\n", "2\nb\n")[0].id);
}

TEST(HunkIds, DoNotDependOnTheContextShown) {
  const std::string after = replaced(numbered_lines(1, 9), "line 5\n", "");
  EXPECT_EQ(ids_of(hunks_of("f", numbered_lines(1, 9), after, {.context = 0})),
            ids_of(hunks_of("f", numbered_lines(1, 9), after, {.context = 5})));
}

TEST(HunkIds, EqualChangesAreNumberedDownTheFile) {
  const std::string once = "{\nold\n}\n";
  const std::string changed = "{\nnew\n}\n";
  const auto ids = ids_of(hunks_of("f", once + once + once, changed + changed + changed));
  ASSERT_EQ(ids.size(), 3);
  EXPECT_EQ(ids[1], ids[0] + "-2");
  EXPECT_EQ(ids[2], ids[0] + "-3");
}

// A file of distinct lines, and some places in it that are changed in a way of their own.
struct Edits {
  std::size_t size;
  std::set<std::size_t> places;

  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string line = "line " + std::to_string(i) + "\n";
      const bool change = places.contains(i);
      if (!change) text += line;
      if (change && i % 3 == 0) text += line + "after " + std::to_string(i) + "\n";
      if (change && i % 3 == 1) text += "instead of " + std::to_string(i) + "\n";
    }
    return text;
  }
};

// Places with at least two untouched lines between them.
std::set<std::size_t> apart(const std::vector<std::size_t>& wanted, std::size_t size) {
  std::set<std::size_t> places;
  for (const std::size_t place : wanted) {
    const std::size_t at = place % size;
    const auto next = places.lower_bound(at < 3 ? 0 : at - 3);
    if (next == places.end() || *next > at + 3) places.insert(at);
  }
  return places;
}

std::set<std::size_t> arbitrary_places(std::size_t size) {
  return apart(
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, size)), size);
}

TEST(HunkIds, SurviveTheComingAndGoingOfOthers) {
  EXPECT_TRUE(rc::check([] {
    const auto size = *rc::gen::inRange<std::size_t>(1, 80);
    const std::set<std::size_t> all = arbitrary_places(size);
    std::set<std::size_t> some;
    for (const std::size_t place : all) {
      if (*rc::gen::arbitrary<bool>()) some.insert(place);
    }
    const std::string before = Edits{size, {}}.text();
    const auto many = id_set(before, Edits{size, all}.text());
    const auto few = id_set(before, Edits{size, some}.text());
    RC_ASSERT(many.size() == all.size());
    RC_ASSERT(few.size() == some.size());
    RC_ASSERT(std::ranges::includes(many, few));
  }));
}

TEST(HunkIds, SurviveBeingMoved) {
  EXPECT_TRUE(rc::check([](std::uint8_t above) {
    const auto size = *rc::gen::inRange<std::size_t>(3, 60);
    std::set<std::size_t> places = arbitrary_places(size);
    places.erase(0);
    std::string top;
    for (std::size_t i = 0; i < above; ++i) top += "top " + std::to_string(i) + "\n";
    const std::string before = Edits{size, {}}.text();
    const std::string after = Edits{size, places}.text();
    RC_ASSERT(id_set(before, after) == id_set(top + before, top + after));
  }));
}

TEST(HunkIds, OfAChosenSubsetAreTheChosenOnes) {
  EXPECT_TRUE(rc::check([] {
    const auto size = *rc::gen::inRange<std::size_t>(1, 60);
    const std::string before = Edits{size, {}}.text();
    const std::string after = Edits{size, arbitrary_places(size)}.text();
    std::set<std::string> chosen;
    for (const std::string& id : id_set(before, after)) {
      if (*rc::gen::arbitrary<bool>()) chosen.insert(id);
    }
    const std::string part = applied(before, after, {chosen.begin(), chosen.end()});
    RC_ASSERT(id_set(before, part) == chosen);
  }));
}

TEST(ApplyHunks, TakesOnlyTheChosen) {
  const std::string after =
      replaced(replaced(numbered_lines(1, 20), "line 2\n", "A\n"), "line 15\n", "B\n");
  const auto ids = ids_of(hunks_of("f", numbered_lines(1, 20), after));
  ASSERT_EQ(ids.size(), 2);
  EXPECT_EQ(applied(numbered_lines(1, 20), after, {ids[1]}),
            replaced(numbered_lines(1, 20), "line 15\n", "B\n"));
}

TEST(ApplyHunks, NamesAnUnknownIdAndTheKnownOnes) {
  const auto known = ids_of(hunks_of("f", "a\n", "b\n"));
  const auto result = apply_hunks("f", "a\n", "b\n", {"beef"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), HasSubstr("'beef'"));
  EXPECT_THAT(result.error().message(), HasSubstr(known[0]));
}

TEST(ApplyHunks, SaysThatThereAreNone) {
  EXPECT_THAT(apply_hunks("f", "a\n", "a\n", {"beef"}).error().message(),
              HasSubstr("there are none"));
}

TEST(ApplyHunks, NamesOnlySomeOfVeryMany) {
  std::string before;
  std::string after;
  for (int i = 0; i < 30; ++i) {
    before += "same " + std::to_string(i) + "\nold\n";
    after += "same " + std::to_string(i) + "\nnew\n";
  }
  EXPECT_THAT(apply_hunks("f", before, after, {"beef"}).error().message(),
              HasSubstr("and 10 more"));
}

// Few different lines, with every kind of end.
std::string text_with_any_ends() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "a\n", "b\n", "c\n", "\n", "\r\n", "a\r\n", "b\r\n", "  x\n", "\t\n", "a", "\r",
      std::string("\0\n", 2), "\xff\xfe\n", std::string(3000, 'x') + "\n"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

TEST(ApplyHunks, AllGiveTheNewTextAndNoneTheOld) {
  EXPECT_TRUE(rc::check([] {
    const std::string before = text_with_any_ends();
    const std::string after = text_with_any_ends();
    const auto ids = ids_of(hunks_of("f", before, after));
    RC_ASSERT(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
    RC_ASSERT(applied(before, after, ids) == after);
    RC_ASSERT(applied(before, after, {}) == before);
  }));
}

TEST(ApplyHunks, SidesOfTheHunksAreTheTexts) {
  EXPECT_TRUE(rc::check([] {
    const std::string before = text_with_any_ends();
    const std::string after = text_with_any_ends();
    std::string old_side;
    std::string new_side;
    for (const Hunk& hunk : hunks_of("f", before, after, {.context = before.size() + 1})) {
      for (const Line& line : hunk.lines) {
        if (line.kind != LineKind::kAdded) old_side += line.text;
        if (line.kind != LineKind::kRemoved) new_side += line.text;
      }
    }
    if (before != after) RC_ASSERT(old_side == before && new_side == after);
  }));
}

TEST(IsBinary, IsANulNearTheStart) {
  EXPECT_TRUE(is_binary(std::string_view("a\0b", 3)));
  EXPECT_TRUE(is_binary(std::string(7999, 'a') + '\0'));
  EXPECT_FALSE(is_binary(std::string(8000, 'a') + '\0'));
  EXPECT_FALSE(is_binary("\xff\xfe"));
  EXPECT_FALSE(is_binary(""));
}

}  // namespace
}  // namespace clever::diff
