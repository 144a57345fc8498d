#pragma once
#include <filesystem>
#include <string>

// Where the build and the sources lie. One library knows (link clever_built_paths): no path of this
// machine reaches the command line of any other source, so that a second clone of the tree finds
// its objects in the compiler's cache.
namespace clever::test {

/// The root of the checkout.
std::filesystem::path source_root();
/// Programs of this build. A test that starts one depends on its target.
std::string agents_program();
std::string confine_supervisor_program();
std::string confine_probe_program();
std::string fake_acp_agent_program();
std::string tidy_program();

}  // namespace clever::test
