#pragma once
// One exchange of a client under test, from its start to its end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "io/http.h"
#include "support/http_recorder.h"

namespace clever::test {

/// What came of the request once it is over.
inline HttpRecorder::Seen ask(io::Http& http, io::HttpRequest request) {
  const auto recorder = std::make_shared<HttpRecorder>();
  const auto exchange = http.start(std::move(request), recorder);
  return recorder->wait_for_end();
}

inline void expect_failure(const HttpRecorder::Seen& seen, io::HttpFailure failure,
                           const ::testing::Matcher<const std::string&>& message) {
  ASSERT_TRUE(seen.end.has_value());
  EXPECT_EQ(seen.end->failure, failure) << seen.end->message;
  EXPECT_THAT(seen.end->message, message);
}

inline void expect_whole(const HttpRecorder::Seen& seen, const std::string& body) {
  ASSERT_TRUE(seen.end.has_value());
  EXPECT_TRUE(seen.end->whole()) << seen.end->message;
  EXPECT_EQ(seen.body, body);
}

}  // namespace clever::test
