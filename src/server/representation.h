#pragma once
#include <string>
#include <string_view>

#include "http/message.h"

// How an answer is sent: its ETag, 304 for a client that has it, gzip for one that takes it. Pure
// functions.
namespace clever::server {

/// The ETag of a body, with its quotes.
[[nodiscard]] std::string etag_of(std::string_view body);
/// Whether a list of ETags (If-Match, If-None-Match) names this one, compressed or not; "*" does.
[[nodiscard]] bool names_etag(std::string_view list, std::string_view etag);
/// Whether the client takes gzip: Accept-Encoding names it, and not with q=0.
[[nodiscard]] bool takes_gzip(const http::Request& request);

/// Turns the answer of a GET into what this client gets. Other answers stay as they are.
void represent(const http::Request& request, http::Response& response);

}  // namespace clever::server
