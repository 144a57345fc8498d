#pragma once
#include <cstdint>
#include <string>

namespace clever::cli {

/// One key or paste of a person. A value.
struct Key {
  enum class Kind : std::uint8_t {
    kCharacter,  // `code`, with ctrl its letter in lower case
    kPaste,      // `text`
    kEnter,
    kTab,
    kBackTab,
    kBackspace,
    kDelete,
    kEscape,
    kUp,
    kDown,
    kLeft,
    kRight,
    kHome,
    kEnd,
    kPageUp,
    kPageDown,
  };
  Kind kind = Kind::kCharacter;
  char32_t code = 0;
  bool ctrl = false;
  bool alt = false;
  std::string text{};

  [[nodiscard]] bool is(char32_t character) const {
    return kind == Kind::kCharacter && code == character && !ctrl && !alt;
  }
  [[nodiscard]] bool is_ctrl(char32_t letter) const {
    return kind == Kind::kCharacter && code == letter && ctrl && !alt;
  }
  friend bool operator==(const Key&, const Key&) = default;
};

}  // namespace clever::cli
