#include "server/certificate_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/monitor.h"
#include "support/temporary_directory.h"

namespace clever::server {
namespace {

struct Seen {
  int reloads = 0;
  int reports = 0;
};

TEST(CertificateWatch, ReloadsWhatChangedAndReportsWhatCannotBeUsed) {
  const test::TemporaryDirectory folder;
  folder.write("cert.pem", "one");
  folder.write("key.pem", "key");
  base::SystemClock clock;
  base::Monitor<Seen> seen;
  const auto wait_for = [&](int reloads) {
    return seen
        .wait({}, base::Deadline::never(), [&](const Seen& now) { return now.reloads >= reloads; })
        .ok();
  };
  const CertificateWatch watch(
      {.files = {folder / "cert.pem", folder / "key.pem"},
       .reload = [&]() -> base::Result<void> {
         const bool is_bad = folder.read("cert.pem") == "bad";
         seen.update([&](Seen& now) { ++now.reloads; });
         return is_bad ? base::invalid_argument("no certificate") : base::Result<void>();
       },
       .report = [&](const base::Error&) { seen.update([](Seen& now) { ++now.reports; }); },
       .clock = clock,
       .interval = std::chrono::milliseconds(1)});
  EXPECT_TRUE(wait_for(1));
  folder.write("cert.pem", "two");
  EXPECT_TRUE(wait_for(2));
  folder.write("key.pem", "another");
  EXPECT_TRUE(wait_for(3));
  folder.write("cert.pem", "bad");
  EXPECT_TRUE(
      seen.wait({}, base::Deadline::never(), [](const Seen& now) { return now.reports > 0; }).ok());
}

}  // namespace
}  // namespace clever::server
