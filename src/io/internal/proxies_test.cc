#include "io/internal/proxies.h"

#include <gtest/gtest.h>

namespace clever::io::internal {
namespace {

void check_proxy(Environment::Entries entries, std::string_view url, const std::string& proxy) {
  EXPECT_EQ(Proxies(Environment(std::move(entries))).for_url(*split_url(url)), proxy) << url;
}

TEST(Proxies, AreChosenByTheScheme) {
  const Environment::Entries both{{"http_proxy", "http://a"}, {"https_proxy", "http://b"}};
  check_proxy(both, "http://host", "http://a");
  check_proxy(both, "https://host", "http://b");
  check_proxy({{"http_proxy", "http://a"}}, "https://host", "");
}

TEST(Proxies, OneMayServeAll) {
  const Environment::Entries all{{"ALL_PROXY", "http://a"}, {"HTTPS_PROXY", "http://b"}};
  check_proxy(all, "http://host", "http://a");
  check_proxy(all, "https://host", "http://b");
}

TEST(Proxies, LowerCaseGoesFirst) {
  check_proxy({{"http_proxy", "http://a"}, {"HTTP_PROXY", "http://b"}}, "http://host", "http://a");
  check_proxy({{"http_proxy", ""}, {"HTTP_PROXY", "http://b"}}, "http://host", "http://b");
}

TEST(Proxies, NeverStandBeforeThisMachine) {
  check_proxy({{"all_proxy", "http://a"}}, "http://localhost:11434", "");
}

TEST(Proxies, PassOnWhatIsExcluded) {
  const Environment::Entries entries{{"NO_PROXY", "a,b"}};
  EXPECT_EQ(Proxies(Environment(entries)).no_proxy(), "a,b");
}

}  // namespace
}  // namespace clever::io::internal
