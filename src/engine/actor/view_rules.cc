#include <algorithm>
#include <utility>

#include "base/atomic.h"
#include "engine/actor/code_views.h"
#include "git/path_patterns.h"

namespace clever::engine {
namespace {

class SeenCorpus final : public index::Corpus {
 public:
  SeenCorpus(const ViewRules& rules, std::shared_ptr<index::Corpus> corpus)
      : include_(rules.include), exclude_(rules.exclude), corpus_(std::move(corpus)) {}

  base::Result<std::vector<index::CorpusFile>> files(const base::StopToken& stop) override {
    CLEVER_ASSIGN(auto files, corpus_->files(stop));
    std::erase_if(files, [&](const index::CorpusFile& file) { return !is_seen(file.path); });
    return files;
  }
  base::Result<std::string> read(const index::CorpusFile& file, std::size_t largest) override {
    return corpus_->read(file, largest);
  }

 private:
  [[nodiscard]] bool is_seen(const std::string& path) const {
    return (include_.empty() || include_.match(path)) && !exclude_.match(path);
  }

  // Constant after construction.
  const git::PathPatterns include_;
  const git::PathPatterns exclude_;
  const std::shared_ptr<index::Corpus> corpus_;
};

/// Limits contents only, not names.
class LimitedView final : public index::View {
 public:
  LimitedView(const ViewRules& rules, std::shared_ptr<const index::View> view)
      : rules_(rules), view_(std::move(view)) {}

  std::size_t size() const override { return view_->size(); }
  const std::string& path(index::FileNumber file) const override { return view_->path(file); }
  std::optional<index::FileNumber> find(std::string_view path) const override {
    return view_->find(path);
  }
  index::FileKind kind(index::FileNumber file) const override { return view_->kind(file); }
  syntax::Language language(index::FileNumber file) const override { return view_->language(file); }
  const git::ObjectId& blob(index::FileNumber file) const override { return view_->blob(file); }
  index::ViewStats stats() const override { return view_->stats(); }

  std::vector<index::Hit> search(std::string_view query, std::size_t limit,
                                 const base::StopToken& stop) const override {
    return view_->search(query, limit, stop);
  }
  std::vector<index::Hit> search_plainly(std::string_view query, std::size_t limit) const override {
    return view_->search_plainly(query, limit);
  }
  std::vector<index::Hit> grep(std::string_view query, std::size_t limit,
                               const base::StopToken& stop) const override {
    return view_->grep(query, limit, stop);
  }
  std::vector<index::SymbolHit> definitions(std::string_view name,
                                            std::size_t limit) const override {
    return view_->definitions(name, limit);
  }
  std::vector<index::Hit> uses(std::string_view name, std::size_t limit) const override {
    return view_->uses(name, limit);
  }
  std::vector<index::Edge> edges(index::FileNumber file, std::size_t limit) const override {
    return view_->edges(file, limit);
  }
  std::vector<index::ChunkHit> nearest(const index::Vector& vector,
                                       std::size_t limit) const override {
    return view_->nearest(vector, limit);
  }
  base::Result<syntax::Syntax> syntax(index::FileNumber file) const override {
    return view_->syntax(file);
  }

  base::Result<std::string> content(index::FileNumber file) const override {
    if (read_.load() >= rules_.largest_total) return too_much(file, "all that was read before it");
    CLEVER_ASSIGN(std::string content, view_->content(file));
    if (content.size() > rules_.largest_file) return too_much(file, "it");
    const std::uint64_t before = read_.fetch_add(content.size());
    if (before + content.size() > rules_.largest_total) return too_much(file, "all with it");
    return content;
  }

 private:
  [[nodiscard]] base::Error too_much(index::FileNumber file, const std::string& what) const {
    return base::resource_exhausted(view_->path(file) + " is not read: " + what +
                                    " is more than the view's limit");
  }

  // Constant after construction.
  const ViewRules rules_;
  const std::shared_ptr<const index::View> view_;
  // Counts bytes; publishes nothing else.
  mutable base::Atomic<std::uint64_t> read_{0};
};

}  // namespace

std::shared_ptr<index::Corpus> seen_through(const ViewRules& rules,
                                            std::shared_ptr<index::Corpus> corpus) {
  if (rules.include.empty() && rules.exclude.empty()) return corpus;
  return std::make_shared<SeenCorpus>(rules, std::move(corpus));
}

std::shared_ptr<const index::View> limited(const ViewRules& rules,
                                           std::shared_ptr<const index::View> view) {
  return std::make_shared<const LimitedView>(rules, std::move(view));
}

}  // namespace clever::engine
