// Lines of a processor's cache, asked for before they are read or written: memory answers late, and a processor does not see
// which rows come next. PoCL makes nothing of what OpenCL has for that, but its compiler has a function; others translate
// kernels to what may have no such instruction (rusticl's translator ends the program). No kernel and no grid of its own.

#define LINE 16  // floats; core/opencl/decode.cpp repeats this

#ifdef POCL_DEVICE_ADDRESS_BITS  // by PoCL
#define ASK_FOR(P) __builtin_prefetch((const void*)(size_t)(P), 0, 2)
#define ASK_TO_WRITE(P) __builtin_prefetch((const void*)(size_t)(P), 1, 2)
#else
#define ASK_FOR(P) prefetch(P, LINE)
#define ASK_TO_WRITE(P)
#endif
