#pragma once
#include <libpq-fe.h>

#include <memory>

#include "base/result.h"

// The functions of libpq that are used. They are looked up by name when the library is loaded.
#define CLEVER_LIBPQ_FUNCTIONS(X) \
  X(PQconnectStartParams)         \
  X(PQconnectPoll)                \
  X(PQfinish)                     \
  X(PQstatus)                     \
  X(PQsocket)                     \
  X(PQerrorMessage)               \
  X(PQserverVersion)              \
  X(PQparameterStatus)            \
  X(PQsetErrorVerbosity)          \
  X(PQsetNoticeReceiver)          \
  X(PQsetnonblocking)             \
  X(PQenterPipelineMode)          \
  X(PQexitPipelineMode)           \
  X(PQpipelineStatus)             \
  X(PQpipelineSync)               \
  X(PQsendQuery)                  \
  X(PQsendPrepare)                \
  X(PQsendQueryPrepared)          \
  X(PQsendQueryParams)            \
  X(PQflush)                      \
  X(PQconsumeInput)               \
  X(PQisBusy)                     \
  X(PQgetResult)                  \
  X(PQnotifies)                   \
  X(PQfreemem)                    \
  X(PQclear)                      \
  X(PQresultStatus)               \
  X(PQresultErrorField)           \
  X(PQcmdStatus)                  \
  X(PQcmdTuples)                  \
  X(PQntuples)                    \
  X(PQnfields)                    \
  X(PQftype)                      \
  X(PQgetisnull)                  \
  X(PQgetvalue)                   \
  X(PQgetlength)

namespace clever::storage::postgres {

/// libpq, loaded at run time: the program starts without it, and needs it only for PostgreSQL
/// databases. Immutable; safe from any thread.
class Libpq {
 public:
  static constexpr const char* kLibrary = "libpq.so.5";

  /// `unavailable` if the library is missing or too old.
  [[nodiscard]] static base::Result<std::shared_ptr<const Libpq>> load(
      const char* library = kLibrary);

#define CLEVER_LIBPQ_MEMBER(name) decltype(&::name) name = nullptr;
  CLEVER_LIBPQ_FUNCTIONS(CLEVER_LIBPQ_MEMBER)
#undef CLEVER_LIBPQ_MEMBER

 private:
  Libpq() = default;
};

}  // namespace clever::storage::postgres
