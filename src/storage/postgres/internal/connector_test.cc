#include "storage/postgres/internal/connector.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/random.h"
#include "base/thread.h"
#include "support/postgres_server.h"
#include "support/temporary_directory.h"

namespace clever::storage::postgres {
namespace {

using base::ErrorCode;
using namespace std::chrono_literals;

// A folder in which no server listens.
class ConnectorTest : public ::testing::Test {
 protected:
  base::SimulatedClock clock_;
  base::SeededRandom random_{1};
  test::TemporaryDirectory folder_;
  Connector connector_{
      Libpq::load().value(),
      DatabaseUrl::parse("postgresql://me@/x?host=" + folder_.path().string(), "/").value(), true,
      clock_, random_};
};

TEST_F(ConnectorTest, AServerThatDoesNotComeBackIsUnavailableAfterAWhile) {
  std::optional<ErrorCode> code;
  base::Thread patient("patient", [&](const base::StopToken&) {
    code = connector_.connect_patiently(Purpose::kOther, {}).error().code();
  });
  const base::Thread clock("clock", [&](const base::StopToken& stop) {
    while (!stop.stop_requested()) {
      if (clock_.waiters() > 0) clock_.advance(1s);
      std::this_thread::yield();
    }
  });
  patient.join();
  EXPECT_EQ(code, ErrorCode::kUnavailable);
}

TEST_F(ConnectorTest, AStopEndsTheWaiting) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(connector_.back_off(3, {.stop = stop.token()}).error().code(), ErrorCode::kCancelled);
}

TEST_F(ConnectorTest, ADeadlineEndsTheWaiting) {
  const Patience patience{.stop = {}, .deadline = base::Deadline::after(clock_, 0s)};
  EXPECT_EQ(connector_.back_off(3, patience).error().code(), ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(connector_.connect_patiently(Purpose::kOther, patience).error().code(),
            ErrorCode::kDeadlineExceeded);
}

TEST_F(ConnectorTest, TheFirstRepetitionComesAtOnce) {
  EXPECT_TRUE(connector_.back_off(0, {}).ok());
}

}  // namespace
}  // namespace clever::storage::postgres
