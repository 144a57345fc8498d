#include "io/kernel_probe.h"
#include "service/build_facts.h"
#include "service/diagnostics/sections.h"

namespace clever::service {

Checks check_toolchain() {
  const BuildFacts facts = build_facts();
  return {"toolchain",
          {{"version", Verdict::kOk, "agents " + std::string(facts.version), ""},
           {"compiler", Verdict::kOk, facts.compiler, ""},
           {"standard library", Verdict::kOk, facts.standard_library, ""},
           {"build", Verdict::kOk, std::string(facts.build), ""},
           {"kernel", Verdict::kOk, io::kernel_name(), ""}}};
}

}  // namespace clever::service
