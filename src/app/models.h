#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "cli/models.h"
#include "io/environment.h"
#include "io/http_client.h"
#include "provider/replay/recording_backend.h"
#include "provider/replay/replay_backend.h"

namespace clever::app {

/// What this process talks to models with. No thread is started and no library loaded before it is
/// asked for. Used by one thread.
class ProcessModels final : public cli::Models {
 public:
  /// The clock must outlive it. Relative paths of scripts and cassettes are seen from `directory`.
  ProcessModels(base::Clock& clock, io::Environment environment, std::filesystem::path directory)
      : clock_(clock), environment_(std::move(environment)), directory_(std::move(directory)) {}

  [[nodiscard]] io::Http& http() override;
  [[nodiscard]] base::Result<std::shared_ptr<provider::Backend>> backend(
      const provider::Endpoint& endpoint, const cli::AnswerSource& source) override;
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

  [[nodiscard]] Workers& workers();
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
  // Made when asked for; those below use those above.
  std::optional<Workers> workers_;
  std::optional<io::HttpClient> http_;
  std::unique_ptr<provider::CassetteRecorder> recorder_;
  std::string recorded_;
  std::shared_ptr<provider::CassettePlayer> player_;
  std::string played_;
};

}  // namespace clever::app
