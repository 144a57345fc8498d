#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace clever::cli {

/// The last rows of a terminal, redrawn in place, with lasting text written above them. Returns the
/// bytes; the owner writes them. A value.
///
/// The cursor stays below the region, and is neither hidden nor saved: the terminal is usable
/// however the process ends.
class Region {
 public:
  /// Returns the bytes that write `above` for good, and `rows` below; empty if nothing changes. No
  /// row may be wider than the terminal.
  [[nodiscard]] std::string draw(const std::vector<std::string>& above,
                                 const std::vector<std::string>& rows);

 private:
  std::vector<std::string> drawn_;
};

}  // namespace clever::cli
