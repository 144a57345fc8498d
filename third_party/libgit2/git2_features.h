#pragma once
// What libgit2's own build would find on 64-bit Linux with glibc, without its transports' libraries.
#define GIT_THREADS 1
#define GIT_ARCH_64 1
#define GIT_USE_NSEC 1
#define GIT_USE_STAT_MTIM 1
#define GIT_USE_FUTIMENS 1
#define GIT_REGEX_REGCOMP 1
#define GIT_QSORT_GNU 1
#define GIT_HTTPPARSER_BUILTIN 1
#define GIT_SHA1_COLLISIONDETECT 1
#define GIT_SHA256_BUILTIN 1
#define GIT_COMPRESSION_ZLIB 1
#define GIT_RAND_GETENTROPY 1
#define GIT_RAND_GETLOADAVG 1
#define GIT_IO_POLL 1
#define GIT_IO_SELECT 1
