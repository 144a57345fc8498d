#pragma once
#include <memory>
#include <string>

#include "provider/adapter.h"

// Google's Gemini: generateContent and streamGenerateContent.
namespace clever::provider::google {

[[nodiscard]] std::string encode_gemini(const std::string& model, const ModelRequest& request);
[[nodiscard]] std::unique_ptr<AnswerReader> gemini_reader(const Endpoint& endpoint,
                                                          const io::HttpHead& head);
[[nodiscard]] const Adapter& gemini_adapter();

}  // namespace clever::provider::google
