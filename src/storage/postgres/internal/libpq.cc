#include "storage/postgres/internal/libpq.h"

#include <dlfcn.h>

#include <string>

namespace clever::storage::postgres {
namespace {

std::string last_reason() {
  const char* reason = ::dlerror();
  return reason == nullptr ? "unknown reason" : reason;
}

base::Error missing(const std::string& reason) {
  return base::unavailable("PostgreSQL needs the library libpq, which cannot be loaded (" + reason +
                           "); install the package libpq5, version 14 or newer");
}

}  // namespace

base::Result<std::shared_ptr<const Libpq>> Libpq::load(const char* library) {
  // Never unloaded: TLS libraries below it register handlers that run at the end of the process.
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) return missing(last_reason());
  const std::shared_ptr<Libpq> loaded(new Libpq());
#define CLEVER_LIBPQ_FIND(name)                                               \
  loaded->name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name)); \
  if (loaded->name == nullptr) return missing(last_reason());
  CLEVER_LIBPQ_FUNCTIONS(CLEVER_LIBPQ_FIND)
#undef CLEVER_LIBPQ_FIND
  ::dlclose(handle);
  return std::shared_ptr<const Libpq>(loaded);
}

}  // namespace clever::storage::postgres
