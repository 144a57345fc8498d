#include "reports/neighbours.h"

namespace clever::reports {

Book counter_book() {
  Book book("6762", "subplan counter");
  book.add("reported", counter::properties<counter::Reported>(), {"unique", "increasing"});
  book.add("ours", counter::properties<counter::Ours>(), {});
  return book;
}

Book container_book() {
  Book book("6732", "container");
  book.add("reported", container::properties<container::Reported>(), {"one"});
  book.add("ours", container::properties<container::Ours>(), {});
  return book;
}

}  // namespace clever::reports
