#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace clever::cli {

/// The last rows of a terminal, drawn over again in place, with what is to stay written above them.
/// Returns the bytes; the owner writes them. A value.
///
/// The cursor stands below the region, and is neither hidden nor saved: whatever ends the process,
/// the terminal is as it should be.
class Region {
 public:
  /// The bytes that write `above` for good, and `rows` below; empty if that changes nothing. No
  /// row may be wider than the terminal.
  [[nodiscard]] std::string draw(const std::vector<std::string>& above,
                                 const std::vector<std::string>& rows);

 private:
  std::vector<std::string> drawn_;
};

}  // namespace clever::cli
