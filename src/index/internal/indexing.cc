#include "index/internal/indexing.h"

#include <algorithm>
#include <utility>

#include "base/crash_point.h"
#include "base/thread.h"
#include "git/object_store.h"
#include "index/internal/file_kinds.h"
#include "syntax/language.h"
#include "syntax/outline.h"
#include "syntax/parser.h"

namespace clever::index::internal {
namespace {

// The calling thread reads fewer files than this: starting threads would take longer.
constexpr std::size_t kFewFiles = 8;
constexpr std::size_t kTellEvery = 64;
constexpr std::size_t kChunkSize = 2048;
constexpr std::size_t kEmbeddedAtOnce = 64;

// Joins small neighbours: a vector for every line of declarations would say little and cost much.
std::vector<syntax::Chunk> pieces_of(const syntax::Syntax& syntax, std::string_view content) {
  std::vector<syntax::Chunk> pieces;
  for (const syntax::Chunk& chunk : syntax::chunks(syntax, content, kChunkSize)) {
    const bool joins = !pieces.empty() && pieces.back().range.end == chunk.range.begin &&
                       chunk.range.end - pieces.back().range.begin <= kChunkSize;
    if (!joins) {
      pieces.push_back(chunk);
      continue;
    }
    syntax::Chunk& last = pieces.back();
    last.range.end = chunk.range.end;
    last.range.last_line = chunk.range.last_line;
    if (last.symbol != chunk.symbol) last.symbol = -1;
  }
  return pieces;
}

}  // namespace

/// The state of one thread.
class Indexing::Worker {
 public:
  explicit Worker(Indexing& run)
      : run_(run),
        options_(*run.job_.options),
        parser_(options_.parsing),
        // A segment is written from memory, and needs about half as much again.
        room_(options_.memory / run.thread_count() * 2 / 3) {}

  base::Result<void> work(const base::StopToken& stop, base::Deadline deadline) {
    const std::vector<CorpusFile>& files = *run_.job_.files;
    while (!stop.stop_requested() && !deadline.passed()) {
      const std::size_t number = run_.next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= files.size()) break;
      take(files[number], run_.read_[number], stop, deadline);
      if (builder_.memory() > room_) CLEVER_TRY(write());
    }
    tell();
    return builder_.empty() ? base::Result<void>{} : write();
  }

 private:
  void take(const CorpusFile& file, ReadFile& read, const base::StopToken& stop,
            base::Deadline deadline) {
    auto content = run_.job_.corpus->read(file, options_.largest_file);
    if (!content.ok()) {
      refuse(file, read, content.error());
    } else {
      read.how = ReadFile::How::kRead;
      read.blob = file.blob ? *file.blob : git::object_id_of(git::ObjectKind::kBlob, *content);
      add(file.path, read.blob, *content, stop, deadline);
      bytes_ += content->size();
    }
    if (++done_ % kTellEvery == 0) tell();
  }

  void refuse(const CorpusFile& file, ReadFile& read, const base::Error& error) {
    if (error.code() != base::ErrorCode::kResourceExhausted) {
      read.how = ReadFile::How::kFailed;
      read.failure = error.sentence();
      return;
    }
    read.how = ReadFile::How::kTooLarge;
    if (!file.blob) return;
    read.blob = *file.blob;
    const syntax::Language asked = syntax::language_of(file.path);
    if (claim(*file.blob, asked)) {
      builder_.add({.blob = file.blob->bytes(),
                    .asked_language = static_cast<std::uint8_t>(asked),
                    .language = static_cast<std::uint8_t>(asked),
                    .kind = ContentKind::kTooLarge},
                   {}, nullptr);
    }
  }

  // Returns true if no thread has this file yet, and claims it.
  bool claim(const git::ObjectId& blob, syntax::Language language) {
    if (run_.job_.known->find(blob, language, run_.job_.needs).somewhere()) return false;
    return run_.claimed_.with(
        [&](auto& claimed) { return claimed.emplace(blob, language).second; });
  }

  void add(const std::string& path, const git::ObjectId& blob, std::string_view content,
           const base::StopToken& stop, base::Deadline deadline) {
    const syntax::Language asked = syntax::language_of(path);
    if (!claim(blob, asked)) return;
    const syntax::Language language =
        asked == syntax::Language::kText ? syntax::language_of(path, content) : asked;
    const DocumentRecord record{.blob = blob.bytes(),
                                .asked_language = static_cast<std::uint8_t>(asked),
                                .language = static_cast<std::uint8_t>(language),
                                .kind = kind_of_content(path, content),
                                .bytes = static_cast<std::uint32_t>(content.size())};
    if (options_.text_only || record.kind != ContentKind::kSource) {
      builder_.add(record, content, nullptr);
      return;
    }
    SegmentBuilder::Understood understood;
    understood.syntax = parser_.parse(language, content);
    embed(understood, content, stop, deadline);
    builder_.add(record, content, &understood);
  }

  void embed(SegmentBuilder::Understood& understood, std::string_view content,
             const base::StopToken& stop, base::Deadline deadline) {
    if (options_.embedder == nullptr || run_.embedding_failed()) {
      understood.chunks.push_back({});  // missing vectors differ from empty ones
      return;
    }
    understood.chunks = pieces_of(understood.syntax, content);
    std::vector<std::string_view> texts;
    for (const syntax::Chunk& chunk : understood.chunks) {
      texts.push_back(content.substr(chunk.range.begin, chunk.range.end - chunk.range.begin));
    }
    for (std::size_t begin = 0; begin < texts.size(); begin += kEmbeddedAtOnce) {
      const std::size_t end = std::min(begin + kEmbeddedAtOnce, texts.size());
      const std::vector<std::string_view> some(texts.begin() + static_cast<std::ptrdiff_t>(begin),
                                               texts.begin() + static_cast<std::ptrdiff_t>(end));
      auto vectors = options_.embedder->embed(some, stop, deadline);
      if (!vectors.ok() || !fits(*vectors, some.size())) {
        understood.vectors.clear();
        run_.embedding_failed_.store(true);
        return;
      }
      std::ranges::move(*vectors, std::back_inserter(understood.vectors));
    }
  }

  [[nodiscard]] bool fits(const std::vector<Vector>& vectors, std::size_t count) const {
    const std::size_t dimensions = options_.embedder->dimensions();
    return vectors.size() == count && std::ranges::all_of(vectors, [&](const Vector& vector) {
             return vector.size() == dimensions;
           });
  }

  base::Result<void> write() {
    CLEVER_ASSIGN(SegmentStore::NewSegment segment, run_.job_.store->create());
    base::crash_point("index.segment_begun");
    CLEVER_TRY(builder_.write(segment.path(), run_.job_.needs.embedder));
    run_.segments_.with([&](auto& segments) { segments.push_back(std::move(segment)); });
    return {};
  }

  void tell() {
    run_.shared_.update([this](Shared& shared) {
      shared.progress.done += std::exchange(done_, 0);
      shared.progress.bytes += std::exchange(bytes_, 0);
    });
  }

  Indexing& run_;
  const IndexOptions& options_;
  syntax::Parser parser_;
  SegmentBuilder builder_;
  const std::uint64_t room_;
  std::size_t done_ = 0;
  std::uint64_t bytes_ = 0;
};

Indexing::Indexing(Job job) : job_(std::move(job)), read_(job_.files->size()) {}

unsigned Indexing::thread_count() const {
  return job_.files->size() <= kFewFiles ? 1U : std::max(1U, job_.options->threads);
}

void Indexing::work(const base::StopToken& stop, base::Deadline deadline) {
  auto result = Worker(*this).work(stop, deadline);
  shared_.update([&](Shared& shared) {
    if (!result.ok()) shared.errors.push_back(std::move(result).error());
    --shared.working;
  });
}

base::Result<void> Indexing::run(const std::function<void(const IndexProgress&)>& progress,
                                 const base::StopToken& stop, base::Deadline deadline) {
  const unsigned threads = thread_count();
  shared_.update([&](Shared& shared) {
    shared.progress.files = job_.files->size();
    shared.working = threads;
  });
  if (threads == 1) {
    work(stop, deadline);
    CLEVER_TRY(follow(progress));
  } else {
    std::vector<std::unique_ptr<base::Thread>> running;
    for (unsigned i = 0; i < threads; ++i) {
      running.push_back(std::make_unique<base::Thread>(
          "index", [this, &stop, deadline](const base::StopToken&) { work(stop, deadline); }));
    }
    CLEVER_TRY(follow(progress));
  }
  if (stop.stop_requested()) return base::cancelled("stopped while indexing");
  if (deadline.passed()) return base::deadline_exceeded("the deadline passed while indexing");
  return {};
}

// Reports progress on the caller's thread until all workers end.
base::Result<void> Indexing::follow(const std::function<void(const IndexProgress&)>& progress) {
  std::size_t reported = 0;
  while (true) {
    auto seen = shared_.update_when(
        {},
        [&](const Shared& shared) {
          return shared.working == 0 || shared.progress.done != reported;
        },
        [](Shared& shared) { return shared; });
    CLEVER_TRY(seen);
    if (progress && seen->progress.done != reported) progress(seen->progress);
    reported = seen->progress.done;
    if (seen->working > 0) continue;
    return seen->errors.empty() ? base::Result<void>{} : seen->errors.front();
  }
}

std::vector<SegmentStore::NewSegment> Indexing::take_segments() {
  return segments_.with([](auto& segments) { return std::exchange(segments, {}); });
}

}  // namespace clever::index::internal
