#include "service/build_facts.h"

namespace clever::service {
namespace {

std::string compiler_name() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

BuildFacts build_facts() {
  return {CLEVER_VERSION, CLEVER_BUILD_TYPE, compiler_name(),
          "libstdc++ " + std::to_string(_GLIBCXX_RELEASE)};
}

}  // namespace clever::service
