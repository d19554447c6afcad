// Lines of a processor's cache, asked for before they are read or written: memory answers late, and a processor does not see
// which rows come next. PoCL makes nothing of what OpenCL has for that, and SPIR, which other drivers translate kernels to,
// has no such instruction. No kernel and no grid of its own.

#define LINE 16  // floats; core/opencl/decode.cpp repeats this

#if defined(__has_builtin) && !defined(__SPIR__) && !defined(__SPIRV__)
#if __has_builtin(__builtin_prefetch)
#define ASK_FOR(P) __builtin_prefetch((const void*)(size_t)(P), 0, 2)
#define ASK_TO_WRITE(P) __builtin_prefetch((const void*)(size_t)(P), 1, 2)
#endif
#endif
#ifndef ASK_FOR
#define ASK_FOR(P) prefetch(P, LINE)
#define ASK_TO_WRITE(P)
#endif
