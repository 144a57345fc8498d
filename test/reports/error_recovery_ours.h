#pragma once
// Report #7333: the product's error recovery, held to the models' properties. The journal is the
// models' disk; deciding, sharing of writes and the budget are the product's.

#include <memory>
#include <vector>

#include "reports/error_recovery_models.h"

namespace clever::reports::error_recovery {

class Ours {
 public:
  Ours(Disk& disk, int budget);
  ~Ours();

  bool record(int error);
  [[nodiscard]] std::vector<int> errors() const;

 private:
  class Life;
  std::unique_ptr<Life> life_;
};

}  // namespace clever::reports::error_recovery
