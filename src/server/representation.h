#pragma once
#include <string>
#include <string_view>

#include "http/message.h"

// Chooses the form of an answer: its ETag, 304 for a client that has it, gzip for a client that
// accepts it. Pure functions.
namespace clever::server {

/// Returns a body's ETag, with its quotes.
[[nodiscard]] std::string etag_of(std::string_view body);
/// Returns true if a list of ETags (If-Match, If-None-Match) contains this one, compressed or not;
/// "*" contains all.
[[nodiscard]] bool names_etag(std::string_view list, std::string_view etag);
/// Returns true if the client accepts gzip: Accept-Encoding names it, and not with q=0.
[[nodiscard]] bool takes_gzip(const http::Request& request);

/// Turns the answer of a GET into the form for this client. Other answers stay as they are.
void represent(const http::Request& request, http::Response& response);

}  // namespace clever::server
