#pragma once
#include <array>
#include <string_view>

// The marks that replace a secret. A change that adds one of them to a file most likely destroys
// the original text.
namespace clever::base {

/// In displayed and logged text: a secret, known by its value or its shape (base/redact.h).
inline constexpr std::string_view kRedacted = "[redacted]";

/// In text for models, and stored text: the value of a known secret (base/secrets.h).
inline constexpr std::string_view kWithheld = "[secret-withheld]";
/// In text for models: a whole line of a file.
inline constexpr std::string_view kLineWithheld =
    "[this line holds a known secret and is withheld]";
/// In text for models: a whole file.
inline constexpr std::string_view kFileWithheld =
    "[this file holds a known secret and is withheld]";

inline constexpr std::array<std::string_view, 4> kSecretMarks = {kRedacted, kWithheld,
                                                                 kLineWithheld, kFileWithheld};

}  // namespace clever::base
