#include "cli/envelope.h"

#include <gtest/gtest.h>

#include "model/document_json.h"
#include "service/timestamp.h"

namespace clever::cli {
namespace {

using namespace std::chrono_literals;

TEST(EnvelopeTest, HasTheAgreedShape) {
  Report report;
  report.data = Document::map().set("key", "value");
  report.warn("careful");
  const Timing timing{base::WallTime(1'700'000'000s), 1'234'567ns};
  EXPECT_EQ(to_json(envelope("config get", report, timing)),
            R"({"command":"config get","status":"warn","exit_code":0,"data":{"key":"value"},)"
            R"("timing":{"started":"2023-11-14T22:13:20.000Z","duration_ms":1.235},)"
            R"("messages":[{"level":"warning","text":"careful"}]})");
}

TEST(EnvelopeTest, TimestampsArePaddedAndInUtc) {
  EXPECT_EQ(service::timestamp(base::WallTime(0s)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(service::timestamp(base::WallTime(1'767'258'307s + 7ms)), "2026-01-01T09:05:07.007Z");
}

}  // namespace
}  // namespace clever::cli
