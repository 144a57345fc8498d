#include "server/traffic.h"

#include <utility>

#include "model/document_json.h"

namespace clever::server {
namespace {

std::string head(std::string_view name, std::string_view type, std::string_view help) {
  std::string text = "# HELP ";
  text.append(name).append(" ").append(help).append("\n# TYPE ");
  text.append(name).append(" ").append(type).append("\n");
  return text;
}

// Counts only known methods: a made-up one must not become a series.
std::string_view known_method(std::string_view method) {
  for (const std::string_view known : {"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"}) {
    if (method == known) return known;
  }
  return "other";
}

}  // namespace

void Traffic::note(const Answered& answered) {
  const double seconds = std::chrono::duration<double>(answered.took).count();
  counts_.with([&](Counts& counts) {
    ++counts.requests[{std::string(known_method(answered.request.method)),
                       std::string(answered.route.empty() ? "none" : answered.route),
                       answered.status}];
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      if (seconds * 1000 <= kBounds[i]) ++counts.within[i];
    }
    ++counts.all;
    counts.seconds += seconds;
  });
  // Probes come every few seconds, and cost less than their lines.
  const bool is_probe =
      answered.status == 200 && (answered.route == "/healthz" || answered.route == "/readyz");
  if (!log_ || is_probe) return;
  const std::string_view target = answered.request.target;
  log_->info("request", {{"method", answered.request.method},
                         {"path", target.substr(0, target.find('?'))},
                         {"status", answered.status},
                         {"bytes", answered.bytes},
                         {"ms", seconds * 1000},
                         {"caller", answered.caller},
                         {"from", answered.request.peer.unix_socket
                                      ? std::string_view("socket")
                                      : std::string_view(answered.request.peer.address)}});
}

std::string Traffic::metrics() const {
  const Counts counts = counts_.with([](const Counts& now) { return now; });
  std::string text = head("agents_http_requests_total", "counter", "Requests that were answered.");
  for (const auto& [key, count] : counts.requests) {
    const auto& [method, route, status] = key;
    text += "agents_http_requests_total{method=\"" + method + "\",route=\"" + route +
            "\",status=\"" + std::to_string(status) + "\"} " + std::to_string(count) + "\n";
  }
  text += head("agents_http_request_seconds", "histogram", "How long answers took.");
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    text += "agents_http_request_seconds_bucket{le=\"" + model::json_number(kBounds[i] / 1000.0) +
            "\"} " + std::to_string(counts.within[i]) + "\n";
  }
  text += "agents_http_request_seconds_bucket{le=\"+Inf\"} " + std::to_string(counts.all) + "\n";
  text += "agents_http_request_seconds_sum " + model::json_number(counts.seconds) + "\n";
  return text + "agents_http_request_seconds_count " + std::to_string(counts.all) + "\n";
}

std::string metric(std::string_view name, std::string_view type, std::string_view help,
                   std::initializer_list<std::pair<std::string, double>> values) {
  std::string text = head(name, type, help);
  for (const auto& [labels, value] : values) {
    text += std::string(name) + labels + " " + model::json_number(value) + "\n";
  }
  return text;
}

}  // namespace clever::server
