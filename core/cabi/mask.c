/* No signal of the host process is delivered on a thread of Go's.
 *
 * libuv installs its handlers (process.on('SIGTERM'), SIGWINCH of a terminal, ...) without SA_ONSTACK. A goroutine's stack
 * has no room for a signal frame: on a Go thread such a handler overwrites the memory beside the stack, and the process
 * ends later with "unexpected return pc" or worse. The kernel prefers the main thread but takes any other one while that
 * blocks signals (libuv does during each fork) or has one pending.
 *
 * The Go runtime keeps, for all its threads, the signal mask of the thread that started it. So this library's first
 * constructor blocks everything that is not a fault; Go's own, which runs after it on the same thread, starts the
 * runtime; then the addon's constructor has the mask restored. There are two exceptions: SIGURG, by which Go interrupts
 * its own threads, is not used (asyncpreemptoff, see scripts/compile-core.js), and SIGCHLD is unblocked by the Go runtime
 * whatever the mask says (napi/signals.cc). SIGPROF stays unblocked for whoever asks for a profile of the Go side
 * (profile.go).
 */
#include "mask.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static sigset_t before;
static pthread_t loader;
static int blocked;

/* 101 is the first priority that is not reserved; Go's constructor has none and runs later. */
__attribute__((constructor(101))) static void block_signals(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t mask;
  sigfillset(&mask);
  for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) sigdelset(&mask, faults[i]);
  if (getenv("RUMONGO_PPROF") != NULL) sigdelset(&mask, SIGPROF);
  loader = pthread_self();
  blocked = pthread_sigmask(SIG_BLOCK, &mask, &before) == 0;
}

void rmg_loaded(void) {
  if (!blocked || !pthread_equal(loader, pthread_self())) return;
  blocked = 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
