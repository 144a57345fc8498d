#include "provider/internal/models_data.h"

// The assembler embeds the file's bytes. CMake names the file.
asm(".pushsection .rodata\n"
    ".global clever_models_begin\n"
    ".global clever_models_end\n"
    "clever_models_begin:\n"
    ".incbin \"" CLEVER_MODELS_FILE
    "\"\n"
    "clever_models_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
// Defined above; only the addresses matter.
extern const char clever_models_begin;
extern const char clever_models_end;
}

namespace clever::provider::internal {

std::string_view models_data() noexcept { return {&clever_models_begin, &clever_models_end}; }

}  // namespace clever::provider::internal
