#include "reports/batch_checks.h"
#include "reports/batch_ours.h"
#include "reports/breaker_checks.h"
#include "reports/breaker_ours.h"

namespace clever::reports {

Book breaker_book() {
  Book book("7088", "circuit breaker");
  book.add("reported", breaker::properties<breaker::Reported>(),
           {"counts_all", "opens_once", "closes_again", "late_failure", "late_success"});
  book.add("proposed", breaker::properties<breaker::Proposed>(),
           {"closes_again", "late_failure", "late_success"});
  book.add("proposed-with-cool-down", breaker::properties<breaker::ProposedWithCoolDown>(),
           {"one_probe", "late_failure", "late_success"});
  book.add("control", breaker::properties<breaker::Control>(), {});
  book.add("ours", breaker::properties<breaker::Ours>(), {});
  return book;
}

Book batch_book() {
  Book book("7088", "parallel strategy executor");
  book.add("reported", batch::properties<batch::Reported>(),
           {"stops_the_late", "counts_the_late_once", "starts_it_once"});
  book.add("proposed", batch::properties<batch::Proposed>(),
           {"stops_the_late", "counts_the_late_once", "starts_it_once"});
  book.add("control", batch::properties<batch::Control>(), {});
  book.add("ours", batch::properties<batch::Ours>(), {});
  return book;
}

}  // namespace clever::reports
