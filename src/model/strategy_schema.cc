#include "model/strategy.h"

namespace clever::model {

std::string_view strategy_schema() noexcept {
  return R"({
  "type": "object",
  "properties": {
    "summary": {"type": "string", "description": "What will be done, in one or two sentences."},
    "rationale": {"type": "string", "description": "Why this way."},
    "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    "alternatives": {"type": "array", "items": {"type": "string"},
      "description": "Other ways that were considered."},
    "steps": {
      "type": "array", "minItems": 1, "maxItems": 10000,
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
          "title": {"type": "string", "description": "A few words."},
          "detail": {"type": "string",
            "description": "Everything that the step's actor must know beside the task."},
          "mode": {"type": "string", "enum": ["inline", "subplan"],
            "description": "inline: done by you, one after another. subplan: done by another worker in its own copy of the files, beside other subplans, and merged; for parts that touch different files."},
          "depends_on": {"type": "array", "items": {"type": "string"},
            "description": "Ids of steps that must be done before. Left out: an inline step waits for all steps before it, a subplan for the inline steps before it."},
          "paths": {"type": "array", "items": {"type": "string"},
            "description": "Files or folders it is about."}
        },
        "required": ["id", "title", "mode"]
      }
    }
  },
  "required": ["summary", "steps"]
})";
}

}  // namespace clever::model
