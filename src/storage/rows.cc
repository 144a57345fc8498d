#include "storage/rows.h"

namespace clever::storage {
namespace {

const std::string kNoText;

template <class T, class R>
R held_or(const Value& value, R fallback) {
  const T* held = std::get_if<T>(&value);
  return held == nullptr ? fallback : static_cast<R>(*held);
}

}  // namespace

const Value& Row::operator[](std::size_t column) const { return rows_->value(index_, column); }

bool Row::is_null(std::size_t column) const {
  return std::holds_alternative<Null>((*this)[column]);
}

std::int64_t Row::integer(std::size_t column) const {
  return held_or<std::int64_t>((*this)[column], std::int64_t{0});
}

double Row::real(std::size_t column) const { return held_or<double>((*this)[column], 0.0); }

const std::string& Row::text(std::size_t column) const {
  const auto* text = std::get_if<std::string>(&(*this)[column]);
  return text == nullptr ? kNoText : *text;
}

const std::string& Row::blob(std::size_t column) const {
  const auto* blob = std::get_if<Blob>(&(*this)[column]);
  return blob == nullptr ? kNoText : blob->bytes;
}

}  // namespace clever::storage
