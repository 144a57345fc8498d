#pragma once
// Events of the journal as tests write and read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/ulid.h"
#include "model/event.h"

namespace clever::test {

/// An id by number.
template <class Id>
Id numbered_id(std::uint8_t number) {
  return Id(base::Ulid({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number}));
}

/// What is written is read back the same; the event.
template <class T>
model::Event check_read_back(const T& value) {
  model::Event event = value.to_event();
  EXPECT_EQ(event.kind, T::kKind);
  EXPECT_EQ(T::parse(event.data).value(), value);
  return event;
}

/// The data is refused, and the sentence names the kind of the event and says why.
template <class T>
void check_data_refused(std::string_view data, const std::string& why) {
  const auto parsed = T::parse(data);
  ASSERT_FALSE(parsed.ok()) << data;
  EXPECT_EQ(parsed.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(parsed.error().to_string(), ::testing::HasSubstr(std::string(T::kKind)));
  EXPECT_THAT(parsed.error().to_string(), ::testing::HasSubstr(why)) << data;
}

}  // namespace clever::test
