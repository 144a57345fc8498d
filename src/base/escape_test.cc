#include "base/escape.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/result.h"

namespace clever::base {
namespace {

struct Plain {
  int number = 0;
};

// Values may leave a lock.
static_assert(Escapable<void>);
static_assert(Escapable<int>);
static_assert(Escapable<bool>);
static_assert(Escapable<Plain>);
static_assert(Escapable<std::string>);
static_assert(Escapable<std::shared_ptr<int>>);
static_assert(Escapable<std::shared_ptr<const Plain>>);
static_assert(Escapable<std::unique_ptr<int>>);
static_assert(Escapable<std::weak_ptr<int>>);
static_assert(Escapable<std::optional<int>>);
static_assert(Escapable<std::optional<std::string>>);
static_assert(Escapable<std::vector<std::string>>);
static_assert(Escapable<std::vector<std::vector<int>>>);
static_assert(Escapable<std::vector<bool>>);
static_assert(Escapable<std::vector<Plain>>);
static_assert(Escapable<std::array<int, 3>>);
static_assert(Escapable<std::map<std::string, int>>);
static_assert(Escapable<std::unordered_map<int, std::string>>);
static_assert(Escapable<std::set<std::string>>);
static_assert(Escapable<std::pair<int, std::string>>);
static_assert(Escapable<std::tuple<int, std::string, std::vector<int>>>);
static_assert(Escapable<std::variant<int, std::string>>);
static_assert(Escapable<Result<std::string>>);
static_assert(Escapable<Result<void>>);
static_assert(Escapable<Result<std::shared_ptr<Plain>>>);
static_assert(Escapable<Result<std::vector<std::string>>>);
static_assert(Escapable<Error>);

// What may refer into the guarded object may not.
static_assert(!Escapable<int&>);
static_assert(!Escapable<const std::string&>);
static_assert(!Escapable<Plain&&>);
static_assert(!Escapable<int*>);
static_assert(!Escapable<const Plain*>);
static_assert(!Escapable<void*>);
static_assert(!Escapable<const char*>);
static_assert(!Escapable<std::string_view>);
static_assert(!Escapable<std::span<int>>);
static_assert(!Escapable<std::span<const std::byte>>);
static_assert(!Escapable<std::reference_wrapper<int>>);

static_assert(!Escapable<std::string::iterator>);
static_assert(!Escapable<std::vector<int>::iterator>);
static_assert(!Escapable<std::vector<int>::const_iterator>);
static_assert(!Escapable<std::vector<bool>::iterator>);
static_assert(!Escapable<std::map<int, int>::iterator>);
static_assert(!Escapable<std::unordered_map<int, int>::iterator>);
static_assert(!Escapable<std::list<int>::iterator>);
static_assert(!Escapable<std::deque<int>::const_iterator>);
static_assert(!Escapable<std::set<int>::iterator>);

static_assert(!Escapable<std::vector<std::string_view>>);
static_assert(!Escapable<std::vector<int*>>);
static_assert(!Escapable<std::vector<std::vector<int*>>>);
static_assert(!Escapable<std::array<const char*, 2>>);
static_assert(!Escapable<std::map<std::string, int*>>);
static_assert(!Escapable<std::map<std::string_view, int>>);
static_assert(!Escapable<std::optional<int*>>);
static_assert(!Escapable<std::optional<std::string_view>>);
static_assert(!Escapable<std::optional<std::reference_wrapper<int>>>);
static_assert(!Escapable<std::pair<int, int*>>);
static_assert(!Escapable<std::pair<std::map<int, int>::iterator, bool>>);
static_assert(!Escapable<std::tuple<int, std::string_view>>);
static_assert(!Escapable<std::tuple<int&>>);
static_assert(!Escapable<std::variant<int, int*>>);
static_assert(!Escapable<Result<int*>>);
static_assert(!Escapable<Result<std::string_view>>);
static_assert(!Escapable<Result<std::vector<int*>>>);
static_assert(!Escapable<std::optional<Result<std::span<int>>>>);

static_assert(!Escapable<decltype(std::views::all(std::declval<std::vector<int>&>()))>);
static_assert(!Escapable<decltype(std::declval<std::vector<int>&>() | std::views::take(1))>);
static_assert(!Escapable<decltype(std::declval<std::vector<int>&>() |
                                  std::views::filter([](int) { return true; }))>);

// The concept is checked above, at compile time; this gives it a name in the test report.
TEST(Escapable, IsDecidedAtCompileTime) {
  EXPECT_TRUE((Escapable<std::string> && !Escapable<std::string_view>));
}

}  // namespace
}  // namespace clever::base
