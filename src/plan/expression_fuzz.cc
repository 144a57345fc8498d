#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "plan/expression.h"

namespace {

void check_refusal(const clever::base::Error& error) {
  CLEVER_CHECK(error.code() == clever::base::ErrorCode::kInvalidArgument, "a strange code");
  CLEVER_CHECK(error.message().starts_with("column "), error.message());
  CLEVER_CHECK(clever::base::is_utf8(error.message()), "a message that is no text");
  CLEVER_CHECK(error.message().size() < 2000, "an endless message");
}

}  // namespace

// Any text yields an expression or a mistake at a column; any expression yields a value or a
// mistake.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace clever::plan;
  const auto read = Expression::parse({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) {
    check_refusal(read.error());
    return 0;
  }
  const auto value = read->evaluate([](const ExpressionName& name) -> ExpressionValue {
    if (name.field == "files") return std::int64_t{3};
    return name.id;
  });
  if (!value.ok()) check_refusal(value.error());
  return 0;
}
