#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/guarded.h"
#include "base/result.h"
#include "git/object_id.h"
#include "index/corpus.h"

namespace clever::index::internal {

/// The content that belongs to a stamp.
struct StampRecord {
  CorpusFile::Stamp stamp{};
  git::ObjectId blob{};
  friend bool operator==(const StampRecord&, const StampRecord&) = default;
};

[[nodiscard]] std::string encode_stamps(std::span<const StampRecord> records);
/// Returns the valid ones.
[[nodiscard]] std::vector<StampRecord> decode_stamps(std::string_view bytes);

/// Maps stamps to contents, so that an unchanged folder is not read again. Stored in one file to
/// which all processes append; a lost entry costs a read, and a found one is always verified.
///
/// Thread-safe. Reads the file on first use.
class StampCache {
 public:
  explicit StampCache(std::filesystem::path file) : file_(std::move(file)) {}

  /// An immutable shared snapshot.
  using Known = std::unordered_map<std::uint64_t, StampRecord>;
  class Lookup {
   public:
    explicit Lookup(std::vector<std::shared_ptr<const Known>> known) : known_(std::move(known)) {}
    [[nodiscard]] std::optional<git::ObjectId> find(const CorpusFile::Stamp& stamp) const;

   private:
    std::vector<std::shared_ptr<const Known>> known_;
  };
  [[nodiscard]] Lookup lookup();
  /// Records them here and in the file.
  [[nodiscard]] base::Result<void> add(std::vector<StampRecord> records);
  /// Writes each inode's newest stamp once.
  [[nodiscard]] base::Result<void> tidy();

 private:
  struct State {
    bool read = false;
    // Newest last; small ones are merged as they come.
    std::vector<std::shared_ptr<const Known>> layers{};
  };
  static void push(State& state, std::shared_ptr<const Known> layer);

  const std::filesystem::path file_;
  base::Guarded<State> state_;
};

}  // namespace clever::index::internal
