#include "engine/agents/internal/preset_files.h"

// The assembler embeds the files. CMake defines their folder.
#define CLEVER_PRESET(name)                           \
  asm(".pushsection .rodata\n"                        \
      ".global clever_preset_" #name                  \
      "_begin\n"                                      \
      ".global clever_preset_" #name                  \
      "_end\n"                                        \
      "clever_preset_" #name                          \
      "_begin:\n"                                     \
      ".incbin \"" CLEVER_PRESETS #name               \
      ".yaml\"\n"                                     \
      "clever_preset_" #name                          \
      "_end:\n"                                       \
      ".byte 0\n"                                     \
      ".popsection\n");                               \
  extern "C" const char clever_preset_##name##_begin; \
  extern "C" const char clever_preset_##name##_end;

CLEVER_PRESET(claude)
CLEVER_PRESET(codex)
CLEVER_PRESET(gemini)
CLEVER_PRESET(goose)
CLEVER_PRESET(opencode)
CLEVER_PRESET(qwen)

namespace clever::engine::internal {

std::vector<std::string_view> preset_files() {
  return {
      {&clever_preset_claude_begin, &clever_preset_claude_end},
      {&clever_preset_codex_begin, &clever_preset_codex_end},
      {&clever_preset_gemini_begin, &clever_preset_gemini_end},
      {&clever_preset_goose_begin, &clever_preset_goose_end},
      {&clever_preset_opencode_begin, &clever_preset_opencode_end},
      {&clever_preset_qwen_begin, &clever_preset_qwen_end},
  };
}

}  // namespace clever::engine::internal
