#include "apply/internal/recovery.h"

#include "apply/internal/finish.h"
#include "io/directory.h"

namespace clever::apply::internal {
namespace {

std::string what(const Beginning& beginning) {
  return "the interrupted " + std::string(beginning.undo ? "undo" : "apply") + " of plan " +
         beginning.plan;
}

base::Result<std::string> go_forward(const Finish& ending, const Beginning& beginning) {
  CLEVER_ASSIGN(const bool committed, ending.move_branch());
  CLEVER_TRY(ending.complete(committed));
  const std::string done = what(beginning) + " was completed";
  if (committed) return done;
  return done + " in the working tree, without a commit: the branch had new commits";
}

base::Result<std::string> go_back(const Finish& ending, const Beginning& beginning) {
  CLEVER_ASSIGN(const std::vector<std::string> remarks, ending.undo());
  std::string done = what(beginning) + " was undone";
  for (const std::string& remark : remarks) done += "; " + remark;
  return done;
}

}  // namespace

base::Result<std::string> end_interrupted(const git::Project& project, const StateFolder& state) {
  if (!state.has_journal()) return std::string();
  CLEVER_ASSIGN(std::optional<Journal> journal, state.journal());
  if (!journal) {
    CLEVER_TRY(state.remove_journal());
    return std::string();
  }
  if (const std::string& group = journal->beginning.group; !group.empty()) {
    CLEVER_ASSIGN(const auto decided, state.beside(group).journal());
    const bool is_theirs = decided && decided->beginning.id == journal->beginning.id;
    journal->verified = is_theirs && decided->verified && !decided->back;
  }
  CLEVER_ASSIGN(const io::Directory root, io::Directory::open(project.root));
  const Finish ending(project, root, state, *journal);
  return journal->goes_forward() ? go_forward(ending, journal->beginning)
                                 : go_back(ending, journal->beginning);
}

}  // namespace clever::apply::internal
