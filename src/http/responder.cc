#include "http/responder.h"

#include <utility>

#include "http/internal/exchange.h"

namespace clever::http {

Stream::Stream(std::shared_ptr<internal::Exchange> exchange) noexcept
    : exchange_(std::move(exchange)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(exchange_, other.exchange_);
  return *this;
}

Stream::~Stream() { close(); }

Stream::Sent Stream::send(std::string_view bytes) {
  return exchange_ == nullptr ? Sent::kClosed : exchange_->send(bytes);
}

void Stream::close() {
  if (exchange_ != nullptr) exchange_->close();
}

std::size_t Stream::unread() const { return exchange_ == nullptr ? 0 : exchange_->unread(); }

Responder::Responder(std::shared_ptr<internal::Exchange> exchange) noexcept
    : exchange_(std::move(exchange)) {}

Responder::~Responder() {
  if (exchange_ == nullptr || exchange_->is_claimed()) return;
  exchange_->answer(internal::problem(500, "the request was not answered"));
}

bool Responder::answer(Response response) { return exchange_->answer(std::move(response)); }

Stream Responder::stream(const Response& head, OnClose on_close) {
  if (!exchange_->begin_stream(head, std::move(on_close))) return {};
  return Stream(exchange_);
}

bool Responder::is_over() const { return exchange_->is_over(); }

}  // namespace clever::http
