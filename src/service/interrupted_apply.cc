#include "service/interrupted_apply.h"

#include "apply/apply.h"

namespace clever::service {

base::Result<std::string> end_interrupted_apply(Context& context) {
  const std::filesystem::path applies = context.home() / "applies";
  if (!apply::has_unfinished(applies) || !context.project().ok()) return std::string();
  return apply::recover_if_idle(*context.project(), applies)
      .context("ending what an interrupted apply left in this project");
}

}  // namespace clever::service
