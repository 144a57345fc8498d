#include "engine/effects/internal/shown_answer.h"

#include <string>

namespace clever::engine::internal {

ShownAnswer::ShownAnswer(Observer* observer, const model::PlanId& plan,
                         const base::Secrets* secrets)
    : observer_(observer),
      plan_(plan),
      secrets_(secrets != nullptr ? *secrets : none_),
      words_(secrets_.stream()),
      thoughts_(secrets_.stream()) {}

void ShownAnswer::take(std::string_view piece, bool reasoning) {
  base::SecretStream& other = stream(!reasoning);
  if (other.waiting() > 0 && other.waiting() <= kHarmless) show(other.finish(), !reasoning);
  show(stream(reasoning).take(piece), reasoning);
}

void ShownAnswer::finish() {
  show(thoughts_.finish(), /*reasoning=*/true);
  show(words_.finish(), /*reasoning=*/false);
}

void ShownAnswer::restart() {
  words_ = secrets_.stream();
  thoughts_ = secrets_.stream();
}

void ShownAnswer::show(std::string_view text, bool reasoning) const {
  if (observer_ != nullptr && !text.empty())
    observer_->on_text(plan_, std::string(text), reasoning);
}

}  // namespace clever::engine::internal
