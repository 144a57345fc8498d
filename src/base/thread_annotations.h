#pragma once
// Clang's thread-safety analysis as macros; they vanish under other compilers.
// https://clang.llvm.org/docs/ThreadSafetyAnalysis.html describes each attribute.

#if defined(__clang__)
#define CLEVER_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define CLEVER_THREAD_ATTRIBUTE(x)
#endif

#define CLEVER_CAPABILITY(name) CLEVER_THREAD_ATTRIBUTE(capability(name))
#define CLEVER_SCOPED_CAPABILITY CLEVER_THREAD_ATTRIBUTE(scoped_lockable)
#define CLEVER_GUARDED_BY(mutex) CLEVER_THREAD_ATTRIBUTE(guarded_by(mutex))
#define CLEVER_REQUIRES(...) CLEVER_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define CLEVER_EXCLUDES(...) CLEVER_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define CLEVER_ACQUIRE(...) CLEVER_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define CLEVER_TRY_ACQUIRE(...) CLEVER_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define CLEVER_RELEASE(...) CLEVER_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define CLEVER_NO_THREAD_SAFETY_ANALYSIS CLEVER_THREAD_ATTRIBUTE(no_thread_safety_analysis)
