#include "support/built_paths.h"

namespace clever::test {

std::filesystem::path source_root() { return CLEVER_SOURCE_ROOT; }
std::string agents_program() { return CLEVER_AGENTS_PROGRAM; }
std::string confine_supervisor_program() { return CLEVER_CONFINE_SUPERVISOR; }
std::string confine_probe_program() { return CLEVER_CONFINE_PROBE; }
std::string fake_acp_agent_program() { return CLEVER_FAKE_ACP_AGENT; }
std::string tidy_program() { return CLEVER_TIDY_PROGRAM; }

}  // namespace clever::test
