#pragma once
#include <array>
#include <string_view>

// What the product writes in place of a secret. A change of a file that adds one of these marks
// most likely destroys what stood there.
namespace clever::base {

/// In what is shown and logged: a secret, known by its value or by its shape (base/redact.h).
inline constexpr std::string_view kRedacted = "[redacted]";

/// In what models read and what is stored of them: the value of a known secret (base/secrets.h).
inline constexpr std::string_view kWithheld = "[secret-withheld]";
/// In what models read: a whole line of a file.
inline constexpr std::string_view kLineWithheld =
    "[this line holds a known secret and is withheld]";
/// In what models read: a whole file.
inline constexpr std::string_view kFileWithheld =
    "[this file holds a known secret and is withheld]";

inline constexpr std::array<std::string_view, 4> kSecretMarks = {kRedacted, kWithheld,
                                                                 kLineWithheld, kFileWithheld};

}  // namespace clever::base
