#include <zlib.h>

#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

// pack_tokens IN OUT: converts a published tokeniser table (one line per token: base64 and rank, in
// rank order) into the embedded form: the number of tokens and bytes, then each token's length and
// bytes, deflated.
namespace {

std::optional<unsigned> digit_of(char c) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t at = kDigits.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(at);
}

std::optional<std::string> decoded(std::string_view base64) {
  std::string bytes;
  unsigned bits = 0;
  unsigned count = 0;
  while (base64.ends_with('=')) base64.remove_suffix(1);
  for (const char c : base64) {
    const auto digit = digit_of(c);
    if (!digit) return std::nullopt;
    bits = (bits << 6U) | *digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 0xFFU);
  }
  return bytes;
}

void append_number(std::string& text, std::size_t number) {
  for (unsigned i = 0; i < 4; ++i) text += static_cast<char>((number >> (8 * i)) & 0xFFU);
}

struct Lists {
  std::string bytes{};
  std::size_t count = 0;
};

std::optional<Lists> read_lists(std::istream& in) {
  Lists lists;
  std::string base64;
  std::size_t rank = 0;
  while (in >> base64 >> rank) {
    const auto token = decoded(base64);
    if (!token || token->empty() || token->size() > 255 || rank != lists.count) {
      return std::nullopt;
    }
    lists.bytes += static_cast<char>(token->size());
    lists.bytes += *token;
    ++lists.count;
  }
  if (!in.eof() || lists.count == 0) return std::nullopt;
  return lists;
}

std::string packed(const Lists& lists) {
  std::string out;
  append_number(out, lists.count);
  append_number(out, lists.bytes.size());
  uLongf size = compressBound(lists.bytes.size());
  std::string deflated(size, '\0');
  compress2(reinterpret_cast<Bytef*>(deflated.data()), &size,
            reinterpret_cast<const Bytef*>(lists.bytes.data()), lists.bytes.size(), 9);
  return out + deflated.substr(0, size);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: pack_tokens IN OUT\n";
    return 2;
  }
  std::ifstream in(arguments[1], std::ios::binary);
  const auto lists = read_lists(in);
  if (!lists) {
    std::cerr << arguments[1]
              << ": expected a token in base64 and its rank on each line, the ranks "
              << "from 0 without a gap\n";
    return 1;
  }
  std::ofstream out(arguments[2], std::ios::binary);
  out << packed(*lists);
  return out.flush() ? 0 : 1;
}
