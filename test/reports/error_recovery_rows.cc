#include "reports/error_recovery_checks.h"
#include "reports/error_recovery_ours.h"

namespace clever::reports {

Book error_recovery_book() {
  using namespace error_recovery;
  Book book("7333", "error recovery");
  book.add("reported", properties<Reported>(),
           {"records_all", "spends_once", "history_survives", "budget_survives"});
  book.add("proposed", properties<Proposed>(),
           {"records_all", "spends_once", "history_survives", "budget_survives"});
  book.add("proposed-with-atomic-append", properties<ProposedAtomicAppend>(),
           {"spends_once", "history_survives", "budget_survives"});
  book.add("control", properties<Control>(), {});
  book.add("ours", properties<Ours>(), {});
  return book;
}

}  // namespace clever::reports
