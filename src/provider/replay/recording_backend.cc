#include "provider/replay/recording_backend.h"

#include <utility>

#include "io/file.h"

namespace clever::provider {
namespace {

// Returns the number of bytes in complete lines; fails if they are not a cassette.
base::Result<std::size_t> whole_lines(const std::filesystem::path& path) {
  const io::FileKind kind = io::file_kind(path);
  if (kind == io::FileKind::kMissing) return std::size_t{0};
  if (kind != io::FileKind::kFile) {
    return base::invalid_argument(path.string() + " is not a file; name a writable file");
  }
  CLEVER_ASSIGN(const std::string text, io::read_file(path, Cassette::kMostBytes));
  if (text.empty()) return std::size_t{0};
  CLEVER_TRY(Cassette::parse(text, path.string()));
  return text.rfind('\n') + 1;
}

Failure cannot_record(const std::string& provider, const base::Error& error) {
  return {.kind = FailureKind::kMisconfigured,
          .message = provider + ": the call succeeded, but its answer cannot be recorded: " +
                     error.sentence() + ". Free space or choose another file for --record."};
}

bool ends_the_effort(const std::variant<ModelAnswer, Failure>& result) {
  const auto* failure = std::get_if<Failure>(&result);
  return failure == nullptr ||
         (!is_transient(failure->kind) && failure->kind != FailureKind::kCancelled);
}

// Forwards all events; forwards the end only after it is on the cassette.
class RecordingSink final : public AttemptSink {
 public:
  RecordingSink(std::string provider, std::string request, CassetteRecorder& recorder,
                std::shared_ptr<AttemptSink> sink)
      : provider_(std::move(provider)),
        request_(std::move(request)),
        recorder_(recorder),
        sink_(std::move(sink)) {}

  void on_begin() override { sink_->on_begin(); }
  void on_rates(const RateObservation& rates) override { sink_->on_rates(rates); }
  void on_delta(const Delta& delta) override { sink_->on_delta(delta); }
  void on_end(AttemptEnd end) override {
    if (!ends_the_effort(end.result)) return sink_->on_end(std::move(end));
    CassetteEntry entry{request_, base::sha256(request_), std::move(end.result)};
    std::string line = to_line(entry, recorder_.redactor());
    end.result = std::move(entry.result);
    recorder_.append(std::move(line), [provider = provider_, sink = sink_,
                                       kept = std::make_shared<AttemptEnd>(std::move(end))](
                                          const base::Result<void>& written) {
      if (!written.ok()) kept->result = cannot_record(provider, written.error());
      sink->on_end(std::move(*kept));
    });
  }

 private:
  const std::string provider_;
  const std::string request_;
  CassetteRecorder& recorder_;
  const std::shared_ptr<AttemptSink> sink_;
};

// Calls done() in every case, also when its task is dropped.
class Promise {
 public:
  explicit Promise(CassetteRecorder::Done done) : done_(std::move(done)) {}
  Promise(Promise&& other) noexcept : done_(std::exchange(other.done_, nullptr)) {}
  Promise& operator=(Promise&&) = delete;
  ~Promise() {
    if (done_) done_(base::cancelled("the recording has ended"));
  }
  void keep(base::Result<void> result) { std::exchange(done_, nullptr)(std::move(result)); }

 private:
  CassetteRecorder::Done done_;
};

}  // namespace

base::Result<std::unique_ptr<CassetteRecorder>> CassetteRecorder::open(
    const std::filesystem::path& path, base::ThreadPool& pool) {
  CLEVER_ASSIGN(const std::size_t whole, whole_lines(path).context("opening the cassette"));
  CLEVER_ASSIGN(io::AppendFile file, io::AppendFile::open(path));
  CLEVER_TRY(file.truncate(whole));
  if (whole == 0) CLEVER_TRY(file.append(cassette_header()));
  return std::unique_ptr<CassetteRecorder>(new CassetteRecorder(std::move(file), pool));
}

void CassetteRecorder::append(std::string line, Done done) {
  auto promise = std::make_shared<Promise>(std::move(done));
  const auto posted =
      strand_.post([this, promise, line = std::move(line)] { promise->keep(file_.append(line)); });
  if (!posted.ok()) promise->keep(posted.error());
}

RecordingBackend::RecordingBackend(std::string provider, std::shared_ptr<Backend> inner,
                                   CassetteRecorder& recorder)
    : provider_(std::move(provider)), inner_(std::move(inner)), recorder_(recorder) {}

std::unique_ptr<Attempt> RecordingBackend::start(const std::string& model,
                                                 const ModelRequest& request,
                                                 std::shared_ptr<AttemptSink> sink) {
  std::string canonical = canonical_request(provider_, model, request, recorder_.redactor());
  return inner_->start(
      model, request,
      std::make_shared<RecordingSink>(provider_, std::move(canonical), recorder_, std::move(sink)));
}

}  // namespace clever::provider
