#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/sha256.h"

namespace clever::diff::internal {

/// Makes a short name from fields, each with its length, so that different lists of fields differ.
class Identity {
 public:
  Identity& add(std::string_view field);
  Identity& add(std::uint64_t number);
  /// 16 hexadecimal digits.
  [[nodiscard]] std::string finish();

 private:
  base::Sha256 hash_;
};

/// Adds a number to the second, third, … occurrence of a name.
class Numbering {
 public:
  [[nodiscard]] std::string number(std::string name);

 private:
  std::map<std::string, std::uint64_t> seen_;
};

}  // namespace clever::diff::internal
