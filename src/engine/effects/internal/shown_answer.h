#pragma once
#include <string_view>

#include "base/secrets.h"
#include "engine/observer.h"
#include "model/id.h"

namespace clever::engine::internal {

/// Shows an answer while it is being made, without known secrets: one that is split over pieces is
/// masked as well. Holds back what may be the beginning of a secret. Used by one thread at a time;
/// what is given must outlive it.
class ShownAnswer {
 public:
  /// Without an observer nothing is shown, without secrets nothing is masked.
  ShownAnswer(Observer* observer, const model::PlanId& plan, const base::Secrets* secrets);

  void take(std::string_view piece, bool reasoning);
  /// Shows what was held back: the answer ended.
  void finish();
  /// The answer starts over.
  void restart();

 private:
  // What may be shown between pieces of the other kind, to keep their order; less than this of a
  // secret tells nothing.
  static constexpr std::size_t kHarmless = 4;

  void show(std::string_view text, bool reasoning) const;
  [[nodiscard]] base::SecretStream& stream(bool reasoning) {
    return reasoning ? thoughts_ : words_;
  }

  Observer* const observer_;
  const model::PlanId plan_;
  const base::Secrets none_{};
  const base::Secrets& secrets_;
  base::SecretStream words_;
  base::SecretStream thoughts_;
};

}  // namespace clever::engine::internal
