#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "context/history.h"
#include "context/token_counter.h"
#include "git/object_store.h"
#include "index/code_index.h"
#include "index/words.h"

namespace clever::test {

/// A view of files that a test writes down: searched by counting words, with the definitions, edges
/// and near pieces that the test says. Immutable once it is shared.
class TestView final : public index::View {
 public:
  using Hits = std::vector<index::Hit>;

  /// In any order; their numbers are in the order of their paths.
  explicit TestView(std::map<std::string, std::string> files) {
    for (auto& [path, content] : files) {
      File file{.path = path, .content = content};
      file.blob = git::object_id_of(git::ObjectKind::kBlob, content);
      // "def name" defines, up to the next definition.
      for (std::size_t at = 0; (at = content.find("def ", at)) != std::string::npos; ++at) {
        const std::size_t end = std::min(content.find("def ", at + 1), content.size());
        const std::size_t name = at + 4;
        syntax::Symbol symbol{.name =
                                  content.substr(name, content.find_first_of(" \n(", name) - name)};
        symbol.range = {.begin = static_cast<std::uint32_t>(at),
                        .end = static_cast<std::uint32_t>(end),
                        .first_line = line_of(content, at),
                        .last_line = line_of(content, end - 1)};
        symbol.signature_begin = symbol.range.begin;
        symbol.signature_end = static_cast<std::uint32_t>(std::min(content.find('\n', at), end));
        file.syntax.symbols.push_back(std::move(symbol));
      }
      files_.push_back(std::move(file));
    }
  }

  void connect(std::string_view from, std::string_view to, double weight) {
    edges_[*find(from)].push_back({.to = *find(to), .weight = weight});
  }
  void bring_near(std::string_view path, syntax::Range range, double score) {
    nearest_.push_back({.file = *find(path), .range = range, .score = score});
  }
  void set_kind(std::string_view path, index::FileKind kind) { files_[*find(path)].kind = kind; }
  void lose(std::string_view path) { files_[*find(path)].lost = true; }

  [[nodiscard]] std::size_t size() const override { return files_.size(); }
  [[nodiscard]] const std::string& path(index::FileNumber file) const override {
    return files_[file].path;
  }
  [[nodiscard]] std::optional<index::FileNumber> find(std::string_view path) const override {
    for (index::FileNumber i = 0; i < files_.size(); ++i) {
      if (files_[i].path == path) return i;
    }
    return std::nullopt;
  }
  [[nodiscard]] index::FileKind kind(index::FileNumber file) const override {
    return files_[file].kind;
  }
  [[nodiscard]] syntax::Language language(index::FileNumber /*file*/) const override {
    return syntax::Language::kPython;
  }
  [[nodiscard]] const git::ObjectId& blob(index::FileNumber file) const override {
    return files_[file].blob;
  }
  [[nodiscard]] index::ViewStats stats() const override { return {.files = files_.size()}; }

  [[nodiscard]] Hits search(std::string_view query, std::size_t limit,
                            const base::StopToken& /*stop*/) const override {
    const auto words = index::words_of(query);
    const std::set<std::string> asked(words.begin(), words.end());
    return ranked(limit, [&](const File& file) {
      double count = 0;
      for (const auto& word : index::words_of(file.path + " " + file.content)) {
        if (asked.contains(word)) ++count;
      }
      return count;
    });
  }
  [[nodiscard]] Hits search_plainly(std::string_view query, std::size_t limit) const override {
    return search(query, limit, {});
  }
  [[nodiscard]] Hits grep(std::string_view query, std::size_t limit,
                          const base::StopToken& /*stop*/) const override {
    std::string text(query);
    std::erase(text, '"');
    return ranked(limit, [&](const File& file) {
      return file.content.find(text) == std::string::npos ? 0.0 : 1.0;
    });
  }
  [[nodiscard]] std::vector<index::SymbolHit> definitions(std::string_view name,
                                                          std::size_t limit) const override {
    std::vector<index::SymbolHit> hits;
    for (index::FileNumber i = 0; i < files_.size(); ++i) {
      for (const auto& symbol : files_[i].syntax.symbols) {
        if (symbol.name == name && hits.size() < limit)
          hits.push_back({.file = i, .symbol = symbol});
      }
    }
    return hits;
  }
  [[nodiscard]] Hits uses(std::string_view name, std::size_t limit) const override {
    return grep(name, limit, {});
  }
  [[nodiscard]] std::vector<index::Edge> edges(index::FileNumber file,
                                               std::size_t limit) const override {
    const auto found = edges_.find(file);
    if (found == edges_.end()) return {};
    auto edges = found->second;
    edges.resize(std::min(edges.size(), limit));
    return edges;
  }
  [[nodiscard]] std::vector<index::ChunkHit> nearest(const index::Vector& /*vector*/,
                                                     std::size_t limit) const override {
    auto hits = nearest_;
    hits.resize(std::min(hits.size(), limit));
    return hits;
  }
  [[nodiscard]] base::Result<syntax::Syntax> syntax(index::FileNumber file) const override {
    if (files_[file].lost) return base::not_found("no syntax of " + files_[file].path);
    return files_[file].syntax;
  }
  [[nodiscard]] base::Result<std::string> content(index::FileNumber file) const override {
    if (files_[file].lost) return base::not_found("no content of " + files_[file].path);
    return files_[file].content;
  }

 private:
  struct File {
    std::string path{};
    std::string content{};
    git::ObjectId blob{};
    syntax::Syntax syntax{.language = syntax::Language::kPython};
    index::FileKind kind = index::FileKind::kSource;
    bool lost = false;
  };

  static std::uint32_t line_of(std::string_view content, std::size_t at) {
    return static_cast<std::uint32_t>(1 + std::ranges::count(content.substr(0, at), '\n'));
  }

  template <class Score>
  [[nodiscard]] Hits ranked(std::size_t limit, const Score& score) const {
    Hits hits;
    for (index::FileNumber i = 0; i < files_.size(); ++i) {
      if (const double value = score(files_[i]); value > 0)
        hits.push_back({.file = i, .score = value});
    }
    std::ranges::sort(hits, {},
                      [](const index::Hit& hit) { return std::pair(-hit.score, hit.file); });
    hits.resize(std::min(hits.size(), limit));
    return hits;
  }

  std::vector<File> files_;
  std::map<index::FileNumber, std::vector<index::Edge>> edges_;
  std::vector<index::ChunkHit> nearest_;
};

/// What commits are said to have changed.
class TestHistory final : public context::History {
 public:
  std::vector<PathScore> related_paths{};
  std::vector<PathScore> together_paths{};
  std::map<std::string, double, std::less<>> recencies{};
  std::size_t count = 1;
  /// The only query that they are related to; empty: any.
  std::string about{};

  [[nodiscard]] std::vector<PathScore> related(std::string_view query,
                                               std::size_t limit) const override {
    return about.empty() || query == about ? cut(related_paths, limit) : std::vector<PathScore>{};
  }
  [[nodiscard]] std::vector<PathScore> together(const std::vector<std::string>& /*paths*/,
                                                std::size_t limit) const override {
    return cut(together_paths, limit);
  }
  [[nodiscard]] double recency(std::string_view path) const override {
    const auto found = recencies.find(path);
    return found == recencies.end() ? 0 : found->second;
  }
  [[nodiscard]] std::size_t commits() const override { return count; }

 private:
  static std::vector<PathScore> cut(std::vector<PathScore> paths, std::size_t limit) {
    paths.resize(std::min(paths.size(), limit));
    return paths;
  }
};

/// Views of whatever corpora have; counts them.
class TestIndex final : public index::CodeIndex {
 public:
  base::Result<std::shared_ptr<const index::View>> view(
      std::shared_ptr<index::Corpus> corpus,
      const std::function<void(const index::IndexProgress&)>& /*progress*/,
      const base::StopToken& stop, base::Deadline /*deadline*/) override {
    views_.fetch_add(1);
    CLEVER_ASSIGN(const auto files, corpus->files(stop));
    std::map<std::string, std::string> texts;
    for (const index::CorpusFile& file : files) {
      CLEVER_ASSIGN(texts[file.path], corpus->read(file, std::size_t{1} << 20U));
    }
    return std::shared_ptr<const index::View>(std::make_shared<TestView>(std::move(texts)));
  }
  [[nodiscard]] index::IndexStats stats() const override { return {}; }
  base::Result<void> tidy(const base::StopToken& /*stop*/) override { return {}; }

  [[nodiscard]] int views() const { return views_.load(); }

 private:
  // Publishes nothing but itself.
  base::Atomic<int> views_{0};
};

/// A token is a byte.
class ByteCounter final : public context::TokenCounter {
 public:
  [[nodiscard]] std::string_view name() const override { return "bytes"; }
  [[nodiscard]] std::size_t count(std::string_view text) const override { return text.size(); }
  [[nodiscard]] std::string_view error() const override { return {}; }
};

/// One token for each four bytes, begun ones too.
class QuarterCounter final : public context::TokenCounter {
 public:
  [[nodiscard]] std::string_view name() const override { return "quarter"; }
  [[nodiscard]] std::size_t count(std::string_view text) const override {
    return (text.size() + 3) / 4;
  }
  [[nodiscard]] std::string_view error() const override { return {}; }
};

}  // namespace clever::test
