// What may leave Guarded::with(), and what must not.
#include "base/guarded.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace {

using clever::base::Guarded;
using Words = std::vector<std::string>;

struct Shared {
  Words words;
  std::string name;
};

void use(Guarded<Shared>& shared, const Guarded<Shared>& read_only) {
#if defined(CLEVER_CASE_reference)
  static_cast<void>(shared.with([](Shared& s) -> std::string& { return s.name; }));
#elif defined(CLEVER_CASE_pointer)
  static_cast<void>(shared.with([](Shared& s) { return &s.name; }));
#elif defined(CLEVER_CASE_string_view)
  static_cast<void>(shared.with([](Shared& s) { return std::string_view(s.name); }));
#elif defined(CLEVER_CASE_span)
  static_cast<void>(shared.with([](Shared& s) { return std::span(s.words); }));
#elif defined(CLEVER_CASE_iterator)
  static_cast<void>(shared.with([](Shared& s) { return s.words.begin(); }));
#elif defined(CLEVER_CASE_reference_wrapper)
  static_cast<void>(shared.with([](Shared& s) { return std::ref(s.name); }));
#elif defined(CLEVER_CASE_optional_pointer)
  static_cast<void>(shared.with([](Shared& s) { return std::optional(&s.name); }));
#elif defined(CLEVER_CASE_pair_with_iterator)
  static_cast<void>(shared.with([](Shared& s) { return std::pair(true, s.words.begin()); }));
#elif defined(CLEVER_CASE_variant_with_pointer)
  static_cast<void>(
      shared.with([](Shared& s) { return std::variant<int, std::string*>(&s.name); }));
#elif defined(CLEVER_CASE_result_with_pointer)
  static_cast<void>(
      shared.with([](Shared& s) { return clever::base::Result<std::string*>(&s.name); }));
#elif defined(CLEVER_CASE_vector_of_string_views)
  static_cast<void>(shared.with([](Shared& s) { return std::vector<std::string_view>{s.name}; }));
#elif defined(CLEVER_CASE_const_reference)
  static_cast<void>(read_only.with([](const Shared& s) -> const std::string& { return s.name; }));
#elif defined(CLEVER_CASE_copy)
  Guarded<Shared> copy = shared;
#elif defined(CLEVER_CASE_assignment)
  Guarded<Shared> other;
  other = shared;
#elif defined(CLEVER_CASE_value_without_lock)
  shared.value_.name = "x";
#endif
  shared.with([](Shared& s) { s.name = "x"; });
  static_cast<void>(read_only.with([](const Shared& s) { return s.name; }));
  static_cast<void>(shared.with([](Shared& s) { return s.words; }));
  static_cast<void>(shared.with([](Shared& s) { return std::optional(s.name); }));
  static_cast<void>(shared.with([](Shared& s) { return std::pair(s.name, s.words.size()); }));
  static_cast<void>(
      shared.with([](Shared& s) { return clever::base::Result<std::string>(s.name); }));
}

}  // namespace

void compile_fail_guarded() {
  Guarded<Shared> shared;
  use(shared, shared);
}
