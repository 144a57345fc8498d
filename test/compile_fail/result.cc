// A failure cannot be overlooked.
#include "base/result.h"

#include <string>

using clever::base::Result;

Result<int> parse();
Result<void> save();
int count();

Result<std::string> compile_fail_result() {
#if defined(CLEVER_CASE_discarded)
  parse();
#elif defined(CLEVER_CASE_discarded_void)
  save();
#elif defined(CLEVER_CASE_reference)
  static int other = 3;
  static_cast<void>(Result<int&>(other));
#elif defined(CLEVER_CASE_from_other_result)
  return parse();
#elif defined(CLEVER_CASE_value_without_asking)
  const int other = parse();
  return std::to_string(other);
#endif
  CLEVER_TRY(save());
  CLEVER_ASSIGN(const int number, parse());
  return std::to_string(number);
}
