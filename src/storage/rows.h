#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/value.h"

namespace clever::storage {

class Rows;

/// One row of Rows, which must outlive it. A column with another type than requested, which only an
/// edit by hand can cause, reads as 0 or empty.
class Row {
 public:
  Row(const Rows& rows, std::size_t index) : rows_(&rows), index_(index) {}

  [[nodiscard]] const Value& operator[](std::size_t column) const;
  [[nodiscard]] bool is_null(std::size_t column) const;
  [[nodiscard]] std::int64_t integer(std::size_t column) const;
  [[nodiscard]] double real(std::size_t column) const;
  [[nodiscard]] const std::string& text(std::size_t column) const;
  [[nodiscard]] const std::string& blob(std::size_t column) const;

 private:
  const Rows* rows_;
  std::size_t index_;
};

/// The rows that a statement returned, in the order of its ORDER BY. A value.
class Rows {
 public:
  Rows() = default;
  explicit Rows(std::size_t columns) : columns_(columns) {}

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return columns_ == 0 ? 0 : values_.size() / columns_; }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] Row operator[](std::size_t index) const { return {*this, index}; }

  /// For engines: adds the values of a row, one by one.
  void push(Value value) { values_.push_back(std::move(value)); }
  [[nodiscard]] const Value& value(std::size_t row, std::size_t column) const {
    return values_[row * columns_ + column];
  }

  class Iterator {
   public:
    Iterator(const Rows& rows, std::size_t index) : rows_(&rows), index_(index) {}
    Row operator*() const { return {*rows_, index_}; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Rows* rows_;
    std::size_t index_;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

 private:
  std::size_t columns_ = 0;
  std::vector<Value> values_;
};

}  // namespace clever::storage
