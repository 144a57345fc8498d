#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace clever::git::internal {

/// Remarks about a snapshot for a person; for very many only the first ones and their number.
class Remarks {
 public:
  void add(std::string remark) {
    ++count_;
    if (remarks_.size() < kMost) remarks_.push_back(std::move(remark));
  }
  [[nodiscard]] std::vector<std::string> take() && {
    if (count_ > remarks_.size()) {
      remarks_.push_back("and " + std::to_string(count_ - remarks_.size()) + " more");
    }
    return std::move(remarks_);
  }

 private:
  static constexpr std::size_t kMost = 50;
  std::vector<std::string> remarks_;
  std::size_t count_ = 0;
};

}  // namespace clever::git::internal
