#include "signals.h"

#include <atomic>
#include <chrono>
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

void KeepChildSignalOffGoStacksNowAndThen() {
  using std::chrono::steady_clock;
  static std::atomic<steady_clock::rep> next{0};
  constexpr steady_clock::duration kPause = std::chrono::milliseconds(10);
  const steady_clock::duration now = steady_clock::now().time_since_epoch();
  if (now.count() < next.load(std::memory_order_relaxed)) return;
  next.store((now + kPause).count(), std::memory_order_relaxed);
  KeepChildSignalOffGoStacks();
}

}  // namespace rumongo
