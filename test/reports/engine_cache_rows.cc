#include "reports/engine_cache_checks.h"
#include "reports/engine_cache_ours.h"

namespace clever::reports {

Book engine_cache_book() {
  using namespace engine_cache;
  Book book("3950", "engine cache");
  book.add("reported", properties<Reported>(),
           {"one_engine", "one_memory", "spellings", "migrates_once", "none_broken", "fails_alone",
            "closes"});
  book.add("proposed", properties<Proposed>(),
           {"one_memory", "slow_open", "spellings", "migrates_once", "none_broken", "closes"});
  book.add("proposed-forgotten-once", properties<ProposedForgotten>(),
           {"one_engine", "one_memory", "spellings", "migrates_once", "none_broken", "fails_alone",
            "closes"});
  book.add("proposed-evicting-failures", properties<ProposedEvicting>(),
           {"one_memory", "slow_open", "spellings", "migrates_once", "fails_alone", "closes"});
  book.add("proposed-closing-when-done", properties<ProposedClosing>(),
           {"one_memory", "slow_open", "spellings", "migrates_once", "none_broken", "usable"});
  book.add("control", properties<Control>(), {});
  book.add("ours", properties<Ours>(), {});
  return book;
}

}  // namespace clever::reports
