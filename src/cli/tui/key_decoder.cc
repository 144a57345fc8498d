#include "cli/tui/key_decoder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using KeyKind = Key::Kind;

constexpr char kEscape = '\x1b';
constexpr std::string_view kPasteEnd = "\x1b[201~";
// Keyboards send no longer sequences.
constexpr std::size_t kLongestSequence = 64;

// The modifiers of a sequence are 1 plus a sum of bits.
constexpr unsigned kAltBit = 2;
constexpr unsigned kCtrlBit = 4;

struct NumberedKey {
  unsigned number;
  KeyKind kind;
};
constexpr std::array<NumberedKey, 9> kByNumber{{{1, KeyKind::kHome},
                                                {3, KeyKind::kDelete},
                                                {4, KeyKind::kEnd},
                                                {5, KeyKind::kPageUp},
                                                {6, KeyKind::kPageDown},
                                                {7, KeyKind::kHome},
                                                {8, KeyKind::kEnd},
                                                {9, KeyKind::kTab},
                                                {13, KeyKind::kEnter}}};

std::optional<KeyKind> kind_of_letter(char letter) {
  switch (letter) {
    case 'A':
      return KeyKind::kUp;
    case 'B':
      return KeyKind::kDown;
    case 'C':
      return KeyKind::kRight;
    case 'D':
      return KeyKind::kLeft;
    case 'H':
      return KeyKind::kHome;
    case 'F':
      return KeyKind::kEnd;
    case 'Z':
      return KeyKind::kBackTab;
    default:
      return std::nullopt;
  }
}

// The length of the character that a byte begins; 1 if it begins none.
std::size_t length_of(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte >= 0xF0 && byte < 0xF5) return 4;
  if (byte >= 0xE0 && byte < 0xF0) return 3;
  return byte >= 0xC2 && byte < 0xE0 ? 2 : 1;
}

bool is_continued(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Control characters, and the delete character.
Key control_key(char byte) {
  switch (byte) {
    case '\r':
    case '\n':
      return {.kind = KeyKind::kEnter};
    case '\t':
      return {.kind = KeyKind::kTab};
    case '\b':
    case '\x7f':
      return {.kind = KeyKind::kBackspace};
    case kEscape:
      return {.kind = KeyKind::kEscape};
    default:
      break;
  }
  constexpr char32_t kLetters = 0x60;
  constexpr char32_t kLast = 26;
  const auto code = static_cast<char32_t>(static_cast<unsigned char>(byte));
  // Ctrl-Space is the byte 0.
  if (code == 0) return {.code = ' ', .ctrl = true};
  return {.code = code <= kLast ? code + kLetters : code + 0x40, .ctrl = true};
}

/// Parses the numbers of a sequence: "1;5" of "CSI 1;5 C".
struct Numbers {
  unsigned first = 1;
  unsigned second = 1;
};
Numbers numbers_of(std::string_view text) {
  Numbers numbers;
  const std::size_t semicolon = std::min(text.find(';'), text.size());
  // An invalid or too large number stays 1.
  std::from_chars(text.data(), text.data() + semicolon, numbers.first);
  if (semicolon < text.size()) {
    std::from_chars(text.data() + semicolon + 1, text.data() + text.size(), numbers.second);
  }
  return numbers;
}

Key with_modifiers(Key key, unsigned modifiers) {
  const unsigned bits = modifiers == 0 ? 0 : modifiers - 1;
  key.alt = key.alt || (bits & kAltBit) != 0;
  key.ctrl = key.ctrl || (bits & kCtrlBit) != 0;
  return key;
}

std::optional<Key> key_of_number(unsigned number) {
  const auto found = std::ranges::find(kByNumber, number, &NumberedKey::number);
  if (found == kByNumber.end()) return std::nullopt;
  return Key{.kind = found->kind};
}

// "CSI code;modifiers u"
std::optional<Key> key_of_code(unsigned code) {
  constexpr unsigned kDelete = 127;
  constexpr unsigned kLargest = 0x10FFFF;
  if (code < ' ' || code == kDelete) return control_key(static_cast<char>(code));
  if (code > kLargest || (code >= 0xD800 && code <= 0xDFFF)) return std::nullopt;
  return Key{.code = static_cast<char32_t>(code)};
}

std::optional<Key> key_of_sequence(std::string_view parameters, char last) {
  const Numbers numbers = numbers_of(parameters);
  std::optional<Key> key;
  if (last == '~') key = key_of_number(numbers.first);
  if (last == 'u') key = key_of_code(numbers.first);
  if (const auto kind = kind_of_letter(last)) key = Key{.kind = *kind};
  if (key) key = with_modifiers(*std::move(key), numbers.second);
  return key;
}

}  // namespace

std::vector<Key> KeyDecoder::feed(std::string_view bytes) {
  pending_.append(bytes);
  std::vector<Key> keys;
  decode(keys);
  return keys;
}

std::vector<Key> KeyDecoder::flush() {
  std::vector<Key> keys;
  while (is_pending()) {
    // An escape that nothing follows is the Escape key; of anything else the first byte is dropped.
    if (pending_.front() == kEscape) {
      keys.push_back({.kind = KeyKind::kEscape});
    } else {
      keys.push_back({.code = 0xFFFD});
    }
    pending_.erase(0, 1);
    decode(keys);
  }
  return keys;
}

void KeyDecoder::decode(std::vector<Key>& keys) {
  std::size_t at = 0;
  while (at < pending_.size()) {
    const std::string_view rest = std::string_view(pending_).substr(at);
    const Taken taken = pasting_ ? take_paste(rest, keys) : take_key(rest, keys);
    if (!taken) break;
    at += *taken;
  }
  pending_.erase(0, at);
}

// Takes the pasted text up to the closing bracket, or as much as is certainly text.
KeyDecoder::Taken KeyDecoder::take_paste(std::string_view bytes, std::vector<Key>& keys) {
  const std::size_t end = bytes.find(kPasteEnd);
  const bool ended = end != std::string_view::npos;
  const std::size_t kept = kPasteEnd.size() - 1;
  const std::size_t text = ended ? end : bytes.size() - std::min(bytes.size(), kept);
  paste_.append(bytes.substr(0, std::min(text, kLongestPaste - paste_.size())));
  if (!ended) return text > 0 ? Taken(text) : std::nullopt;
  pasting_ = false;
  keys.push_back({.kind = KeyKind::kPaste, .text = std::exchange(paste_, {})});
  return text + kPasteEnd.size();
}

KeyDecoder::Taken KeyDecoder::take_key(std::string_view bytes, std::vector<Key>& keys) {
  if (bytes.front() == kEscape) return take_escape(bytes, keys);
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (lead < ' ' || bytes.front() == '\x7f') {
    keys.push_back(control_key(bytes.front()));
    return 1;
  }
  const std::size_t length = length_of(bytes.front());
  for (std::size_t i = 1; i < length && i < bytes.size(); ++i) {
    if (!is_continued(bytes[i])) {
      keys.push_back({.code = 0xFFFD});
      return i;
    }
  }
  if (bytes.size() < length) return std::nullopt;
  std::size_t at = 0;
  keys.push_back({.code = next_code_point(bytes, at)});
  return at;
}

KeyDecoder::Taken KeyDecoder::take_escape(std::string_view bytes, std::vector<Key>& keys) {
  if (bytes.size() < 2) return std::nullopt;
  const char second = bytes[1];
  if (second == '[' || second == 'O') return take_sequence(bytes, keys);
  if (second == kEscape) {
    keys.push_back({.kind = KeyKind::kEscape});
    return 1;
  }
  std::vector<Key> next;
  const Taken taken = take_key(bytes.substr(1), next);
  if (!taken) return std::nullopt;
  for (Key& key : next) {
    key.alt = true;
    keys.push_back(std::move(key));
  }
  return 1 + *taken;
}

// Reads CSI or SS3: parameters and intermediate bytes up to a final one.
KeyDecoder::Taken KeyDecoder::take_sequence(std::string_view bytes, std::vector<Key>& keys) {
  std::size_t end = 2;
  while (end < bytes.size() && bytes[end] >= ' ' && bytes[end] <= '?' && end < kLongestSequence) {
    ++end;
  }
  if (end == bytes.size()) return std::nullopt;
  const std::string_view parameters = bytes.substr(2, end - 2);
  const char last = bytes[end];
  // Interrupted by another byte, or too long: drops what came so far.
  if (last < '@' || last > '~') return end;
  if (last == '~' && parameters == "200") {
    pasting_ = true;
  } else if (auto key = key_of_sequence(parameters, last)) {
    keys.push_back(*std::move(key));
  }
  return end + 1;
}

}  // namespace clever::cli
