#include "http/internal/request_parser.h"

#include <llhttp.h>

#include <algorithm>

#include "base/text.h"
#include "http/internal/target.h"

namespace clever::http::internal {
namespace {

constexpr int kGoOn = 0;
constexpr int kStop = -1;

// A chunk of one byte is sent as six.
constexpr std::size_t kChunkOverhead = 8;

std::size_t count_headers(const Request& request, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::count(request.headers, name, &Header::name));
}

// Returns true if the quality of gzip in Accept-Encoding is not zero.
bool names_gzip(std::string_view accepted) {
  for (const std::string_view piece : base::split(accepted, ',')) {
    const std::size_t semicolon = std::min(piece.find(';'), piece.size());
    if (base::lower_case(base::trimmed(piece.substr(0, semicolon))) != "gzip") continue;
    const std::string_view weight = base::trimmed(piece.substr(semicolon));
    return weight.find_first_of("123456789") != std::string_view::npos || weight.empty();
  }
  return false;
}

}  // namespace

struct RequestParser::Machine {
  explicit Machine(RequestParser& parser) {
    llhttp_init(&llhttp, HTTP_REQUEST, &settings());
    llhttp.data = &parser;
  }

  static RequestParser& parser(llhttp_t* llhttp) {
    return *static_cast<RequestParser*>(llhttp->data);
  }
  template <int (RequestParser::*F)(std::string_view)>
  static int span(llhttp_t* llhttp, const char* at, std::size_t size) {
    return (parser(llhttp).*F)({at, size});
  }
  template <int (RequestParser::*F)()>
  static int event(llhttp_t* llhttp) {
    return (parser(llhttp).*F)();
  }
  static const llhttp_settings_t& settings() {
    static const llhttp_settings_t kSettings = [] {
      llhttp_settings_t settings;
      llhttp_settings_init(&settings);
      settings.on_url = &span<&RequestParser::on_url>;
      settings.on_header_field = &span<&RequestParser::on_header_field>;
      settings.on_header_value = &span<&RequestParser::on_header_value>;
      settings.on_header_value_complete = &event<&RequestParser::on_header>;
      settings.on_headers_complete = &event<&RequestParser::on_head_complete>;
      settings.on_chunk_extension_name = &span<&RequestParser::on_chunk_extension>;
      settings.on_chunk_header = &event<&RequestParser::on_chunk_size>;
      settings.on_body = &span<&RequestParser::on_body>;
      settings.on_message_complete = &event<&RequestParser::on_complete>;
      return settings;
    }();
    return kSettings;
  }

  llhttp_t llhttp{};
};

RequestParser::RequestParser(const Limits& limits)
    : limits_(limits), machine_(std::make_unique<Machine>(*this)) {}

RequestParser::~RequestParser() = default;

bool RequestParser::is_http_1_0() const noexcept { return machine_->llhttp.http_minor == 0; }

std::size_t RequestParser::feed(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && state_ != State::kWhole && state_ != State::kRefused) {
    const std::string_view piece = allowed(bytes.substr(taken));
    if (piece.empty()) {
      refuse(line_whole_ ? 431 : 414,
             "the head is longer than " + std::to_string(limits_.header_bytes) + " bytes");
      break;
    }
    if (state_ == State::kIdle) state_ = State::kHead;
    note_request_line(piece);
    const bool in_head = state_ == State::kHead;
    const llhttp_errno_t error = llhttp_execute(&machine_->llhttp, piece.data(), piece.size());
    const std::size_t size =
        error == HPE_OK
            ? piece.size()
            : static_cast<std::size_t>(llhttp_get_error_pos(&machine_->llhttp) - piece.data());
    taken += size;
    if (in_head) head_bytes_ += size;
    settle(error, size);
  }
  return taken;
}

// Cuts a head at its limit, so that endless blanks end too.
std::string_view RequestParser::allowed(std::string_view bytes) const {
  if (state_ == State::kBody) return bytes;
  return bytes.substr(0, limits_.header_bytes - std::min(limits_.header_bytes, head_bytes_));
}

// llhttp accepts some request lines that other parsers reject, so the line is checked as a whole.
void RequestParser::note_request_line(std::string_view bytes) {
  for (const char c : bytes) {
    if (line_whole_) return;
    line_ += c;
    // Skips blank lines before a request.
    if (line_ == "\r\n") line_.clear();
    line_whole_ = c == '\n' && !line_.empty();
  }
}

void RequestParser::settle(int error, std::size_t taken) {
  if (state_ == State::kBody) {
    body_raw_bytes_ += taken;
    if (body_raw_bytes_ / kChunkOverhead > limits_.body_bytes + limits_.header_bytes) {
      refuse(413, "the body comes in too many chunks");
    }
  }
  if (error == HPE_OK || state_ == State::kWhole || state_ == State::kRefused) return;
  const char* reason = llhttp_get_error_reason(&machine_->llhttp);
  refuse(400, std::string("the request is malformed: ") + (reason == nullptr ? "" : reason));
}

int RequestParser::refuse(int status, std::string reason) {
  if (state_ != State::kRefused) refusal_ = {.status = status, .reason = std::move(reason)};
  state_ = State::kRefused;
  return kStop;
}

void RequestParser::abandon() {
  state_ = State::kRefused;
  parsed_ = {};
}

ParsedRequest RequestParser::take() {
  state_ = State::kIdle;
  line_.clear();
  line_whole_ = false;
  head_bytes_ = header_bytes_ = header_count_ = body_raw_bytes_ = 0;
  expects_ = false;
  llhttp_resume(&machine_->llhttp);
  return std::exchange(parsed_, {});
}

int RequestParser::on_url(std::string_view bytes) {
  std::string& target = parsed_.request.target;
  if (target.size() + bytes.size() > limits_.target_bytes) {
    return refuse(414,
                  "the target is longer than " + std::to_string(limits_.target_bytes) + " bytes");
  }
  target.append(bytes);
  return kGoOn;
}

bool RequestParser::count_header_bytes(std::size_t size) {
  header_bytes_ += size;
  if (header_bytes_ <= limits_.header_bytes) return true;
  refuse(431, "the headers are longer than " + std::to_string(limits_.header_bytes) + " bytes");
  return false;
}

int RequestParser::on_header_field(std::string_view bytes) {
  if (!count_header_bytes(bytes.size())) return kStop;
  name_.append(bytes);
  return kGoOn;
}

int RequestParser::on_header_value(std::string_view bytes) {
  if (!count_header_bytes(bytes.size())) return kStop;
  value_.append(bytes);
  return kGoOn;
}

int RequestParser::on_header() {
  if (++header_count_ > limits_.header_count) {
    return refuse(431, "there are more than " + std::to_string(limits_.header_count) + " headers");
  }
  if (state_ == State::kHead) {
    parsed_.request.headers.push_back(
        {.name = base::lower_case(name_), .value = std::string(base::trimmed(value_, " \t"))});
  }
  name_.clear();
  value_.clear();
  return kGoOn;
}

int RequestParser::on_head_complete() {
  parsed_.request.method =
      llhttp_method_name(static_cast<llhttp_method_t>(llhttp_get_method(&machine_->llhttp)));
  for (auto refusal : {check_request_line(), check_coding(), check_host(), check_body(),
                       check_expectation(), check_target()}) {
    if (refusal) return refuse(refusal->status, std::move(refusal->reason));
  }
  gather_facts();
  state_ = State::kBody;
  // llhttp would hand the connection over to another protocol; this server answers the request
  // instead.
  machine_->llhttp.upgrade = 0;
  return kGoOn;
}

std::optional<Refusal> RequestParser::check_request_line() {
  const Request& request = parsed_.request;
  const std::string beginning = request.method + " " + request.target + " HTTP/";
  if (!line_.starts_with(beginning)) {
    return Refusal{400, "the request line must be METHOD TARGET HTTP/1.1"};
  }
  const std::string_view version = std::string_view(line_).substr(beginning.size());
  if (version != "1.1\r\n" && version != "1.0\r\n") {
    return Refusal{505, "the server speaks HTTP/1.1 and HTTP/1.0"};
  }
  if (request.method == "CONNECT") return Refusal{501, "the server is not a proxy"};
  return std::nullopt;
}

std::optional<Refusal> RequestParser::check_coding() const {
  const Request& request = parsed_.request;
  const auto coding = request.header("transfer-encoding");
  if (!coding) return std::nullopt;
  if (is_http_1_0()) {
    return Refusal{400, "HTTP/1.0 has no Transfer-Encoding"};
  }
  if (count_headers(request, "transfer-encoding") > 1 || base::lower_case(*coding) != "chunked") {
    return Refusal{501, "the only Transfer-Encoding is chunked"};
  }
  return std::nullopt;
}

std::optional<Refusal> RequestParser::check_host() {
  Request& request = parsed_.request;
  const std::size_t count = count_headers(request, "host");
  if (count > 1) return Refusal{400, "there is more than one Host header"};
  if (count == 0) {
    if (is_http_1_0()) return std::nullopt;
    return Refusal{400, "there is no Host header"};
  }
  request.host = *request.header("host");
  if (!is_authority(request.host)) return Refusal{400, "the Host header is malformed"};
  return std::nullopt;
}

std::optional<Refusal> RequestParser::check_body() const {
  if ((machine_->llhttp.flags & F_CONTENT_LENGTH) != 0 &&
      machine_->llhttp.content_length > limits_.body_bytes) {
    return Refusal{413, "the body is longer than " + std::to_string(limits_.body_bytes) + " bytes"};
  }
  const auto coding = parsed_.request.header("content-encoding");
  if (coding && base::lower_case(*coding) != "identity") {
    return Refusal{415, "the server accepts bodies without Content-Encoding only"};
  }
  return std::nullopt;
}

std::optional<Refusal> RequestParser::check_expectation() {
  const auto expected = parsed_.request.header("expect");
  if (!expected || is_http_1_0()) return std::nullopt;
  if (base::lower_case(*expected) != "100-continue") {
    return Refusal{417, "the only expectation is 100-continue"};
  }
  expects_ = (machine_->llhttp.flags & F_CHUNKED) != 0 || machine_->llhttp.content_length > 0;
  return std::nullopt;
}

std::optional<Refusal> RequestParser::check_target() {
  Request& request = parsed_.request;
  base::Result<Target> target = parse_target(request.method, request.target);
  if (!target.ok()) return Refusal{400, target.error().message()};
  request.path = std::move(target->path);
  request.query = std::move(target->query);
  if (!target->authority.empty()) request.host = std::move(target->authority);
  return std::nullopt;
}

void RequestParser::gather_facts() {
  const Request& request = parsed_.request;
  parsed_.facts = {
      .is_head = request.method == "HEAD",
      .is_http_1_0 = is_http_1_0(),
      .keep_alive = llhttp_should_keep_alive(&machine_->llhttp) != 0,
      .accepts_gzip = names_gzip(request.header("accept-encoding").value_or("")),
  };
}

int RequestParser::on_chunk_extension(std::string_view) {
  return refuse(400, "chunks must not have extensions");
}

int RequestParser::check_body(std::uint64_t more) {
  if (more <= limits_.body_bytes - parsed_.request.body.size()) return kGoOn;
  return refuse(413, "the body is longer than " + std::to_string(limits_.body_bytes) + " bytes");
}

// A chunk that cannot fit is refused before the peer sends it.
int RequestParser::on_chunk_size() { return check_body(machine_->llhttp.content_length); }

int RequestParser::on_body(std::string_view bytes) {
  if (const int refused = check_body(bytes.size()); refused != kGoOn) return refused;
  parsed_.request.body.append(bytes);
  return kGoOn;
}

int RequestParser::on_complete() {
  state_ = State::kWhole;
  return HPE_PAUSED;
}

}  // namespace clever::http::internal
