#include "provider/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "provider/known_providers.h"
#include "support/temporary_directory.h"

namespace clever::provider {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Catalog catalog(std::string_view text) { return *Catalog().with(text, "m.toml"); }

std::string error_of(std::string_view text) {
  const auto read = Catalog().with(text, "m.toml");
  return read.ok() ? "" : read.error().message();
}

constexpr std::string_view kTwo = R"(
[acme]
date = 2026-11-15
source = "https://example.com/prices"
[acme."big*"]
input = 3
output = 15.5
cache_read = 0.3
context = 1000
max_output = 100
images = false
[acme."big-new"]
input = 1.0
output = 2.0
date = "2026-11-16"
source = "elsewhere"
[acme.free]
tools = false
)";

TEST(CatalogTest, KnowsPricesSizesAndCapabilities) {
  const ModelFacts facts = catalog(kTwo).find("acme", "bigger");
  EXPECT_EQ(facts.pattern, "big*");
  EXPECT_EQ(facts.price, (Price{.rates = {.input = 3'000'000,
                                          .output = 15'500'000,
                                          .cache_read = 300'000,
                                          .cache_write = 3'000'000}}));
  EXPECT_EQ(facts.context_window, 1000);
  EXPECT_EQ(facts.max_output, 100);
  EXPECT_EQ(facts.capabilities, (Capabilities{.images = false}));
  EXPECT_EQ(facts.date, "2026-11-15");
  EXPECT_EQ(facts.source, "https://example.com/prices");
}

TEST(CatalogTest, PrefersTheLongestPattern) {
  const ModelFacts facts = catalog(kTwo).find("acme", "big-new");
  EXPECT_EQ(facts.pattern, "big-new");
  EXPECT_EQ(facts.date, "2026-11-16");
  EXPECT_EQ(facts.source, "elsewhere");
}

TEST(CatalogTest, LooksPastADate) {
  for (const char* name : {"free-2025-04-14", "free-20250414", "free@20250414"}) {
    EXPECT_EQ(catalog(kTwo).find("acme", name).pattern, "free") << name;
  }
  for (const char* name : {"free-2025-04", "free2025-04-14x", "-20250414"}) {
    EXPECT_FALSE(catalog(kTwo).find("acme", name).known()) << name;
  }
}

TEST(CatalogTest, MatchesStarsAnywhere) {
  const Catalog stars = catalog("[a.\"*x*y\"]\n[a.\"m*\"]\ninput = 1\noutput = 1\n");
  EXPECT_TRUE(stars.find("a", "m").known());
  EXPECT_FALSE(stars.find("a", "xay").known());
  EXPECT_TRUE(catalog("a.\"*x*y\".tools = true").find("a", "axxby").known());
  EXPECT_TRUE(catalog("a.\"*x*y\".tools = true").find("a", "xyxy").known());
  EXPECT_FALSE(catalog("a.\"*x*y\".tools = true").find("a", "xyz").known());
  EXPECT_TRUE(catalog("a.\"x**\".tools = true").find("a", "x").known());
}

TEST(CatalogTest, SaysNothingOfTheUnknown) {
  EXPECT_EQ(catalog(kTwo).find("acme", "other"), ModelFacts{});
  EXPECT_EQ(catalog(kTwo).find("nobody", "big"), ModelFacts{});
  EXPECT_TRUE(catalog(kTwo).list("nobody").empty());
}

TEST(CatalogTest, KnowsUnpricedModels) {
  const ModelFacts facts = catalog(kTwo).find("acme", "free");
  EXPECT_TRUE(facts.known());
  EXPECT_FALSE(facts.price);
  EXPECT_FALSE(facts.capabilities.tools);
}

TEST(CatalogTest, IsLaidOverByAnother) {
  const Catalog both =
      *catalog(kTwo).with("[acme.big-new]\ninput = 9\noutput = 9\n[mine.x]\ntools = true", "u");
  EXPECT_EQ(both.find("acme", "big-new").price->rates.input, 9'000'000);
  EXPECT_EQ(both.find("acme", "bigger").price->rates.input, 3'000'000);
  EXPECT_EQ(both.list("acme").size(), 3U);
  EXPECT_TRUE(both.find("mine", "x").known());
}

TEST(CatalogTest, KnowsPricesOfLongCalls) {
  const ModelFacts facts =
      catalog("[a.m]\ninput = 1\noutput = 2\nlong_above = 200000\nlong_input = 3\nlong_output = 4")
          .find("a", "m");
  EXPECT_EQ(facts.price->long_above, 200'000);
  EXPECT_EQ(facts.price->long_rates, (Rates{3'000'000, 4'000'000, 3'000'000, 3'000'000}));
}

TEST(CatalogTest, NeverTakesAPriceForLessThanItIs) {
  EXPECT_EQ(catalog("[a.m]\ninput = 0.0000001\noutput = 0.1").find("a", "m").price->rates.input, 1);
  EXPECT_EQ(catalog("[a.m]\ninput = 0.1\noutput = 0.1").find("a", "m").price->rates.input, 100'000);
}

TEST(CatalogTest, NamesFileLineAndKeyOfAMistake) {
  EXPECT_THAT(error_of("x = ["), StartsWith("m.toml:1: "));
  EXPECT_THAT(error_of("\ntop = 1"),
              AllOf(StartsWith("m.toml:2: top "), HasSubstr("out of place")));
  EXPECT_THAT(error_of("[a.b.c]\nd = 1"), HasSubstr("out of place"));
  EXPECT_THAT(error_of("[a]\nprice = 1"), HasSubstr("a.price is not known"));
  EXPECT_THAT(error_of("[a.m]\nimput = 1"), HasSubstr("did you mean input?"));
  EXPECT_THAT(error_of("[a.m]\nqqqqqqqqqqqq = 1"), HasSubstr("there are input, output"));
  EXPECT_THAT(error_of("[a.m]\ninput = '1'"), HasSubstr("a.m.input is not a price"));
  EXPECT_THAT(error_of("[a.m]\ninput = -1"), HasSubstr("not a price"));
  EXPECT_THAT(error_of("[a.m]\ninput = nan"), HasSubstr("not a price"));
  EXPECT_THAT(error_of("[a.m]\ninput = 1e9"), HasSubstr("not a price"));
  EXPECT_THAT(error_of("[a.m]\ncontext = 0"), HasSubstr("not a whole number"));
  EXPECT_THAT(error_of("[a.m]\ncontext = 1.5"), HasSubstr("not a whole number"));
  EXPECT_THAT(error_of("[a.m]\ntools = 1"), HasSubstr("not true or false"));
  EXPECT_THAT(error_of("[a.m]\ndate = 1"), HasSubstr("not a date"));
  EXPECT_THAT(error_of("[a]\nsource = 1"), HasSubstr("not a text"));
  EXPECT_THAT(error_of("[a.m]\ninput = 1"), HasSubstr("not both input and output"));
  EXPECT_THAT(error_of("[a.m]\ninput = 1\noutput = 1\nlong_above = 1"), HasSubstr("together"));
  EXPECT_THAT(error_of("[a.m]\ninput = 1\noutput = 1\nlong_input = 1\nlong_output = 1"),
              HasSubstr("together"));
  EXPECT_THAT(error_of("[a.\"\"]\ninput = 1"), HasSubstr("empty name"));
}

TEST(CatalogTest, OfTheProgramPricesTheDefaultModels) {
  const Catalog built_in = Catalog::built_in();
  for (const KnownProvider& known : known_providers()) {
    if (known.default_model.empty()) continue;
    const ModelFacts facts = built_in.find(known.name, known.default_model);
    EXPECT_TRUE(facts.price) << known.name;
    EXPECT_TRUE(facts.capabilities.tools) << known.name;
    EXPECT_TRUE(facts.context_window) << known.name;
  }
}

TEST(CatalogTest, OfTheProgramSaysWhenAndWhere) {
  const Catalog built_in = Catalog::built_in();
  for (const KnownProvider& known : known_providers()) {
    EXPECT_THAT(built_in.list(known.name), Each(Field(&ModelFacts::date, StartsWith("2026-"))));
    EXPECT_THAT(built_in.list(known.name),
                Each(Field(&ModelFacts::source, StartsWith("https://"))));
  }
}

class CatalogFileTest : public testing::Test {
 protected:
  void write(std::string_view text) { std::ofstream(folder_ / "models.toml") << text; }
  base::Result<Catalog> load() const { return load_catalog(folder_.path().string()); }

  test::TemporaryDirectory folder_;
};

TEST_F(CatalogFileTest, IsOptional) { EXPECT_TRUE(load()->find("openai", "gpt-5").price); }

TEST_F(CatalogFileTest, IsLaidOverTheProgramsOwn) {
  write("[openai.gpt-5]\ninput = 7\noutput = 8\n");
  EXPECT_EQ(load()->find("openai", "gpt-5").price->rates.input, 7'000'000);
  EXPECT_TRUE(load()->find("anthropic", "claude-sonnet-5").price);
}

TEST_F(CatalogFileTest, IsRefusedWithItsName) {
  write("[openai.gpt-5]\ninput = 'x'\n");
  EXPECT_THAT(load().error().message(), HasSubstr("models.toml:2: openai.gpt-5.input"));
}

TEST_F(CatalogFileTest, ThatIsAFolderIsRefused) {
  std::filesystem::create_directory(folder_ / "models.toml");
  EXPECT_FALSE(load().ok());
}

TEST(CapabilitiesTest, CoverWhatIsNeeded) {
  const Capabilities none{false, false, false, false};
  EXPECT_TRUE(Capabilities{}.cover(none));
  EXPECT_TRUE(none.cover(none));
  EXPECT_FALSE((Capabilities{.tools = false}).cover({.images = false}));
  EXPECT_FALSE((Capabilities{.images = false}).cover({.tools = false}));
  EXPECT_FALSE((Capabilities{.reasoning = false}).cover({}));
  EXPECT_FALSE((Capabilities{.json_schema = false}).cover({}));
}

}  // namespace
}  // namespace clever::provider
