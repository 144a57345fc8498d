#include "io/internal/proxies.h"

#include <gtest/gtest.h>

namespace clever::io::internal {
namespace {

void check(Environment::Entries entries, std::string_view url, const std::string& proxy) {
  EXPECT_EQ(Proxies(Environment(std::move(entries))).for_url(*split_url(url)), proxy) << url;
}

TEST(Proxies, AreChosenByTheScheme) {
  const Environment::Entries both{{"http_proxy", "http://a"}, {"https_proxy", "http://b"}};
  check(both, "http://host", "http://a");
  check(both, "https://host", "http://b");
  check({{"http_proxy", "http://a"}}, "https://host", "");
}

TEST(Proxies, OneMayServeAll) {
  const Environment::Entries all{{"ALL_PROXY", "http://a"}, {"HTTPS_PROXY", "http://b"}};
  check(all, "http://host", "http://a");
  check(all, "https://host", "http://b");
}

TEST(Proxies, LowerCaseGoesFirst) {
  check({{"http_proxy", "http://a"}, {"HTTP_PROXY", "http://b"}}, "http://host", "http://a");
  check({{"http_proxy", ""}, {"HTTP_PROXY", "http://b"}}, "http://host", "http://b");
}

TEST(Proxies, NeverStandBeforeThisMachine) {
  check({{"all_proxy", "http://a"}}, "http://localhost:11434", "");
}

TEST(Proxies, PassOnWhatIsExcluded) {
  const Environment::Entries entries{{"NO_PROXY", "a,b"}};
  EXPECT_EQ(Proxies(Environment(entries)).no_proxy(), "a,b");
}

}  // namespace
}  // namespace clever::io::internal
