#include "context/provider_embedder.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/monitor.h"
#include "base/utf8.h"
#include "context/internal/embedding_answer.h"
#include "io/http_fetch.h"
#include "provider/adapter.h"
#include "provider/openai/dialect.h"

namespace clever::context {
namespace {

using provider::Wire;

bool has_vectors(Wire wire) {
  return wire == Wire::kOpenAiChat || wire == Wire::kOpenAiResponses || wire == Wire::kOllama;
}

// Only a stop ends it early.
base::Result<void> pause(base::Clock& clock, base::Duration length, const base::StopToken& stop) {
  base::Monitor<bool> never;
  const auto end = never.update_when(
      stop, base::Deadline::after(clock, length), [](bool woken) { return woken; }, [](bool&) {});
  if (end.error().code() == base::ErrorCode::kCancelled) return end.error();
  return {};
}

}  // namespace

/// The outcome of one exchange, and whether a retry may succeed.
struct ProviderEmbedder::Attempt {
  base::Result<std::vector<index::Vector>> vectors;
  bool passes = false;
  std::optional<std::chrono::milliseconds> wait{};
};

ProviderEmbedder::ProviderEmbedder(provider::Endpoint endpoint, std::string model, io::Http& http,
                                   base::Clock& clock, Options options)
    : endpoint_(std::move(endpoint)),
      model_(std::move(model)),
      http_(http),
      clock_(clock),
      options_(options),
      dimensions_(options.dimensions) {}

base::Result<std::unique_ptr<ProviderEmbedder>> ProviderEmbedder::connect(
    provider::Endpoint endpoint, std::string model, io::Http& http, base::Clock& clock,
    Options options, const base::StopToken& stop, base::Deadline deadline) {
  if (!has_vectors(endpoint.wire)) {
    return base::invalid_argument("provider " + endpoint.provider + ": its API (" +
                                  std::string(to_string(endpoint.wire)) +
                                  ") has no embeddings; name a model of one that speaks OpenAI's "
                                  "API or Ollama's");
  }
  std::unique_ptr<ProviderEmbedder> embedder(
      new ProviderEmbedder(std::move(endpoint), std::move(model), http, clock, options));
  CLEVER_ASSIGN(const auto vectors, embedder->embed_batch({"test"}, stop, deadline));
  embedder->dimensions_ = vectors.front().size();
  return embedder;
}

std::string ProviderEmbedder::name() const {
  std::string name = endpoint_.provider + "/" + model_;
  if (options_.dimensions != 0) name += "/" + std::to_string(options_.dimensions);
  return name;
}

base::Result<std::vector<index::Vector>> ProviderEmbedder::embed(
    const std::vector<std::string_view>& texts, const base::StopToken& stop,
    base::Deadline deadline) {
  std::vector<index::Vector> vectors;
  std::vector<std::string> batch;
  std::size_t bytes = 0;
  const auto send = [&]() -> base::Result<void> {
    if (batch.empty()) return {};
    CLEVER_ASSIGN(auto some, embed_batch(batch, stop, deadline));
    std::ranges::move(some, std::back_inserter(vectors));
    batch.clear();
    bytes = 0;
    return {};
  };
  for (const std::string_view text : texts) {
    std::string ready = prepared(text);
    if (batch.size() >= options_.most_texts || bytes + ready.size() > options_.most_bytes) {
      CLEVER_TRY(send());
    }
    bytes += ready.size();
    batch.push_back(std::move(ready));
  }
  CLEVER_TRY(send());
  return vectors;
}

// No model accepts an empty text.
std::string ProviderEmbedder::prepared(std::string_view text) const {
  std::string ready = base::to_valid_utf8(base::utf8_prefix(text, options_.longest_text));
  return ready.empty() ? " " : ready;
}

base::Result<std::vector<index::Vector>> ProviderEmbedder::embed_batch(
    const std::vector<std::string>& texts, const base::StopToken& stop,
    base::Deadline deadline) const {
  base::Duration wait = options_.first_pause;
  for (unsigned tries = 1;; ++tries) {
    Attempt result = attempt(texts, stop, deadline);
    if (result.vectors.ok() || !result.passes || tries >= options_.most_attempts) {
      return std::move(result.vectors).context("asking " + name() + " for vectors");
    }
    if (result.wait) wait = std::max<base::Duration>(wait, *result.wait);
    // Does not begin a pause that ends too late.
    if (wait >= deadline.remaining()) {
      return base::deadline_exceeded(result.vectors.error().sentence() +
                                     "; no time is left to try again");
    }
    CLEVER_TRY(pause(clock_, wait, stop));
    wait *= 2;
  }
}

ProviderEmbedder::Attempt ProviderEmbedder::attempt(const std::vector<std::string>& texts,
                                                    const base::StopToken& stop,
                                                    base::Deadline deadline) const {
  auto answer = io::fetch(http_, request_for(texts), stop, deadline);
  if (!answer.ok()) {
    const bool passes = answer.error().code() == base::ErrorCode::kUnavailable;
    return {.vectors = std::move(answer).error(), .passes = passes};
  }
  if (answer->head.status < 200 || answer->head.status > 299) {
    const provider::Failure failure =
        provider::adapter(endpoint_.wire)->failure(endpoint_, model_, answer->head, answer->body);
    return {.vectors = failure.to_error(),
            .passes = provider::is_transient(failure.kind),
            .wait = failure.retry_after};
  }
  auto vectors = internal::read_embeddings(answer->body, texts.size(), dimensions_);
  const bool passes = !vectors.ok();
  return {.vectors = std::move(vectors), .passes = passes};
}

// Uses the address and headers of the provider's other requests.
io::HttpRequest ProviderEmbedder::request_for(const std::vector<std::string>& texts) const {
  io::HttpRequest request = provider::adapter(endpoint_.wire)->list_models(endpoint_);
  request.method = "POST";
  if (endpoint_.wire == Wire::kOllama) {
    request.url.replace(request.url.rfind('/'), std::string::npos, "/embed");
  } else {
    request.url = provider::openai::address(endpoint_, model_, "/embeddings");
  }
  const bool typed = std::ranges::any_of(
      request.headers, [](const io::HttpHeader& header) { return header.name == "content-type"; });
  if (!typed) request.headers.push_back({"content-type", "application/json"});
  nlohmann::json body = {{"model", model_}, {"input", texts}};
  if (options_.dimensions != 0) body["dimensions"] = options_.dimensions;
  request.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return request;
}

}  // namespace clever::context
