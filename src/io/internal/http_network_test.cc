#include "io/internal/http_network.h"

#include <gtest/gtest.h>

#include "base/thread.h"
#include "support/http_recorder.h"
#include "support/http_server.h"

namespace clever::io::internal {
namespace {

TEST(HttpNetwork, ReleasesARequestThatIsAnswered) {
  test::HttpServer server([](const test::SeenRequest&) {
    return test::HttpReply{.framing = test::Framing::kChunked,
                           .steps = {test::Send{"begun"}, test::Stall{}}};
  });
  HttpNetwork network({}, SocketWatch::create().value());
  base::Thread thread("network", [&](const base::StopToken& stop) { network.run(stop); });
  for (const std::size_t size : {std::size_t{100}, std::size_t{50'000}, std::size_t{5'000'000}}) {
    const auto recorder = std::make_shared<test::HttpRecorder>();
    const auto flight = std::make_shared<HttpFlight>(
        HttpRequest{.url = server.url(), .body = std::string(size, 'x')}, recorder);
    HttpCommand command{.flight = flight};
    network.post(command);
    recorder->wait_for_body("begun");
    // It was dropped before the head was handed over.
    EXPECT_EQ(flight->request.body.capacity(), std::string().capacity()) << size;
  }
  thread.request_stop();
  network.interrupt();
}

}  // namespace
}  // namespace clever::io::internal
