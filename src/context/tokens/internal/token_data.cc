#include "context/tokens/internal/token_data.h"

// The assembler embeds the files' bytes. CMake names the files.
#define CLEVER_EMBEDDED(name, file) \
  asm(".pushsection .rodata\n"      \
      ".global clever_" name        \
      "_begin\n"                    \
      ".global clever_" name        \
      "_end\n"                      \
      "clever_" name                \
      "_begin:\n"                   \
      ".incbin \"" file             \
      "\"\n"                        \
      "clever_" name                \
      "_end:\n"                     \
      ".byte 0\n"                   \
      ".popsection\n")

CLEVER_EMBEDDED("o200k", CLEVER_O200K_FILE);
CLEVER_EMBEDDED("cl100k", CLEVER_CL100K_FILE);
CLEVER_EMBEDDED("characters", CLEVER_CHARACTERS_FILE);

extern "C" {
// Defined above; only the addresses matter.
extern const char clever_o200k_begin;
extern const char clever_o200k_end;
extern const char clever_cl100k_begin;
extern const char clever_cl100k_end;
extern const char clever_characters_begin;
extern const char clever_characters_end;
}

namespace clever::context::internal {

std::string_view o200k_data() noexcept { return {&clever_o200k_begin, &clever_o200k_end}; }
std::string_view cl100k_data() noexcept { return {&clever_cl100k_begin, &clever_cl100k_end}; }
std::string_view characters_data() noexcept {
  return {&clever_characters_begin, &clever_characters_end};
}

}  // namespace clever::context::internal
