// What a guest with a runtime of its own owes to the host's signals; core/cabi/mask.c has the other half.
#pragma once

namespace rumongo {

// Makes the handler of SIGCHLD run on the alternate stack of threads that have one, as Go's have. libuv installs it
// without that at the first spawn(), removes it when the last child is gone, and there is no hook for either, so this is
// called whenever completions are read: it costs one system call of about 0.2 microseconds. JavaScript thread.
void KeepChildSignalOffGoStacks();

}  // namespace rumongo
