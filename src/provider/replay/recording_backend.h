#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/strand.h"
#include "base/thread_pool.h"
#include "io/append_file.h"
#include "provider/backend.h"
#include "provider/replay/cassette.h"

namespace clever::provider {

/// Writes one cassette for all backends of a run: an entry is on disk before its answer is
/// forwarded. Records only final outcomes: answers and permanent failures, not failures that are
/// retried.
///
/// Thread-safe. The destructor drops unwritten entries; their answers end as cancelled. The pool
/// must outlive it.
class CassetteRecorder {
 public:
  using Done = std::function<void(base::Result<void>)>;

  /// A new file, or that of an earlier run, whose content stays except for an incomplete last line.
  /// `invalid_argument` if it is not a cassette.
  [[nodiscard]] static base::Result<std::unique_ptr<CassetteRecorder>> open(
      const std::filesystem::path& path, base::ThreadPool& pool);

  /// Writes and syncs on the pool, then calls done() there. Calls done() in every case.
  void append(std::string line, Done done);
  [[nodiscard]] const base::Redactor& redactor() const noexcept { return redactor_; }
  /// Holds values that must never be on the cassette.
  [[nodiscard]] base::Redactor& redactor() noexcept { return redactor_; }

 private:
  CassetteRecorder(io::AppendFile file, base::ThreadPool& pool)
      : file_(std::move(file)), strand_(pool) {}

  base::Redactor redactor_;
  // Strand-owned.
  io::AppendFile file_;
  // Declared last: its destructor waits for the task that uses the file.
  base::Strand strand_;
};

/// Forwards requests to another backend and records its answers. An answer that cannot be recorded
/// becomes a kMisconfigured failure, because a cassette with a gap is useless.
///
/// Thread-safe; `recorder` outlives the attempts.
class RecordingBackend final : public Backend {
 public:
  RecordingBackend(std::string provider, std::shared_ptr<Backend> inner,
                   CassetteRecorder& recorder);

  std::unique_ptr<Attempt> start(const std::string& model, const ModelRequest& request,
                                 std::shared_ptr<AttemptSink> sink) override;

 private:
  const std::string provider_;
  const std::shared_ptr<Backend> inner_;
  CassetteRecorder& recorder_;
};

}  // namespace clever::provider
