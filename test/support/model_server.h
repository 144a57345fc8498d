#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "provider/request.h"
#include "provider/scripted/script.h"
#include "support/http_server.h"

namespace clever::test {

/// How much a model server lets through in any `window`.
struct ModelLimits {
  std::optional<std::int64_t> requests{};
  /// Of input and output.
  std::optional<std::int64_t> tokens{};
  std::chrono::milliseconds window{1000};
  /// Whether a refusal says how long to wait.
  bool say_retry_after = true;
};

/// A time in which everybody is told that the service is overloaded, from the server's start on.
struct OverloadWall {
  std::chrono::milliseconds from{0};
  std::chrono::milliseconds until{0};
};

struct ModelServerOptions {
  /// What /v1/models and its like tell; with it, other names are unknown (404).
  std::vector<std::string> models{};
  /// The key that is asked for; empty: any, or none.
  std::string key{};
  /// Requests are not checked: for other people's clients, which send what we do not know.
  bool loose = false;
  ModelLimits limits{};
  std::vector<OverloadWall> walls{};
  HttpServerOptions http{};
  /// For limits and walls; the system's by default.
  base::Clock* clock = nullptr;
};

struct ModelServerCounts {
  std::size_t answered = 0;
  /// Refused because the limit was used up.
  std::size_t above_limit = 0;
  std::size_t overloaded = 0;
  /// Refused as the real API would: 400 and 422. A bug of who asked.
  std::size_t rejected = 0;
  /// What was said about the last rejected one.
  std::string last_rejection{};
  friend bool operator==(const ModelServerCounts&, const ModelServerCounts&) = default;
};

/// Speaks OpenAI's Chat Completions and Responses, Anthropic's Messages, Gemini's generateContent
/// and Ollama's chat from one script, over real sockets, streaming and not; checks requests as
/// strictly as those APIs do; and fails in the ways that the script says. Paths may have anything
/// before them, such as Azure's deployments.
///
/// Owned by a test. Thread-safe.
class ModelServer {
 public:
  explicit ModelServer(provider::Script script, ModelServerOptions options = {});
  ~ModelServer();
  ModelServer(const ModelServer&) = delete;
  ModelServer& operator=(const ModelServer&) = delete;

  /// http://127.0.0.1:PORT/path
  [[nodiscard]] std::string url(std::string_view path = "") const;
  [[nodiscard]] HttpServer& http();
  [[nodiscard]] ModelServerCounts counts() const;
  /// The requests that were understood, in our words.
  [[nodiscard]] std::vector<provider::ModelRequest> understood() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
  // Last: its thread uses the service.
  std::unique_ptr<HttpServer> server_;
};

}  // namespace clever::test
