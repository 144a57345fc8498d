#include "reports/changeset_checks.h"
#include "reports/changeset_ours.h"

namespace clever::reports {

Book changeset_book() {
  using namespace changeset;
  Book book("7120", "changesets");
  book.add("reported", properties<Reported>(),
           {"no_index_error", "own_changeset", "gapless", "no_orphan"});
  book.add("proposed", properties<Proposed>(), {"own_changeset", "no_orphan"});
  book.add("control", properties<Control>(), {});
  book.add("ours", properties<Ours>(), {});
  return book;
}

}  // namespace clever::reports
