#pragma once
#include <curl/curl.h>

#include <memory>

#include "base/result.h"

// The functions of libcurl that are used. They are looked up by name when the library is loaded.
#define CLEVER_LIBCURL_FUNCTIONS(X) \
  X(curl_global_init)               \
  X(curl_easy_init)                 \
  X(curl_easy_cleanup)              \
  X(curl_easy_setopt)               \
  X(curl_easy_getinfo)              \
  X(curl_easy_strerror)             \
  X(curl_easy_pause)                \
  X(curl_slist_append)              \
  X(curl_slist_free_all)            \
  X(curl_share_init)                \
  X(curl_share_setopt)              \
  X(curl_share_cleanup)             \
  X(curl_multi_init)                \
  X(curl_multi_cleanup)             \
  X(curl_multi_setopt)              \
  X(curl_multi_add_handle)          \
  X(curl_multi_remove_handle)       \
  X(curl_multi_socket_action)       \
  X(curl_multi_info_read)

namespace clever::io::internal {

/// libcurl, loaded at run time: the program starts without it, and needs it only for HTTP.
/// Immutable; safe from any thread.
class Libcurl {
 public:
  static constexpr const char* kLibrary = "libcurl.so.4";

  /// `unavailable` if the library is missing or too old.
  [[nodiscard]] static base::Result<std::shared_ptr<const Libcurl>> load(
      const char* library = kLibrary);

#define CLEVER_LIBCURL_MEMBER(name) decltype(&::name) name = nullptr;
  CLEVER_LIBCURL_FUNCTIONS(CLEVER_LIBCURL_MEMBER)
#undef CLEVER_LIBCURL_MEMBER

 private:
  Libcurl() = default;
};

}  // namespace clever::io::internal
