/*
 * Old versions of the functions whose default version is newer than glibc 2.28, which is what Node.js 20 needs itself.
 * glibc 2.34 merged libpthread and libresolv into libc and gave these names new versions; the old ones are the same code
 * and stay for ever. scripts/compile-core.js includes this file into all C of the core, Go's runtime/cgo too, and
 * scripts/pack/symbols.js checks what was linked. On an older system the old libraries are needed under their own
 * names, so they are linked by name as well.
 */
#if !defined(__ASSEMBLER__) && defined(__linux__)

#if defined(__x86_64__)
#define RMG_OLD "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define RMG_OLD "GLIBC_2.17"
#endif

#ifdef RMG_OLD
#define RMG_KEEP(name, old) __asm__(".symver " name "," old "@" RMG_OLD)
RMG_KEEP("pthread_attr_getstack", "pthread_attr_getstack");
RMG_KEEP("pthread_attr_getstacksize", "pthread_attr_getstacksize");
RMG_KEEP("pthread_create", "pthread_create");
RMG_KEEP("pthread_detach", "pthread_detach");
RMG_KEEP("pthread_getattr_np", "pthread_getattr_np");
RMG_KEEP("pthread_join", "pthread_join");
RMG_KEEP("pthread_key_create", "pthread_key_create");
RMG_KEEP("pthread_setspecific", "pthread_setspecific");
RMG_KEEP("pthread_sigmask", "pthread_sigmask");
RMG_KEEP("res_search", "__res_search");
#endif

#endif
