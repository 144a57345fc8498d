// `agents server` as operators and their monitors meet it.
#include <gtest/gtest.h>

#include "e2e/agents.h"
#include "support/campaign.h"

namespace clever::e2e {
namespace {

// Prometheus scrapes the server as its documentation says, and answers with what it scraped.
constexpr const char* kScript = R"sh(
set -eu
mkfifo ready
"$AGENTS" server --listen 127.0.0.1:0 --format json > ready 2> server.log &
server=$!
line=$(head -1 < ready)
address=$(sed 's/.*"listening":\["\([^"]*\)".*/\1/' <<< "$line")
token=$(sed 's/.*"token_file":"\([^"]*\)".*/\1/' <<< "$line")
cat > prometheus.yml <<END
scrape_configs:
- job_name: agents
  scrape_interval: 100ms
  scrape_timeout: 100ms
  authorization: {credentials_file: $token}
  static_configs: [{targets: ["$address"]}]
END
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=127.0.0.1:$port 2> prometheus.log &
monitor=$!
trap 'kill $server $monitor; wait' EXIT
until curl --silent "http://127.0.0.1:$port/api/v1/query?query=agents_http_requests_total" | tee answer | grep -q '"/metrics"'; do
  kill -0 $monitor $server
done
curl --silent "http://127.0.0.1:$port/api/v1/query?query=up" | grep -o '"1"'
)sh";

TEST(ServerSignals, AHangupReadsSettingsAndTermDrains) {
  const User user;
  const io::ProcessResult result = user.bash(R"sh(
"$AGENTS" server --listen 127.0.0.1:0 > log 2> error &
until grep -q token log; do kill -0 $!; done
kill -HUP $!
until grep 'settings read' error; do kill -0 $!; done
kill -TERM $!
wait $!
echo $?
)sh");
  EXPECT_EQ(result.output, "settings read\n0\n") << result.error_output;
}

TEST(Metrics, ARealPrometheusScrapesThem) {
  // Only `./check long` takes the time.
  if (test::campaign(0, 1) == 0) return;
  const User user;
  const io::ProcessResult result = user.bash(kScript);
  EXPECT_EQ(result.output, "\"1\"\n") << result.error_output;
}

}  // namespace
}  // namespace clever::e2e
