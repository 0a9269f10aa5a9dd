#include "signals.h"

#include <csignal>

#include "mask.h"

namespace rumongo {

namespace {

// Runs when the addon is loaded, on the thread that loads it and after the constructors of the core it depends on.
__attribute__((constructor)) void OnLoad() { rmg_loaded(); }

}  // namespace

void KeepChildSignalOffGoStacks() {
  struct sigaction action;
  if (sigaction(SIGCHLD, nullptr, &action) != 0 || (action.sa_flags & SA_ONSTACK) != 0) return;
  // With SA_SIGINFO the handler is the same word of a union.
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return;
  action.sa_flags |= SA_ONSTACK;
  sigaction(SIGCHLD, &action, nullptr);
}

}  // namespace rumongo
