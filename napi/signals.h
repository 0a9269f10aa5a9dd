// What a guest with a runtime of its own owes to the host's signals; core/cabi/mask.c has the other half.
#pragma once

namespace rumongo {

// Makes the handler of SIGCHLD run on the alternate stack of threads that have one, as Go's have. libuv installs it
// without that at the first spawn(), removes it when the last child is gone, and there is no hook for either. So this is
// called in the turn in which a child was made (js/native/bridge.js hears of it from Node's channel) and, for children of other
// addons and of environments without this one, now and then when completions are read. JavaScript thread.
void KeepChildSignalOffGoStacks();

// The same, at most once in 10 milliseconds of the process: a system call for each drain was one for each findOne.
void KeepChildSignalOffGoStacksNowAndThen();

}  // namespace rumongo
