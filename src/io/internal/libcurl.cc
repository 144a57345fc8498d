#include "io/internal/libcurl.h"

#include <dlfcn.h>

#include <string>

namespace clever::io::internal {
namespace {

std::string last_reason() {
  const char* reason = ::dlerror();
  return reason == nullptr ? "unknown reason" : reason;
}

base::Error missing(const std::string& reason) {
  return base::unavailable("HTTP needs the library libcurl, which cannot be loaded (" + reason +
                           "); install the package libcurl4, version 7.84 or newer");
}

}  // namespace

base::Result<std::shared_ptr<const Libcurl>> Libcurl::load(const char* library) {
  // Never unloaded: TLS libraries below it register handlers that run at the end of the process.
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return missing(last_reason());
  const std::shared_ptr<Libcurl> loaded(new Libcurl());
#define CLEVER_LIBCURL_FIND(name)                                             \
  loaded->name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name)); \
  if (loaded->name == nullptr) return missing(last_reason());
  CLEVER_LIBCURL_FUNCTIONS(CLEVER_LIBCURL_FIND)
#undef CLEVER_LIBCURL_FIND
  ::dlclose(handle);
  // The library counts the calls, and is thread-safe since 7.84.
  if (loaded->curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return missing("it could not be initialised");
  }
  return std::shared_ptr<const Libcurl>(loaded);
}

}  // namespace clever::io::internal
