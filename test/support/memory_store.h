#pragma once
// An object store in memory, for tests that explore schedules: no file is touched.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "git/object_store.h"

namespace clever::test {

class MemoryStore final : public git::ObjectStore {
 public:
  base::Result<git::ObjectId> put(git::ObjectKind kind, std::string_view content) override {
    const git::ObjectId id = git::object_id_of(kind, content);
    objects_.with([&](Objects& objects) { objects[id] = {kind, std::string(content)}; });
    return id;
  }
  base::Result<void> sync(const base::StopToken& /*stop*/, base::Deadline /*deadline*/) override {
    return {};
  }
  base::Result<bool> contains(const git::ObjectId& id) override { return object(id).ok(); }
  base::Result<Header> header(const git::ObjectId& id) override {
    CLEVER_ASSIGN(const auto found, object(id));
    return Header{found.first, found.second.size()};
  }
  base::Result<std::string> read(const git::ObjectId& id, git::ObjectKind /*kind*/,
                                 std::size_t /*limit*/) override {
    if (id == git::empty_tree()) return std::string();
    CLEVER_ASSIGN(auto found, object(id));
    return std::move(found.second);
  }
  base::Result<std::vector<git::TreeEntry>> tree(const git::ObjectId& id) override {
    if (id == git::empty_tree()) return std::vector<git::TreeEntry>();
    return trees_.with([&](Trees& trees) -> base::Result<std::vector<git::TreeEntry>> {
      const auto found = trees.find(id);
      if (found == trees.end()) return base::not_found("no tree " + id.to_hex());
      return found->second;
    });
  }
  base::Result<git::ObjectId> put_tree(std::vector<git::TreeEntry> entries) override {
    // As git writes it: a folder sorts as if its name ended with a slash.
    std::ranges::sort(entries, {}, [](const git::TreeEntry& entry) {
      return entry.node.mode == git::FileMode::kDirectory ? entry.name + "/" : entry.name;
    });
    std::string content;
    for (const auto& entry : entries) {
      const std::string mode = to_string(entry.node.mode);
      content += mode.substr(mode.starts_with('0') ? 1 : 0) + " " + entry.name + '\0';
      content.append(entry.node.id.bytes().begin(), entry.node.id.bytes().end());
    }
    CLEVER_ASSIGN(const git::ObjectId id, put(git::ObjectKind::kTree, content));
    trees_.with([&](Trees& trees) { trees[id] = std::move(entries); });
    return id;
  }
  base::Result<void> refresh() override { return {}; }
  const std::filesystem::path& folder() const override { return folder_; }

 private:
  using Object = std::pair<git::ObjectKind, std::string>;
  using Objects = std::map<git::ObjectId, Object>;
  using Trees = std::map<git::ObjectId, std::vector<git::TreeEntry>>;

  base::Result<Object> object(const git::ObjectId& id) {
    return objects_.with([&](Objects& objects) -> base::Result<Object> {
      const auto found = objects.find(id);
      if (found == objects.end()) return base::not_found("no object " + id.to_hex());
      return found->second;
    });
  }

  const std::filesystem::path folder_{};
  base::Guarded<Objects> objects_;
  base::Guarded<Trees> trees_;
};

}  // namespace clever::test
