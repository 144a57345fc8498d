#include "apply/apply.h"
#include "apply/internal/group.h"
#include "apply/internal/preparation.h"
#include "apply/internal/repository.h"
#include "apply/internal/request_check.h"

namespace clever::apply {

base::Result<Fit> look(const Request& request, const base::StopToken& stop,
                       base::Deadline deadline) {
  CLEVER_TRY(internal::check_request(request));
  if (!request.project.members.empty()) return internal::look_at_group(request, stop, deadline);
  CLEVER_ASSIGN(const io::Directory root, io::Directory::open(request.project.root));
  const internal::Repository repository(request.project, stop, deadline);
  const bool is_repository = request.project.kind == git::ProjectKind::kRepository;
  CLEVER_ASSIGN(
      internal::Prepared prepared,
      internal::Preparation(request, root, is_repository ? &repository : nullptr, std::nullopt)
          .run());
  return Fit{.moved_on = std::move(prepared.moved_on), .refusal = std::move(prepared.refusal)};
}

}  // namespace clever::apply
