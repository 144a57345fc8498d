#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "http/internal/request_facts.h"
#include "http/limits.h"
#include "http/message.h"

namespace clever::http::internal {

/// Why a request is refused; the connection ends with the answer.
struct Refusal {
  int status = 400;
  std::string reason{};
};

struct ParsedRequest {
  Request request{};
  RequestFacts facts{};
};

/// Parses requests from a stream of bytes, with llhttp in its strict mode, and refuses requests
/// that two parsers might understand differently: two lengths, other codings than chunked, chunk
/// extensions, bare line ends, folded lines, extra blanks in the request line.
///
/// Used by one thread. Holds at most the limits' bytes of one request. Bad input yields a Refusal,
/// after which the parser takes nothing more.
class RequestParser {
 public:
  enum class State : std::uint8_t {
    kIdle,  // before the first byte of a request
    kHead,
    kBody,
    kWhole,    // take() the request before feeding more
    kRefused,  // for good
  };

  explicit RequestParser(const Limits& limits);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  /// Takes bytes, at most up to the end of the request; returns how many.
  std::size_t feed(std::string_view bytes);

  [[nodiscard]] State state() const noexcept { return state_; }
  [[nodiscard]] const Refusal& refusal() const noexcept { return refusal_; }
  /// The bytes held of the body.
  [[nodiscard]] std::size_t body_bytes() const noexcept { return parsed_.request.body.size(); }
  /// Takes nothing more, and frees what came.
  void abandon();
  /// The whole request; the parser is idle again.
  [[nodiscard]] ParsedRequest take();
  /// True, once per request, if the client waits for "100 Continue" before it sends the body.
  [[nodiscard]] bool take_expectation() { return std::exchange(expects_, false); }

 private:
  // llhttp, and its connection to the functions below.
  struct Machine;

  int on_url(std::string_view bytes);
  int on_header_field(std::string_view bytes);
  int on_header_value(std::string_view bytes);
  int on_header();
  int on_head_complete();
  int on_chunk_extension(std::string_view bytes);
  int on_chunk_size();
  int check_body(std::uint64_t more);
  int on_body(std::string_view bytes);
  int on_complete();

  [[nodiscard]] std::string_view allowed(std::string_view bytes) const;
  void note_request_line(std::string_view bytes);
  void settle(int error, std::size_t taken);
  int refuse(int status, std::string reason);
  [[nodiscard]] bool is_http_1_0() const noexcept;
  [[nodiscard]] bool count_header_bytes(std::size_t size);

  std::optional<Refusal> check_request_line();
  std::optional<Refusal> check_coding() const;
  std::optional<Refusal> check_host();
  std::optional<Refusal> check_body() const;
  std::optional<Refusal> check_expectation();
  std::optional<Refusal> check_target();
  void gather_facts();

  const Limits& limits_;
  const std::unique_ptr<Machine> machine_;
  State state_ = State::kIdle;
  Refusal refusal_{};
  ParsedRequest parsed_{};
  std::string line_{};  // the request line, as sent
  std::string name_{};  // of the header that is being read
  std::string value_{};
  std::size_t head_bytes_ = 0;      // as sent
  std::size_t header_bytes_ = 0;    // of names and values, including trailers
  std::size_t header_count_ = 0;    // including trailers
  std::size_t body_raw_bytes_ = 0;  // as sent, with chunk framing
  bool line_whole_ = false;
  bool expects_ = false;
};

}  // namespace clever::http::internal
