#include "reports/registry_checks.h"
#include "reports/registry_ours.h"

namespace clever::reports {

Book registry_book() {
  Book book("7031", "provider registry");
  book.add("reported", registry::properties<registry::Reported>(),
           {"one_identity", "stays_alive", "settings_reach", "state_survives", "never_backwards"});
  book.add("proposed", registry::properties<registry::Proposed>(),
           {"stays_alive", "settings_reach", "state_survives"});
  book.add("control", registry::properties<registry::Control>(), {});
  book.add("ours", registry::properties<registry::Ours>(), {});
  return book;
}

}  // namespace clever::reports
