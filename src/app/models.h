#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/lazy.h"
#include "base/random.h"
#include "base/redact.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "io/environment.h"
#include "io/http_client.h"
#include "provider/replay/recording_backend.h"
#include "provider/replay/replay_backend.h"
#include "service/models.h"

namespace clever::app {

/// The connections of this process to models. Starts no thread and loads no library before the
/// first request. Thread-safe.
class ProcessModels final : public service::Models {
 public:
  /// The clock must outlive it. Relative paths of scripts and cassettes are relative to
  /// `directory`.
  ProcessModels(base::Clock& clock, io::Environment environment, std::filesystem::path directory)
      : clock_(clock), environment_(std::move(environment)), directory_(std::move(directory)) {}

  [[nodiscard]] io::Http& http() override;
  [[nodiscard]] base::Result<std::shared_ptr<provider::Backend>> backend(
      const provider::Endpoint& endpoint, const service::AnswerSource& source) override;
  [[nodiscard]] std::unique_ptr<provider::ModelService> service(provider::BackendFactory backends,
                                                                storage::Engine* store) override;

 private:
  // The threads on which scripts and cassettes answer, and waits end.
  struct Workers {
    explicit Workers(base::Clock& clock) : timers(clock) {}
    base::ThreadPool pool{{.name = "models", .threads = 1}};
    base::TimerQueue timers;
    base::SystemRandom random;
  };

  // One player and one recorder per cassette, whatever the number of providers: repeated requests
  // are answered in the recorded order.
  template <class T>
  using OneForEach = base::Guarded<std::map<std::string, std::shared_ptr<base::Lazy<T>>>>;

  [[nodiscard]] Workers& workers();
  void add_secrets(base::Redactor& redactor, const provider::Endpoint& endpoint) const;
  [[nodiscard]] base::Result<std::shared_ptr<provider::Backend>> direct(
      const provider::Endpoint& endpoint);
  [[nodiscard]] base::Result<std::shared_ptr<provider::Backend>> replaying(
      const provider::Endpoint& endpoint, const std::string& cassette);
  [[nodiscard]] base::Result<std::shared_ptr<provider::Backend>> recording(
      const provider::Endpoint& endpoint, const std::string& cassette);

  // Constant after construction.
  base::Clock& clock_;
  const io::Environment environment_;
  const std::filesystem::path directory_;
  // Made on request; later members use earlier ones.
  base::Lazy<Workers> workers_;
  base::Lazy<io::HttpClient> http_;
  OneForEach<provider::CassetteRecorder> recorders_;
  OneForEach<provider::CassettePlayer> players_;
};

}  // namespace clever::app
