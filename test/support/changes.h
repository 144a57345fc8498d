#pragma once
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/ulid.h"
#include "git/object_store.h"
#include "git/project.h"
#include "model/change.h"

namespace clever::test {

/// A file's state whose content lies in a store.
inline model::FileState file_state(git::ObjectStore& store, std::string_view content,
                                   std::uint32_t mode = 0100644) {
  const git::ObjectId id = store.put(git::ObjectKind::kBlob, content).value();
  return {.mode = mode, .hash = base::sha256(content), .object = id.to_hex()};
}

/// Changes of a project and the store of their contents; sorted when taken.
class Changes {
 public:
  Changes(const git::Project& project, std::filesystem::path folder)
      : store_(git::ObjectStore::open(
                   {.folder = std::move(folder), .borrowed = project.object_folders})
                   .value()) {}

  Changes& create(std::string path, std::string_view content, std::uint32_t mode = 0100644) {
    return add(std::move(path), std::nullopt, state(content, mode));
  }
  Changes& modify(std::string path, std::string_view before, std::string_view after,
                  std::uint32_t mode = 0100644) {
    return add(std::move(path), state(before, mode), state(after, mode));
  }
  Changes& remove(std::string path, std::string_view content, std::uint32_t mode = 0100644) {
    return add(std::move(path), state(content, mode), std::nullopt);
  }
  Changes& add(std::string path, std::optional<model::FileState> before,
               std::optional<model::FileState> after) {
    changes_.push_back({std::move(path), std::move(before), std::move(after)});
    return *this;
  }
  [[nodiscard]] model::FileState state(std::string_view content, std::uint32_t mode = 0100644) {
    return file_state(*store_, content, mode);
  }

  [[nodiscard]] const std::shared_ptr<git::ObjectStore>& store() const { return store_; }
  [[nodiscard]] std::vector<model::NetChange> sorted() const {
    std::vector<model::NetChange> sorted = changes_;
    std::ranges::sort(sorted, {}, &model::NetChange::path);
    return sorted;
  }
  [[nodiscard]] static model::PlanId new_plan() {
    base::SystemClock clock;
    base::SystemRandom random;
    return model::PlanId(base::UlidGenerator(clock, random).next());
  }

 private:
  std::shared_ptr<git::ObjectStore> store_;
  std::vector<model::NetChange> changes_;
};

}  // namespace clever::test
