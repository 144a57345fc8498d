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

/// The number of a file within one view: 0, 1, 2, … in path order.
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

/// A similar piece of a file.
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

/// The files of one corpus at one moment, and the index's knowledge of them. Immutable and
/// thread-safe; lives as long as it is held, also beyond its index. The same files give the same
/// answers, whatever else the index holds and however it came to hold it; equal scores are ordered
/// by path.
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

  /// By the words of contents, paths and definitions, each field with its own weight (BM25 over
  /// fields).
  [[nodiscard]] virtual std::vector<Hit> search(std::string_view query, std::size_t limit,
                                                const base::StopToken& stop = {}) const = 0;
  /// Plain BM25 over contents and paths, for comparison.
  [[nodiscard]] virtual std::vector<Hit> search_plainly(std::string_view query,
                                                        std::size_t limit) const = 0;
  /// Files with every one of the words; words in double quotes must be adjacent. By score.
  [[nodiscard]] virtual std::vector<Hit> grep(std::string_view query, std::size_t limit,
                                              const base::StopToken& stop = {}) const = 0;

  /// Where a name is defined: in its own spelling, otherwise ignoring case.
  [[nodiscard]] virtual std::vector<SymbolHit> definitions(std::string_view name,
                                                           std::size_t limit) const = 0;
  /// Files that use a name without defining it.
  [[nodiscard]] virtual std::vector<Hit> uses(std::string_view name, std::size_t limit) const = 0;
  /// A file's neighbours in the graph of imports and uses, strongest first.
  [[nodiscard]] virtual std::vector<Edge> edges(FileNumber file, std::size_t limit) const = 0;
  /// Pieces with the nearest vectors. Empty if the view has none of this embedder.
  [[nodiscard]] virtual std::vector<ChunkHit> nearest(const Vector& vector,
                                                      std::size_t limit) const = 0;

  [[nodiscard]] virtual base::Result<syntax::Syntax> syntax(FileNumber file) const = 0;
  [[nodiscard]] virtual base::Result<std::string> content(FileNumber file) const = 0;
};

struct IndexOptions {
  /// The index's own folder; created if missing.
  std::filesystem::path folder;
  /// The most threads of a build.
  unsigned threads = 2;
  /// Memory of a build, besides the page cache.
  std::uint64_t memory = std::uint64_t{256} << 20U;
  std::size_t largest_file = std::size_t{1} << 20U;
  syntax::ParseLimits parsing{};
  /// None: no vectors. Must outlive the index.
  Embedder* embedder = nullptr;
  /// Only text: no symbols, graph or vectors.
  bool text_only = false;
  /// tidy() keeps the contents of this many of the last views.
  std::size_t keep = 8;
  /// None: the system's. Must outlive the index, as must the logger.
  const base::Clock* clock = nullptr;
  /// Logs which files were left out, and why. None: no log.
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
  /// What was damaged and dropped when it was opened, for a person; empty if nothing was.
  std::string repaired{};
};

/// Knowledge about contents, by their names: shared by all branches, workspaces and plans of a
/// project. Append-only segments and one manifest that is replaced atomically: a crash only loses
/// what was being indexed. Damaged parts are dropped and indexed again (`repaired` says so).
/// Thread-safe, and many processes may use one folder at once. Its files hold only data of the
/// project, and deleting them is always safe.
class CodeIndex {
 public:
  [[nodiscard]] static base::Result<std::unique_ptr<CodeIndex>> open(IndexOptions options);
  virtual ~CodeIndex() = default;

  /// The corpus as it is now; indexes new files in parallel. Calls `progress` regularly, from one
  /// thread at a time. Leaves out unreadable files and logs them.
  [[nodiscard]] virtual base::Result<std::shared_ptr<const View>> view(
      std::shared_ptr<Corpus> corpus,
      const std::function<void(const IndexProgress&)>& progress = {},
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never()) = 0;
  [[nodiscard]] virtual IndexStats stats() const = 0;
  /// Drops contents that none of the last `keep` views used; merges small segments.
  virtual base::Result<void> tidy(const base::StopToken& stop = {}) = 0;
};

}  // namespace clever::index
