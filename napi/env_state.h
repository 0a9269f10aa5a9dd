// What the addon keeps for one napi_env: not for a thread or for the module, because one thread can load the addon twice.
//
// Thread rules:
//  1. mu guards every field below it. Fields above wake_mu belong to the JavaScript thread.
//  2. The thread-safe function is called only under wake_mu and only while it is not null. The env cleanup hook, which
//     Node runs before it destroys the function, sets it to null under wake_mu. So Go never calls into an environment
//     that is gone. It is a lock of its own because the call wakes the JavaScript thread, which then wants mu at once.
//  3. The state is on the heap and counted: one reference for JavaScript (dropped with the instance data), one for Go
//     (dropped by env_release, Go's last call). The addon itself is linked with -z nodelete.
//  4. No lock is held while JavaScript or Go is called. wake_mu and mu are never held together.
//  5. The thread-safe function does not keep the loop alive; Ref and Unref say when it does.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "block.h"
#include "event_log.h"
#include "inbox.h"
#include "napi_setup.h"
#include "outbox.h"

namespace rumongo {

// An ArrayBuffer with a copy of the bytes, for runtimes that refuse external ones.
napi_value CopyOf(napi_env env, const uint8_t* data, size_t size);

class EnvState {
 public:
  static EnvState* New(napi_env env);
  void Unref();

  // JavaScript thread.
  napi_value Open(napi_env env, napi_value drain);
  void Close();  // the env cleanup hook
  void Drain(napi_env env, napi_value callback);
  napi_value Wrap(napi_env env, uint32_t slot, size_t length);
  napi_value Copy(napi_env env, uint32_t slot, size_t length);
  bool Release(uint32_t slot);
  void Hold(napi_env env, bool held);
  bool open() const { return open_; }
  Outbox& outbox() { return outbox_; }
  size_t pool_bytes();
  // Lazy blocks whose ArrayBuffers are not collected yet, and their bytes.
  int64_t lazy_blocks() const { return lazy_blocks_.load(std::memory_order_relaxed); }
  int64_t lazy_bytes() const { return lazy_bytes_.load(std::memory_order_relaxed); }
  void CountLazy(int64_t blocks, int64_t bytes);

  // Any thread.
  void Complete(const rmg_completion& completion);
  // True when it is the first event that waits: WakeForEvents must follow, unless a completion does.
  bool AddEvent(const rmg_event& event, const uint8_t* info, const uint8_t* body);
  void WakeForEvents();
  uint64_t dropped_events();
  Block* AllocateBlock(uint32_t kind, size_t size);
  void DropBlock(Block* block);

 private:
  explicit EnvState(napi_env env) : env_(env) {}
  ~EnvState();
  napi_value Prepare(napi_env env, napi_value drain);
  void Undo(napi_env env);
  void DropArenas();
  bool Enqueue(const rmg_completion& completion);
  void Wake();
  Block* BlockAt(uint32_t slot);
  void FreeSlot(Block* block);
  napi_value OverflowArray(napi_env env, const std::vector<Arena>& overflow);
  napi_value HandOver(napi_env env, uint8_t* data, size_t size);

  std::atomic<int> refs_{1};
  std::atomic<int64_t> lazy_blocks_{0};
  std::atomic<int64_t> lazy_bytes_{0};
  napi_env env_;
  napi_ref arena_refs_[3] = {nullptr, nullptr, nullptr};
  uint8_t* event_arena_ = nullptr;
  bool open_ = false;
  bool hooked_ = false;  // the env cleanup hook is there
  bool draining_ = false;
  bool drain_again_ = false;
  Outbox outbox_;  // has its own lock

  std::mutex wake_mu_;
  napi_threadsafe_function wake_ = nullptr;

  std::mutex mu_;
  bool dead_ = false;
  bool waking_ = false;  // the JavaScript thread has been woken, or is about to be, and has not drained yet
  Inbox inbox_;
  EventLog events_;
  BlockPool pool_;
  std::vector<Block*> slots_;  // blocks JavaScript knows by number
  std::vector<uint32_t> free_slots_;
};

}  // namespace rumongo
