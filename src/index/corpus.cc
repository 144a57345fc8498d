#include "index/corpus.h"

#include <algorithm>
#include <utility>

#include "git/tree.h"

namespace clever::index {
namespace {

class TreeCorpus final : public Corpus {
 public:
  TreeCorpus(std::shared_ptr<git::ObjectStore> store, const git::ObjectId& tree)
      : store_(std::move(store)), tree_(tree) {}

  base::Result<std::vector<CorpusFile>> files(const base::StopToken& stop) override {
    std::vector<CorpusFile> files;
    CLEVER_TRY(git::walk(
        *store_, tree_, std::nullopt,
        [&](const std::string& path, const git::Node& node) {
          if (is_file(node)) files.push_back({.path = path, .blob = node.id});
          return true;
        },
        stop));
    std::ranges::sort(files, {}, &CorpusFile::path);
    return files;
  }

  base::Result<std::optional<std::vector<CorpusChange>>> changes_since(
      const Corpus& earlier, const base::StopToken& stop) override {
    const auto* const before = dynamic_cast<const TreeCorpus*>(&earlier);
    // Another store may not have that tree.
    if (before == nullptr || before->store_ != store_) {
      return std::optional<std::vector<CorpusChange>>{};
    }
    CLEVER_ASSIGN(const std::vector<git::TreeDifference> differences,
                  git::compare(*store_, before->tree_, tree_, stop));
    std::vector<CorpusChange> changes;
    for (const git::TreeDifference& one : differences) {
      std::optional<CorpusFile> after;
      if (one.after && is_file(*one.after)) {
        after = CorpusFile{.path = one.path.text(), .blob = one.after->id};
      }
      changes.push_back({one.path.text(), std::move(after)});
    }
    return std::optional(std::move(changes));
  }

  base::Result<std::string> read(const CorpusFile& file, std::size_t largest) override {
    if (!file.blob) return base::invalid_argument(file.path + " is no file of this tree");
    return store_->read(*file.blob, git::ObjectKind::kBlob, largest);
  }

 private:
  static bool is_file(const git::Node& node) {
    return node.mode == git::FileMode::kFile || node.mode == git::FileMode::kExecutable;
  }

  const std::shared_ptr<git::ObjectStore> store_;
  const git::ObjectId tree_;
};

}  // namespace

base::Result<std::optional<std::vector<CorpusChange>>> Corpus::changes_since(
    const Corpus& /*earlier*/, const base::StopToken& /*stop*/) {
  return std::optional<std::vector<CorpusChange>>{};
}

std::unique_ptr<Corpus> tree_corpus(std::shared_ptr<git::ObjectStore> store,
                                    const git::ObjectId& tree) {
  return std::make_unique<TreeCorpus>(std::move(store), tree);
}

}  // namespace clever::index
