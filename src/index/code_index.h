#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/log.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "index/corpus.h"
#include "index/embedder.h"
#include "syntax/parser.h"
#include "syntax/syntax.h"

namespace clever::index {

/// The number of a file within one view: 0, 1, 2, … in the order of their paths.
using FileNumber = std::uint32_t;

struct Hit {
  FileNumber file = 0;
  double score = 0;
  friend bool operator==(const Hit&, const Hit&) = default;
};

/// A definition in a file.
struct SymbolHit {
  FileNumber file = 0;
  syntax::Symbol symbol{};
};

/// A piece of a file that is alike.
struct ChunkHit {
  FileNumber file = 0;
  syntax::Range range{};
  double score = 0;
};

/// One file leads to another: by an import, or by using what the other defines.
struct Edge {
  FileNumber to = 0;
  double weight = 0;
  enum class Why : std::uint8_t { kImports, kImportedBy, kUses, kUsedBy } why = Why::kImports;
};

/// Why a file is not searched by content.
enum class FileKind : std::uint8_t { kSource, kGenerated, kVendored, kBinary, kTooLarge };
[[nodiscard]] std::string_view to_string(FileKind kind) noexcept;

struct ViewStats {
  std::size_t files = 0;
  std::size_t searched = 0;
  std::uint64_t bytes = 0;
  std::size_t symbols = 0;
  std::vector<std::pair<syntax::Language, std::size_t>> languages{};
};

/// The files of one corpus at one moment, and what the index knows of them. Immutable and
/// thread-safe; lives as long as it is held, also beyond its index. All answers are the same for
/// the same files, whatever else the index holds and in whatever order it came to hold it; equal
/// scores are ordered by path.
class View {
 public:
  virtual ~View() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual const std::string& path(FileNumber file) const = 0;
  [[nodiscard]] virtual std::optional<FileNumber> find(std::string_view path) const = 0;
  [[nodiscard]] virtual FileKind kind(FileNumber file) const = 0;
  [[nodiscard]] virtual syntax::Language language(FileNumber file) const = 0;
  [[nodiscard]] virtual const git::ObjectId& blob(FileNumber file) const = 0;
  [[nodiscard]] virtual ViewStats stats() const = 0;

  /// By the words of contents, paths and definitions, each with its own weight (BM25 over fields).
  [[nodiscard]] virtual std::vector<Hit> search(std::string_view query, std::size_t limit,
                                                const base::StopToken& stop = {}) const = 0;
  /// Plain BM25 over contents and paths: what others do, to compare with.
  [[nodiscard]] virtual std::vector<Hit> search_plainly(std::string_view query,
                                                        std::size_t limit) const = 0;
  /// Files that hold every one of the words; the query's words in double quotes must follow each
  /// other. By score.
  [[nodiscard]] virtual std::vector<Hit> grep(std::string_view query, std::size_t limit,
                                              const base::StopToken& stop = {}) const = 0;

  /// Where a name (in its own spelling; else in whatever case) is defined.
  [[nodiscard]] virtual std::vector<SymbolHit> definitions(std::string_view name,
                                                           std::size_t limit) const = 0;
  /// Files that use a name which they do not define.
  [[nodiscard]] virtual std::vector<Hit> uses(std::string_view name, std::size_t limit) const = 0;
  /// The files next to it in the graph of imports and uses, strongest first.
  [[nodiscard]] virtual std::vector<Edge> edges(FileNumber file, std::size_t limit) const = 0;
  /// Pieces whose vectors are nearest. Empty if the view has none of this embedder.
  [[nodiscard]] virtual std::vector<ChunkHit> nearest(const Vector& vector,
                                                      std::size_t limit) const = 0;

  [[nodiscard]] virtual base::Result<syntax::Syntax> syntax(FileNumber file) const = 0;
  [[nodiscard]] virtual base::Result<std::string> content(FileNumber file) const = 0;
};

struct IndexOptions {
  /// The index's own folder; made if it is missing.
  std::filesystem::path folder;
  /// At most so many threads build.
  unsigned threads = 2;
  /// While building, beside what is shared with the page cache.
  std::uint64_t memory = std::uint64_t{256} << 20U;
  std::size_t largest_file = std::size_t{1} << 20U;
  syntax::ParseLimits parsing{};
  /// None: no vectors. Must outlive the index.
  Embedder* embedder = nullptr;
  /// Text only: no symbols, graph or vectors.
  bool text_only = false;
  /// So many of the last views keep their contents from being forgotten by tidy().
  std::size_t keep = 8;
  /// None: the system's. Must outlive the index, as must the logger.
  const base::Clock* clock = nullptr;
  /// Told which files were left out, and why. None: nobody.
  const base::Logger* logger = nullptr;
};

struct IndexProgress {
  std::size_t files = 0;
  std::size_t done = 0;
  std::uint64_t bytes = 0;
};

struct IndexStats {
  std::size_t blobs = 0;
  std::size_t segments = 0;
  std::uint64_t bytes_on_disk = 0;
  /// What had to be thrown away when it was opened, in words; empty: nothing.
  std::string repaired{};
};

/// What is known of contents, by their names: shared by all branches, workspaces and plans of a
/// project. Append-only segments and one manifest that is replaced atomically: a crash loses what
/// was being indexed, nothing else; what does not verify is dropped and indexed again (`repaired`
/// says so). Thread-safe, and many processes may use one folder at once. Its files hold nothing
/// that is not in the project, and deleting them is always safe.
class CodeIndex {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<CodeIndex>> open(IndexOptions options);
  virtual ~CodeIndex() = default;

  /// The corpus as it is now; indexes what is new, in parallel. `progress` is called now and then,
  /// by one thread at a time. A corpus file that cannot be read is left out and said (log).
  [[nodiscard]] virtual base::Result<std::shared_ptr<const View>> view(
      std::shared_ptr<Corpus> corpus,
      const std::function<void(const IndexProgress&)>& progress = {},
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never()) = 0;
  [[nodiscard]] virtual IndexStats stats() const = 0;
  /// Forgets contents that no view of the last `keep` asked for; merges small segments.
  virtual base::Result<void> tidy(const base::StopToken& stop = {}) = 0;
};

}  // namespace clever::index
