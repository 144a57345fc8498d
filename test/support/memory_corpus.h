#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "git/object_store.h"
#include "index/corpus.h"

namespace clever::test {

/// Files in memory, as a folder (stamps, all long ago) or as a tree (blobs) would show them; tells
/// which were read. Thread-safe.
class MemoryCorpus final : public index::Corpus {
 public:
  enum class Like { kFolder, kTree };
  using Files = std::map<std::string, std::string>;

  explicit MemoryCorpus(Files files, Like like = Like::kTree)
      : files_(std::move(files)), like_(like) {}

  base::Result<std::vector<index::CorpusFile>> files(const base::StopToken& stop) override {
    if (stop.stop_requested()) return base::cancelled("stopped");
    std::vector<index::CorpusFile> listed;
    for (const auto& [path, content] : files_) {
      index::CorpusFile& file = listed.emplace_back();
      file.path = path;
      if (like_ == Like::kTree) {
        file.blob = git::object_id_of(git::ObjectKind::kBlob, content);
      } else {
        file.stamp = {
            .device = 1,
            .inode = std::hash<std::string>()(path),
            .size = content.size(),
            .modified_ns = static_cast<std::int64_t>(std::hash<std::string>()(content) >> 1U),
            .changed_ns = 1};
      }
    }
    return listed;
  }

  base::Result<std::string> read(const index::CorpusFile& file, std::size_t largest) override {
    read_.with([&](std::vector<std::string>& read) { read.push_back(file.path); });
    if (on_read) on_read(file.path);
    if (unreadable.contains(file.path)) return base::permission_denied("cannot read " + file.path);
    const std::string& content = files_.at(file.path);
    if (content.size() > largest) return base::resource_exhausted(file.path + " is too long");
    return content;
  }

  /// What was read since it was last asked, sorted.
  [[nodiscard]] std::vector<std::string> taken() {
    auto paths = read_.with([](std::vector<std::string>& read) { return std::exchange(read, {}); });
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  // Set before it is used.
  std::set<std::string> unreadable{};
  std::function<void(const std::string& path)> on_read{};

 private:
  const Files files_;
  const Like like_;
  base::Guarded<std::vector<std::string>> read_;
};

}  // namespace clever::test
