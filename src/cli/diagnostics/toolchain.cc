#include "cli/build_facts.h"
#include "cli/diagnostics/sections.h"
#include "io/kernel_probe.h"

namespace clever::cli {

Checks check_toolchain() {
  const BuildFacts facts = build_facts();
  return {"toolchain",
          {{"version", Verdict::kOk, "agents " + std::string(facts.version), ""},
           {"compiler", Verdict::kOk, facts.compiler, ""},
           {"standard library", Verdict::kOk, facts.standard_library, ""},
           {"build", Verdict::kOk, std::string(facts.build), ""},
           {"kernel", Verdict::kOk, io::kernel_name(), ""}}};
}

}  // namespace clever::cli
