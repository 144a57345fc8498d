#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace clever::provider::internal {

/// Writes JSON text in the order of the calls, without line ends:
///   writer.object([&] { writer.text("role", "user"); writer.array("content", [&] { … }); });
/// Texts may hold any bytes: invalid UTF-8 becomes U+FFFD. Used by one thread.
class JsonWriter {
 public:
  template <class F>
  void object(F&& inside) {
    nested('{', '}', std::forward<F>(inside));
  }
  template <class F>
  void object(std::string_view key, F&& inside) {
    name(key);
    nested('{', '}', std::forward<F>(inside));
  }
  template <class F>
  void array(F&& inside) {
    nested('[', ']', std::forward<F>(inside));
  }
  template <class F>
  void array(std::string_view key, F&& inside) {
    name(key);
    nested('[', ']', std::forward<F>(inside));
  }

  void text(std::string_view value);
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, std::int64_t value);
  void real(std::string_view key, double value);
  void boolean(std::string_view key, bool value);
  void null(std::string_view key);
  /// `json` is JSON text already.
  void raw(std::string_view json);
  void raw(std::string_view key, std::string_view json);
  /// A string of `prefix` (plain ASCII) and the base64 of the bytes.
  void base64(std::string_view prefix, std::string_view bytes);
  void base64(std::string_view key, std::string_view prefix, std::string_view bytes);

  /// Reserves about this many bytes.
  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void separate();
  void name(std::string_view key);
  void quote(std::string_view value);

  template <class F>
  void nested(char open, char close, F&& inside) {
    separate();
    out_.push_back(open);
    std::forward<F>(inside)();
    out_.push_back(close);
  }

  std::string out_{};
};

/// The text as a JSON string.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace clever::provider::internal
