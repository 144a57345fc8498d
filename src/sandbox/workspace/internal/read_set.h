#pragma once
#include <cstddef>
#include <set>
#include <string>

#include "base/guarded.h"

namespace clever::sandbox::internal {

/// The paths that were read. Thread-safe and bounded: beyond `most`, the paths of a folder become
/// one mark, the folder with a slash at its end ("src/lib/"), which stands for everything in it;
/// then marks become marks of the folders above, and so on.
class ReadSet {
 public:
  explicit ReadSet(std::size_t most = 16'384) : most_(most) {}

  void add(std::string path);
  [[nodiscard]] std::set<std::string> all() const;

 private:
  // Constant after construction.
  const std::size_t most_;

  base::Guarded<std::set<std::string>> paths_;
};

}  // namespace clever::sandbox::internal
