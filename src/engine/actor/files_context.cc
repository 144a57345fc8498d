#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <utility>

#include "base/guarded.h"
#include "base/utf8.h"
#include "engine/actor/internal/base_files.h"
#include "engine/actor/turn_request.h"
#include "git/tree.h"
#include "tool/output_text.h"

namespace clever::engine {
namespace {

using internal::TreeNames;

constexpr std::size_t kMostNamedFiles = 24;
constexpr std::size_t kLargestNamedFile = std::size_t{1} << 20U;
constexpr std::size_t kLargestListing = std::size_t{24} << 10U;
// Room for the path, the reason and the tags around a fragment.
constexpr std::size_t kFileFrame = 64;
constexpr std::size_t kLeastOfAFile = 256;
constexpr std::string_view kWhyListed = "the files of the project when the work began";
constexpr std::string_view kWhyNamed = "named, as it was when the work began";

struct NamedFile {
  std::string path{};
  std::string text{};
};

std::size_t frame_of(const NamedFile& file) {
  return file.path.size() + kWhyNamed.size() + kFileFrame;
}

class Assembler {
 public:
  Assembler(const ContextRequest& request, const base::StopToken& stop)
      : request_(request), workspace_(*request.workspace), stop_(stop), left_(request.budget) {}

  base::Result<AssembledContext> assemble(const TreeNames& names) {
    CLEVER_TRY(read_named(names));
    add_listing(names);
    add_files();
    return std::move(context_);
  }

 private:
  base::Result<void> read_named(const TreeNames& names) {
    std::vector<std::string> paths = request_.focus;
    CLEVER_ASSIGN(std::vector<std::string> mentioned,
                  internal::mentioned_in(workspace_.store(), workspace_.base().tree, names,
                                         request_.query, kMostNamedFiles));
    paths.insert(paths.end(), mentioned.begin(), mentioned.end());
    std::set<std::string> seen;
    for (const std::string& path : paths) {
      if (seen.size() >= kMostNamedFiles) break;
      if (seen.insert(path).second) CLEVER_TRY(read_file(path));
    }
    return {};
  }

  base::Result<void> read_file(const std::string& text) {
    if (stop_.stop_requested()) return base::cancelled("stopped before the context was assembled");
    const auto path = workspace_.resolve(text);
    if (!path.ok()) return {};
    CLEVER_ASSIGN(const auto node,
                  internal::file_at(workspace_.store(), workspace_.base().tree, *path));
    if (!node) return {};
    auto content = workspace_.store().blob(node->id, kLargestNamedFile);
    if (!content.ok()) {
      if (content.error().code() != base::ErrorCode::kResourceExhausted) return content.error();
      remark(git::printable(path->text()) + " is larger than 1 MiB");
    } else if (std::string_view(*content).substr(0, 8192).contains('\0')) {
      remark(git::printable(path->text()) + " is binary");
    } else {
      files_.push_back({git::printable(path->text()), base::to_valid_utf8(*content)});
    }
    return {};
  }

  void remark(const std::string& what) {
    context_.remark += (context_.remark.empty() ? "Not shown: " : "; ") + what;
  }

  // The list gets at most a third: named files matter more.
  void add_listing(const TreeNames& names) {
    const std::size_t frame = kWhyListed.size() + kFileFrame;
    if (left_ <= frame) return;
    const std::size_t share = files_.empty() ? left_ : left_ / 3;
    const std::size_t room = std::min({share, left_ - frame, kLargestListing});
    std::string text = internal::listing_of(names, folders_of_interest(), room);
    if (text.empty()) return;
    left_ -= text.size() + frame;
    context_.fragments.push_back({.text = std::move(text), .why = std::string(kWhyListed)});
  }
  [[nodiscard]] std::vector<std::string> folders_of_interest() const {
    std::vector<std::string> paths = request_.focus;
    for (const NamedFile& file : files_) paths.push_back(file.path);
    return paths;
  }

  // Shows small files whole before a large one takes their room.
  [[nodiscard]] std::vector<std::size_t> rooms() const {
    std::vector<std::size_t> order(files_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t i) { return std::pair(files_[i].text.size(), i); });
    std::vector<std::size_t> rooms(files_.size(), 0);
    std::size_t left = left_;
    for (std::size_t done = 0; done < order.size(); ++done) {
      const NamedFile& file = files_[order[done]];
      const std::size_t share = left / (order.size() - done);
      const std::size_t frame = frame_of(file);
      if (share <= frame) continue;
      rooms[order[done]] = std::min(file.text.size(), share - frame);
      left -= rooms[order[done]] + frame;
    }
    return rooms;
  }
  void add_files() {
    const std::vector<std::size_t> room = rooms();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      NamedFile& file = files_[i];
      const bool whole = file.text.size() <= room[i];
      if (file.text.empty() || (!whole && room[i] < kLeastOfAFile)) {
        if (!file.text.empty()) remark(file.path + ", for lack of room");
        continue;
      }
      context_.fragments.push_back({.path = file.path,
                                    .text = tool::cut_middle(file.text, room[i]),
                                    .why = std::string(kWhyNamed)});
    }
  }

  const ContextRequest& request_;
  sandbox::Workspace& workspace_;
  const base::StopToken& stop_;
  std::size_t left_;
  std::vector<NamedFile> files_;
  AssembledContext context_;
};

std::string context_key(const ContextRequest& request) {
  std::string key = request.workspace->base().tree.to_hex() + " " + std::to_string(request.budget);
  for (const std::string& path : request.focus) key += '\0' + path;
  return key.append(2, '\0') + request.query;
}

// Marks the shown files as read, for the merge.
base::Result<void> mark_read(sandbox::Workspace& workspace, const AssembledContext& context) {
  CLEVER_ASSIGN(const git::ObjectId now, workspace.tree());
  for (const ContextFragment& fragment : context.fragments) {
    const auto path = git::TreePath::parse(fragment.path);
    if (!path.ok()) continue;
    CLEVER_ASSIGN(const auto node, git::find(workspace.store(), now, *path));
    if (node && node->mode != git::FileMode::kDirectory) (void)workspace.read(*path);
  }
  return {};
}

template <class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_(most) {}

  [[nodiscard]] std::shared_ptr<const Value> find(const std::string& key) const {
    const auto found = std::ranges::find(entries_, key, &Entry::first);
    return found == entries_.end() ? nullptr : found->second;
  }
  void add(const std::string& key, std::shared_ptr<const Value> value) {
    if (find(key)) return;
    if (entries_.size() >= most_) entries_.pop_front();
    entries_.emplace_back(key, std::move(value));
  }

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const Value>>;
  std::deque<Entry> entries_;
  std::size_t most_;
};

}  // namespace

struct FilesContext::Memory {
  struct Kept {
    Recent<TreeNames> names{2};
    Recent<AssembledContext> contexts{32};
  };
  base::Guarded<Kept> kept;

  base::Result<std::shared_ptr<const TreeNames>> names_of(sandbox::Workspace& workspace,
                                                          const base::StopToken& stop) {
    const git::ObjectId tree = workspace.base().tree;
    const std::string key = tree.to_hex();
    if (auto known = kept.with([&](Kept& now) { return now.names.find(key); })) return known;
    CLEVER_ASSIGN(auto names, TreeNames::of(workspace.store(), tree, stop));
    kept.with([&](Kept& now) { now.names.add(key, names); });
    return names;
  }
};

FilesContext::FilesContext() : memory_(std::make_unique<Memory>()) {}
FilesContext::~FilesContext() = default;

base::Result<AssembledContext> FilesContext::assemble(const ContextRequest& request,
                                                      const base::StopToken& stop,
                                                      base::Deadline /*deadline*/) {
  if (request.workspace == nullptr || request.budget == 0) return AssembledContext{};
  const std::string key = context_key(request);
  auto known = memory_->kept.with([&](Memory::Kept& now) { return now.contexts.find(key); });
  if (!known) {
    CLEVER_ASSIGN(const auto names, memory_->names_of(*request.workspace, stop));
    CLEVER_ASSIGN(AssembledContext made, Assembler(request, stop).assemble(*names));
    known = std::make_shared<const AssembledContext>(std::move(made));
    memory_->kept.with([&](Memory::Kept& now) { now.contexts.add(key, known); });
  }
  CLEVER_TRY(mark_read(*request.workspace, *known));
  return *known;
}

}  // namespace clever::engine
