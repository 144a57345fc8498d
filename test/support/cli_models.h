#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "io/http.h"
#include "provider/scripted/scripted_backend.h"
#include "service/models.h"

namespace clever::test {

/// A network of pages, answered before start() returns. What is not among them refuses to connect.
class PagesHttp final : public io::Http {
 public:
  struct Page {
    int status = 200;
    std::string body{};
  };

  std::unique_ptr<io::HttpExchange> start(io::HttpRequest request,
                                          std::shared_ptr<io::HttpSink> sink) override {
    const auto page = pages.find(request.url);
    requests.push_back(std::move(request));
    if (page == pages.end()) {
      sink->on_end(
          {.failure = io::HttpFailure::kConnect, .message = "no answer from this address"});
    } else {
      sink->on_head({.status = page->second.status, .version = "1.1"});
      sink->on_data(page->second.body);
      sink->on_end({});
    }
    return std::make_unique<Exchange>();
  }

  std::map<std::string, Page> pages;
  std::vector<io::HttpRequest> requests;

 private:
  class Exchange final : public io::HttpExchange {
   public:
    void cancel() override {}
  };
};

/// Ends every attempt at once as `end` says.
class ReportedBackend final : public provider::Backend {
 public:
  explicit ReportedBackend(provider::AttemptEnd end) : end_(std::move(end)) {}

  std::unique_ptr<provider::Attempt> start(const std::string& /*model*/,
                                           const provider::ModelRequest& /*request*/,
                                           std::shared_ptr<provider::AttemptSink> sink) override {
    sink->on_begin();
    sink->on_delta(provider::TextDelta{"O"});
    sink->on_end(end_);
    return nullptr;
  }

 private:
  const provider::AttemptEnd end_;
};

/// What commands talk to models with, in tests: pages, and whatever backend the test gives.
class CliModels final : public service::Models {
 public:
  [[nodiscard]] io::Http& http() override { return network; }
  [[nodiscard]] base::Result<std::shared_ptr<provider::Backend>> backend(
      const provider::Endpoint& endpoint, const service::AnswerSource& source) override {
    last_endpoint = endpoint;
    last_source = source;
    if (plays_scripts && endpoint.wire == provider::Wire::kScripted) return scripted(endpoint);
    return answer;
  }
  [[nodiscard]] std::unique_ptr<provider::ModelService> service(provider::BackendFactory backends,
                                                                storage::Engine* store) override {
    const provider::ModelService::Parts parts{*time, random_, timers_, pool_, store};
    return std::make_unique<provider::ModelService>(parts, std::move(backends));
  }

  PagesHttp network;
  base::Result<std::shared_ptr<provider::Backend>> answer = base::not_found("no backend");
  provider::Endpoint last_endpoint;
  service::AnswerSource last_source;
  /// Scripts answer as they do in the program.
  bool plays_scripts = false;

 private:
  base::SystemClock clock_;

 public:
  /// By which calls are waited for.
  base::Clock* time = &clock_;

 private:
  base::Result<std::shared_ptr<provider::Backend>> scripted(const provider::Endpoint& endpoint) {
    CLEVER_ASSIGN(auto script, provider::Script::load(endpoint.base_url));
    return std::make_shared<provider::ScriptedBackend>(endpoint.provider, std::move(script),
                                                       timers_, pool_);
  }

  base::SystemRandom random_;
  base::ThreadPool pool_{{.name = "models", .threads = 1}};
  base::TimerQueue timers_{clock_};
};

}  // namespace clever::test
