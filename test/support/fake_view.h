#pragma once
// A view, an index and a history over a few texts, without any of their machinery.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "context/history.h"
#include "context/token_counter.h"
#include "index/code_index.h"

namespace clever::test {

/// Files by path; a search finds those that hold the whole query.
class FakeView : public index::View {
 public:
  explicit FakeView(const std::map<std::string, std::string>& files)
      : files_(files.begin(), files.end()) {}

  std::size_t size() const override { return files_.size(); }
  const std::string& path(index::FileNumber file) const override { return files_[file].first; }
  std::optional<index::FileNumber> find(std::string_view path) const override {
    for (index::FileNumber i = 0; i < files_.size(); ++i) {
      if (files_[i].first == path) return i;
    }
    return std::nullopt;
  }
  index::FileKind kind(index::FileNumber) const override { return index::FileKind::kSource; }
  syntax::Language language(index::FileNumber) const override { return syntax::Language::kText; }
  const git::ObjectId& blob(index::FileNumber) const override { return none_; }
  index::ViewStats stats() const override { return {.files = files_.size()}; }
  std::vector<index::Hit> search(std::string_view query, std::size_t limit,
                                 const base::StopToken&) const override {
    std::vector<index::Hit> hits;
    for (index::FileNumber i = 0; i < files_.size() && hits.size() < limit; ++i) {
      if (files_[i].second.contains(query)) hits.push_back({i, 1});
    }
    return hits;
  }
  std::vector<index::Hit> search_plainly(std::string_view query, std::size_t limit) const override {
    return search(query, limit, {});
  }
  std::vector<index::Hit> grep(std::string_view query, std::size_t limit,
                               const base::StopToken& stop) const override {
    return search(query, limit, stop);
  }
  std::vector<index::SymbolHit> definitions(std::string_view, std::size_t) const override {
    return {{0, {}}};
  }
  std::vector<index::Hit> uses(std::string_view, std::size_t) const override { return {{0, 1}}; }
  std::vector<index::Edge> edges(index::FileNumber, std::size_t) const override { return {{1, 1}}; }
  std::vector<index::ChunkHit> nearest(const index::Vector&, std::size_t) const override {
    return {{0, {}, 1}};
  }
  base::Result<syntax::Syntax> syntax(index::FileNumber) const override { return syntax::Syntax{}; }
  base::Result<std::string> content(index::FileNumber file) const override {
    return files_[file].second;
  }

 private:
  std::vector<std::pair<std::string, std::string>> files_;
  git::ObjectId none_{};
};

/// Views of whatever corpora have; counts them.
class FakeIndex : public index::CodeIndex {
 public:
  base::Result<std::shared_ptr<const index::View>> view(
      std::shared_ptr<index::Corpus> corpus,
      const std::function<void(const index::IndexProgress&)>&, const base::StopToken& stop,
      base::Deadline) override {
    views_.fetch_add(1);
    CLEVER_ASSIGN(const auto files, corpus->files(stop));
    std::map<std::string, std::string> texts;
    for (const index::CorpusFile& file : files) {
      CLEVER_ASSIGN(texts[file.path], corpus->read(file, std::size_t{1} << 20U));
    }
    return std::shared_ptr<const index::View>(std::make_shared<FakeView>(texts));
  }
  index::IndexStats stats() const override { return {}; }
  base::Result<void> tidy(const base::StopToken&) override { return {}; }

  [[nodiscard]] int views() const { return views_.load(); }

 private:
  // Publishes nothing but itself.
  base::Atomic<int> views_{0};
};

class FakeCorpus : public index::Corpus {
 public:
  explicit FakeCorpus(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  base::Result<std::vector<index::CorpusFile>> files(const base::StopToken&) override {
    std::vector<index::CorpusFile> list;
    for (const auto& [path, content] : files_) list.push_back({.path = path});
    return list;
  }
  base::Result<std::string> read(const index::CorpusFile& file, std::size_t) override {
    return files_.at(file.path);
  }

 private:
  std::map<std::string, std::string> files_;
};

class FakeHistory : public context::History {
 public:
  std::vector<PathScore> related(std::string_view query, std::size_t) const override {
    if (query != "login") return {};
    return {{.path = "login.cc", .score = 1, .subject = "Fix the login", .commit = "4f2a91c"}};
  }
  std::vector<PathScore> together(const std::vector<std::string>&, std::size_t) const override {
    return {};
  }
  double recency(std::string_view) const override { return 0; }
  std::size_t commits() const override { return 1; }
};

/// A token is a byte.
class ByteCounter : public context::TokenCounter {
 public:
  std::string_view name() const override { return "bytes"; }
  std::size_t count(std::string_view text) const override { return text.size(); }
  std::string_view error() const override { return ""; }
};

}  // namespace clever::test
