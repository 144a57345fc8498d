#pragma once
#include <cstddef>
#include <cstdlib>

namespace clever::test {

/// How far a campaign goes: a sample in every run of the suite, in full by `./check long`.
inline std::size_t campaign(std::size_t sample, std::size_t full) {
  return std::getenv("CLEVER_LONG") == nullptr ? sample : full;
}

}  // namespace clever::test
